import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { directoryOfTest } from '../support/directory.ts'
import { eventually } from '../support/eventually.ts'
import { environmentOfTest } from '../support/program.ts'
import { SERVER_TOKEN, type ServerProcess, send, startServer } from '../support/server.ts'

const CLIENTS = 3
/** Rounds of all clients in each phase. */
const ROUNDS = 30
const PAUSE = 20

/** A version of a plugin, with these fields of its model and further models. */
const version = (fields: string, models = '') => `
import { foreignKey, housekeeping, integer, model, plugin, PRIMARY, text } from 'cadastre'
const shelf = model({
  name: 'rolling.shelf',
  path: 'plugins/rolling/shelves',
  labels: ['shelf', 'shelves'],
  fields: { name: text({ max: 50 }), site: foreignKey('dcim.site', { onDelete: 'cascade' }), ${fields} ...housekeeping },
  display: '{name}',
  brief: ['id', 'url', 'display', 'name'],
  order: ['name'],
  search: ['name'],
  features: PRIMARY,
})
export default plugin({ name: 'rolling', label: 'Rolling', version: '1', description: 'd', models: [shelf, ${models}] })
`
const OLD = version('depth: integer({ nullable: true }),')
const ADDED = `
  depth: integer({ nullable: true }),
  colour: text({ max: 20, default: 'grey' }),
  weight: integer({ nullable: true }),
  code: text({ max: 20, nullable: true, unique: true }),
  rack: foreignKey('dcim.rack', { onDelete: 'setNull', nullable: true }),`
const BOX = `model({
  name: 'rolling.box',
  path: 'plugins/rolling/boxes',
  labels: ['box', 'boxes'],
  fields: { name: text({ max: 50 }), site: foreignKey('dcim.site', { onDelete: 'protect' }), ...housekeeping },
  display: '{name}',
  brief: ['id', 'url', 'display', 'name'],
  order: ['name'],
  search: ['name'],
  features: PRIMARY,
})`
const NEW = version(ADDED, BOX)

/** A file with the plugin, as PLUGINS names it. */
function pluginFile(source: string): string {
  const file = join(directoryOfTest(), 'rolling.ts')
  writeFileSync(file, source)
  return file
}

const inBranch = (path: string, branch: string | undefined): string =>
  branch === undefined ? path : `${path}${path.includes('?') ? '&' : '?'}branch=${branch}`

interface Row {
  readonly id: number
  readonly name: string
  readonly description: string
}

/**
 * Sends each request to one of the ready processes, as a load balancer does. Another process gets the request only if
 * the connection is refused. Any other failure is recorded.
 */
class Balancer {
  readonly failures: string[] = []
  #processes: readonly ServerProcess[] = []
  #next = 0

  readonly #ready = new Set<ServerProcess>()

  async add(server: ServerProcess): Promise<void> {
    this.#processes = [...this.#processes, server]
    await this.check()
  }

  async check(): Promise<void> {
    for (const server of this.#processes) {
      if (await isReady(server)) this.#ready.add(server)
      else this.#ready.delete(server)
    }
  }

  async request<T>(method: string, path: string, body?: unknown, branch?: string): Promise<T | undefined> {
    for (const server of this.#inTurn()) {
      try {
        const { status, text } = await exchange(server, method, inBranch(path, branch), body)
        if (status < 300) return (text === '' ? undefined : JSON.parse(text)) as T
        this.failures.push(`${method} ${path}: ${status} ${text}`)
        return undefined
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED') continue
        this.failures.push(`${method} ${path}: ${error}`)
        return undefined
      }
    }
    this.failures.push(`${method} ${path}: no process is ready`)
    return undefined
  }

