/**
 * Program of the process in which one script runs; `script-process.ts` starts it with no permission but to read the
 * files of scripts. Its first message says which file to load, and whether to describe its scripts or to run one of
 * them. Every change that a script makes to the inventory is a request to the parent.
 */
import { registerHooks } from 'node:module'
import { basename, extname } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { FromRunner, ToRunner } from './messages.ts'

type Values = Readonly<Record<string, unknown>>
interface Script extends Values {
  readonly run: (context: Values) => unknown
}

/**
 * Modules of Node that cannot access anything outside of the process; those that read files are subject to the
 * permissions.
 */
const HARMLESS = new Set(
  [
    ...[
      'assert',
      'assert/strict',
      'buffer',
      'crypto',
      'events',
      'fs',
      'fs/promises',
      'path',
      'path/posix',
      'perf_hooks',
    ],
    ...[
      'querystring',
      'stream',
      'stream/promises',
      'string_decoder',
      'timers',
      'timers/promises',
      'url',
      'util',
      'zlib',
    ],
  ].map((name) => `node:${name}`),
)
const NETWORK = ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest']
/** Names that would give a script access to other processes, or to modules without the check. */
const PROCESS = ['binding', '_linkedBinding', 'dlopen', 'kill', '_kill', '_debugProcess', 'getBuiltinModule']

const { send: sendMessage } = process
if (!sendMessage) throw new Error('This process has no parent')
const post = (message: FromRunner): void => void sendMessage.bind(process)(message)
const end = process.exit.bind(process)

const { promise: begun, resolve: begin } = Promise.withResolvers<Exclude<ToRunner, { kind: 'response' }>>()
const waiting = new Map<number, (response: { status: number; body?: string | undefined }) => void>()
process.on('message', (message: ToRunner) => {
  if (message.kind !== 'response') return begin(message)
  waiting.get(message.id)?.(message)
  waiting.delete(message.id)
})
// The parent has ended.
process.on('disconnect', () => end(1))

function confine(): void {
  registerHooks({
    resolve: (specifier, context, next) => {
      const resolved = next(specifier, context)
      if (resolved.url.startsWith('file:') || HARMLESS.has(resolved.url)) return resolved
      throw new Error(`Scripts may not import ${specifier}`)
    },
  })
  for (const name of NETWORK) Reflect.deleteProperty(globalThis, name)
  for (const name of PROCESS) Reflect.defineProperty(process, name, { value: undefined })
}

async function load(file: string): Promise<readonly (readonly [string, Script])[]> {
  const module: Values = await import(pathToFileURL(file).href)
  const moduleName = typeof module.name === 'string' ? module.name : basename(file, extname(file))
  const scripts: [string, unknown][] = [[moduleName, module], ...Object.entries(module)]
  return scripts.flatMap(([name, value]) => (isScript(value) ? [[name, value] as const] : []))
}

const isScript = (value: unknown): value is Script =>
  typeof value === 'object' && value !== null && 'run' in value && typeof value.run === 'function'

function description([name, script]: readonly [string, Script]): unknown {
  const { description, variables, schedulingEnabled, timeout, notificationsDefault } = script
  return { name, description, variables, schedulingEnabled, timeout, notificationsDefault }
}

async function run(
  scripts: readonly (readonly [string, Script])[],
  { name, data, commit }: Extract<ToRunner, { kind: 'run' }>,
): Promise<void> {
  const script = scripts.find(([scriptName]) => scriptName === name)?.[1]
  if (!script) throw new Error(`The file has no script ${name}`)
  const output = await script.run({ data, commit, api, log, abort })
  post({ kind: 'finished', output: output === undefined ? null : output })
}

class AbortScript extends Error {
  override readonly name = 'AbortScript'
}

function abort(message: string): never {
  throw new AbortScript(message)
}

function failure(error: unknown) {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error), stack: String(error) }
  const { name, message, stack = `${name}: ${message}` } = error
  return { name, message, stack }
}

class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly body: unknown

  constructor(method: string, path: string, status: number, body: unknown) {
    super(`${method} ${path} was answered with ${status}: ${JSON.stringify(body)}`)
    this.status = status
    this.body = body
  }
}

function makeApi() {
  let nextId = 0
  const request = (method: string, path: string, body?: unknown) =>
    new Promise<{ status: number; body: unknown }>((resolve) => {
      const id = nextId++
      waiting.set(id, ({ status, body: text }) =>
        resolve({ status, body: text === undefined ? undefined : JSON.parse(text) }),
      )
      post({ kind: 'request', id, method, path: absolute(path), body: body ?? null })
    })
  const checked = async (method: string, path: string, body?: unknown) => {
    const response = await request(method, path, body)
    if (response.status >= 400) throw new ApiError(method, path, response.status, response.body)
    return response.body
  }
  const withQuery = (path: string, query: Values = {}) => {
    const entries = Object.entries(query).flatMap(([name, value]) =>
      [value].flat().map((item): [string, string] => [name, String(item)]),
    )
    const text = new URLSearchParams(entries).toString()
    return text === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${text}`
  }
  return {
    request,
    get: (path: string, query?: Values) => checked('GET', withQuery(path, query)),
    post: (path: string, body: unknown) => checked('POST', path, body),
    put: (path: string, body: unknown) => checked('PUT', path, body),
    patch: (path: string, body: unknown) => checked('PATCH', path, body),
    delete: (path: string, body?: unknown) => checked('DELETE', path, body),
    /** All objects of a list, page by page. */
    list: async (path: string, query: Values = {}) => {
      const results: unknown[] = []
      for (;;) {
        const page = (await checked('GET', withQuery(path, { limit: 500, ...query, offset: results.length }))) as {
          readonly count: number
          readonly results: readonly unknown[]
        }
        results.push(...page.results)
        if (page.results.length === 0 || results.length >= page.count) return results
      }
    },
  }
}

/** `dcim/sites/` and `/api/dcim/sites/` are the same. */
const absolute = (path: string): string => (path.startsWith('/api/') ? path : `/api/${path.replace(/^\//, '')}`)

function makeLog() {
  const at = (level: string) => (message: unknown, object?: unknown) => {
    const { display, url } = (object ?? {}) as {
      readonly display?: unknown
      readonly url?: unknown
    }
    post({
      kind: 'log',
      level,
      message: String(message),
      object: object === undefined || object === null ? null : String(display ?? object),
      url: typeof url === 'string' ? url : null,
    })
  }
  return {
    debug: at('debug'),
    info: at('info'),
    success: at('success'),
    warning: at('warning'),
    failure: at('failure'),
  }
}

const api = makeApi()
const log = makeLog()

const order = await begun
if (!order.allowsNetwork) confine()
try {
  const scripts = await load(order.file)
  if (order.kind === 'describe') post({ kind: 'described', scripts: scripts.map(description) })
  else await run(scripts, order)
} catch (error) {
  post({ kind: 'failed', ...failure(error) })
}
