import type { InProcessRequest, InProcessResponse } from '../../automation/jobs/in-process-request.ts'
import type { User } from '../../identity/actor.ts'
import { mayAct } from '../../identity/permitted-rows.ts'
import type { Json, JsonObject } from '../../schema/json.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { wholeCharacters } from '../../schema/shortened.ts'
import type { Service } from '../../service.ts'
import type { Routes } from '../routes.ts'

/** The API of the service, as tools use it: every tool reads and writes by requests to it. */
export interface AgentApi {
  readonly service: Service
  readonly routes: Pick<Routes, 'find'>
  readonly respond: (request: InProcessRequest) => Promise<InProcessResponse>
}

/** A call of a tool by a user. */
export interface Call {
  readonly service: Service
  /** The models in the latest version of the API, in which tools answer whatever version the token is for. */
  readonly registry: Registry
  readonly actor: User
  readonly base: string
  readonly routes: AgentApi['routes']
  /** Aborted when the client disconnects or the time limit is reached. */
  readonly signal: AbortSignal
  /** The response to a request of the caller, or of another actor. Only `path` is encoded. */
  send(request: AgentRequest): Promise<InProcessResponse>
}

/** A request to the API; `path` is below `/api/`. */
interface AgentRequest {
  readonly method: string
  readonly path: string
  readonly query?: Query
  readonly body?: unknown
  readonly actor?: User
}

/** Values of query parameters; undefined ones are left out, and lists repeat the parameter. */
export type Query = Readonly<Record<string, Json | undefined>>

/** A refusal that tells the model how to correct its call. */
export class ToolError extends Error {
  override readonly name = 'ToolError'
  readonly document: JsonObject

  constructor(error: string, more: JsonObject = {}) {
    super(error)
    this.document = { error, ...more }
  }
}

/** The call of a request to the service. */
export const callOf = (
  { service, routes, respond }: AgentApi,
  { actor, ...request }: Pick<InProcessRequest, 'actor' | 'id' | 'base' | 'signal'>,
): Call => ({
  ...{ service, routes, actor, base: request.base, signal: request.signal },
  registry: service.registry,
  send: async ({ method, path, query = {}, body, actor: sender = actor }) =>
    await respond({
      ...{ ...request, service, method, body },
      actor: { ...sender, apiVersion: service.registry.version },
      path: `/api/${path}${queryText(query)}`,
    }),
})

function queryText(query: Query): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const item of Array.isArray(value) ? value : [value]) if (item !== undefined) search.append(name, String(item))
  }
  return search.size === 0 ? '' : `?${search}`
}

/** The document that the caller reads at the path. Throws `ToolError` with the API's refusal. */
export async function read(call: Call, path: string, query?: Query): Promise<Json> {
  const response = await call.send({ method: 'GET', path, ...(query && { query }) })
  return documentOf(response)
}

/** The response's document. Throws `ToolError` with the refusal. */
export function documentOf({ status, body }: InProcessResponse): Json {
  const document = body === undefined || body === '' ? null : (JSON.parse(body) as Json) // the service's own JSON
  if (status >= 400)
    throw new ToolError(`The service refused this with status ${status}.`, { status, refusal: document })
  return document
}

/** The actions about which `describe` tells agents what they may do. */
export const RIGHTS = ['view', 'add', 'change', 'delete', 'propose'] as const

/**
 * The model with this name. Throws `ToolError`, with similar names, if there is none or if the caller has no right on it:
 * the name of a type that users have defined may be a secret.
 */
export function modelOf({ registry, actor, service }: Call, name: unknown): Model {
  const model = registry.models.get(String(name))
  const has = (right: string, of: Model) => mayAct(actor, right, of, service.settings)
  if (model && model.path !== '' && RIGHTS.some((right) => has(right, model))) return model
  const key =
    String(name)
      .split('.')
      .at(-1)
      ?.replaceAll(/[^a-z]/gi, '')
      .toLowerCase() ?? ''
  const similar = [...registry.models.values()].filter(
    (candidate) =>
      candidate.path !== '' &&
      key !== '' &&
      (candidate.key.includes(key) || key.includes(candidate.key)) &&
      has('view', candidate),
  )
  throw new ToolError(`There is no object type ${JSON.stringify(name)}.`, {
    similar: similar.map((candidate) => candidate.name),
    hint: 'The tool "describe" lists all object types.',
  })
}

const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '')

/**
 * The document in at most about `most` bytes of JSON. Lists at its top lose their last entries, and objects their
 * largest fields; `cut` then says what is missing and how to get it.
 */
export function shortened(document: JsonObject, most: number): JsonObject {
  const size = sizeOf(document)
  if (size <= most) return document
  const parts: Record<string, Json> = { ...document }
  const cut: Record<string, JsonObject> = {}
  let excess = size - most
  const largestFirst = Object.entries(document).toSorted(([, a], [, b]) => sizeOf(b) - sizeOf(a))
  for (const [name, value] of largestFirst) {
    if (excess <= 0) break
    const { part, removed, report } = partOf(value, excess)
    parts[name] = part
    cut[name] = report
    excess -= removed
  }
  const hint = 'Name fewer fields, use a filter or a lower limit, read on at next_offset, or raise max_bytes.'
  return { ...parts, cut: { bytes: size, max_bytes: most, ...cut, hint } }
}

/** The value without at least `excess` bytes, if it has that many. */
function partOf(
  value: Json,
  excess: number,
): { readonly part: Json; readonly removed: number; readonly report: JsonObject } {
  let removed = 0
  if (Array.isArray(value)) {
    let kept = value.length
    while (kept > 0 && removed < excess) removed += sizeOf(value[--kept]) + 1
    return { part: value.slice(0, kept), removed, report: { entries: value.length, shown: kept } }
  }
  if (typeof value === 'object' && value !== null) {
    const missing = new Set<string>()
    for (const [name, member] of Object.entries(value).toSorted(([, a], [, b]) => sizeOf(b) - sizeOf(a))) {
      if (removed >= excess) break
      missing.add(name)
      removed += sizeOf(member) + name.length + 4
    }
    const present = Object.fromEntries(Object.entries(value).filter(([name]) => !missing.has(name)))
    return { part: present, removed, report: { missing: [...missing] } }
  }
  if (typeof value !== 'string') return { part: value, removed: 0, report: {} }
  const text = wholeCharacters(value.slice(0, Math.max(0, value.length - excess)))
  return { part: text, removed: sizeOf(value) - sizeOf(text), report: { characters: value.length, shown: text.length } }
}