  #inTurn(): readonly ServerProcess[] {
    const ready = [...this.#ready]
    this.#next += 1
    return ready.map((_, index) => ready[(index + this.#next) % ready.length]).filter((server) => server !== undefined)
  }
}

async function isReady({ url }: ServerProcess): Promise<boolean> {
  const response = await fetch(`${url}/health/ready`).catch(() => undefined)
  await response?.text().catch(() => undefined)
  return response?.ok === true
}

const agent = new Agent({ keepAlive: true })

/**
 * One request as a balancer sends it. Node's `fetch` fails if a connection is closed while a long body is still being
 * sent.
 */
async function exchange(
  server: ServerProcess,
  method: string,
  path: string,
  body: unknown,
): Promise<{ readonly status: number; readonly text: string }> {
  const headers = { authorization: `Token ${SERVER_TOKEN}`, 'content-type': 'application/json' }
  const outgoing = httpRequest(server.url + path, { method, headers, agent })
  outgoing.end(body === undefined ? undefined : JSON.stringify(body))
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
  return { status: response.statusCode ?? 0, text: await readText(response) }
}

/** Descriptions of acknowledged objects by name; undefined for deleted ones. */
type Ledger = Map<string, string | undefined>

/** Creates, changes, lists and deletes objects, on main and in a branch. */
async function workOnce(balancer: Balancer, name: string, ledger: { main: Ledger; branch: Ledger }): Promise<void> {
  const site = await balancer.request<Row>('POST', '/api/dcim/sites/', { name, slug: name })
  const shelf = await balancer.request<Row>('POST', '/api/plugins/rolling/shelves/', { name, site: site?.id })
  if (!site || !shelf) return
  ledger.main.set(name, '')
  const description = `description of ${name}`
  const path = `/api/plugins/rolling/shelves/${shelf.id}/`
  if (await balancer.request('PATCH', path, { depth: 3 })) ledger.main.set(name, '3')
  if (await balancer.request('PATCH', `/api/dcim/sites/${site.id}/`, { description }, 'lab'))
    ledger.branch.set(name, description)
  if (await balancer.request('POST', '/api/plugins/rolling/shelves/', { name: `${name}-b`, site: site.id }, 'lab'))
    ledger.branch.set(`${name}-b`, '')
  await balancer.request('GET', '/api/plugins/rolling/shelves/?limit=5')
  await balancer.request('GET', '/api/plugins/rolling/shelves/?limit=5', undefined, 'lab')
  await balancer.request('GET', `/api/plugins/rolling/shelves/?limit=5&as_of=${new Date().toISOString()}`)
  await balancer.request('GET', '/api/core/object-changes/?limit=5')
  await balancer.request('GET', '/api/schema/?format=json')
  await balancer.request('OPTIONS', '/api/plugins/rolling/shelves/')
  if (ledger.main.size % 3 === 0) {
    const gone = await balancer.request<Row>('POST', '/api/dcim/sites/', { name: `${name}-x`, slug: `${name}-x` })
    await balancer.request('DELETE', `/api/dcim/sites/${gone?.id}/`)
  }
}

const FOREVER = { timeout: 0 }

it('a new version replaces an old one under load, without a failed request or a lost write', FOREVER, async () => {
  const environment = {
    ...(await environmentOfTest()),
    SHUTDOWN_DELAY: '1000',
  }
  const old = await startServer({ ...environment, PLUGINS: pluginFile(OLD) })
  onTestFinished(() => {
    agent.destroy()
    return old.kill()
  })
  const balancer = new Balancer()
  await balancer.add(old)
  await balancer.request('POST', '/api/core/branches/', { name: 'lab' })
  const ledger = { main: new Map(), branch: new Map() }
  let isOver = false
  let rounds = 0
  const client = async (number: number): Promise<void> => {
    for (let round = 0; !isOver; round++) {
      await workOnce(balancer, `c${number}-r${round}`, ledger)
      rounds += 1
      await delay(PAUSE)
    }
  }
  const checks = async (): Promise<void> => {
    while (!isOver) {
      await balancer.check()
      await delay(200)
    }
  }
  const running = Promise.all([checks(), ...Array.from({ length: CLIENTS }, (_, number) => client(number))])
  const phase = async (): Promise<void> => {
    const before = rounds
    await eventually(() => expect(rounds).toBeGreaterThan(before + ROUNDS))
  }

  await phase()
  const next = await startServer({ ...environment, PLUGINS: pluginFile(NEW) })
  onTestFinished(() => next.kill())
  await balancer.add(next)
  await phase()
  expect(await isReady(old)).toBe(true)
  // Objects that only the new version knows cause no problems in the old one.
  const [site] = ((await (await send(next, 'GET', '/api/dcim/sites/?limit=1')).json()) as { results: Row[] }).results
  const box = await send(next, 'POST', '/api/plugins/rolling/boxes/', { name: 'a box of the new', site: site?.id })
  expect(box.status).toBe(201)
  const kept = await send(old, 'DELETE', `/api/dcim/sites/${site?.id}/`)
  expect([kept.status, await kept.text()]).toEqual([409, expect.stringContaining('rolling_box')])
  await phase()
  expect(await old.stop()).toBe(0)
  await phase()
  isOver = true
  await running

  expect(balancer.failures).toEqual([])
  const stored = async (path: string, branch?: string): Promise<Map<string, Row & { depth: number | null }>> => {
    const answer = await send(next, 'GET', inBranch(path, branch))
    const { results } = (await answer.json()) as { results: (Row & { depth: number | null })[] }
    return new Map(results.map((row) => [row.name, row]))
  }
  const shelves = await stored('/api/plugins/rolling/shelves/?limit=1000')
  expect([...ledger.main].filter(([name]) => String(shelves.get(name)?.depth ?? '') !== ledger.main.get(name))).toEqual(
    [],
  )
  expect([...shelves.values()]).toContainEqual(expect.objectContaining({ colour: 'grey', weight: null, code: null }))
  const branchRows = new Map([
    ...(await stored('/api/plugins/rolling/shelves/?limit=1000', 'lab')),
    ...(await stored('/api/dcim/sites/?limit=1000', 'lab')),
  ])
  expect([...ledger.branch].filter(([name, text]) => (branchRows.get(name)?.description ?? '') !== text)).toEqual([])
  expect([...(await stored('/api/plugins/rolling/boxes/')).keys()]).toEqual(['a box of the new'])
})
