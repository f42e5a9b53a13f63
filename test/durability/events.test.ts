import { expect, it, onTestFinished } from 'vitest'
import { crash, type OwnServer, victimOf } from '../support/crashes.ts'
import { directoryOfTest } from '../support/directory.ts'
import { readEventSource } from '../support/event-source.ts'
import { runSize } from '../support/run-size.ts'
import { SERVER_TOKEN, type ServerProcess, send, startServer } from '../support/server.ts'

/** The full size is what we promise; the usual size takes half a minute. */
const { WRITES, CLIENTS, KILLS } = runSize({
  full: { WRITES: 10_000, CLIENTS: 8, KILLS: 12 },
  usual: { WRITES: 900, CLIENTS: 8, KILLS: 3 },
})

/** Versions of an object before its writer deletes it. */
const VERSIONS = 6
/** Prefix of the names in requests that are refused as a whole. */
const REFUSED = 'refused'

/** The service, which is killed and started again, like its server and that server's processes. */
class KilledService {
  readonly #environment: OwnServer
  /** The current process, or the one that is starting. */
  #current: Promise<ServerProcess>
  kills = 0

  constructor(environment: OwnServer) {
    this.#environment = environment
    this.#current = startServer({ ...environment })
  }

  server(): Promise<ServerProcess> {
    return this.#current
  }

  async kill(): Promise<void> {
    const victim = victimOf(this.kills)
    this.kills += 1
    const server = await this.#current
    this.#current = crash(server, { ...this.#environment }, victim)
    await this.#current
  }
}

/** Versions of an object that were acknowledged, in order; `deleted` is the last one if the object was deleted. */
type Life = string[]

interface Written {
  acknowledged: number
  readonly lives: Map<number, Life>
}

/** Creates, changes and deletes sites until enough writes are acknowledged. An object whose last write has an unknown result is left alone. */
async function writeObjects(
  service: KilledService,
  writer: number,
  written: Written,
  afterWrite: () => void,
): Promise<void> {
  for (let turn = 0; written.acknowledged < WRITES; turn++) {
    const name = `w${writer}-${turn}`
    const life: Life = []
    const write = async (method: string, path: string, version: string, body?: unknown) => {
      const answer = await send(await service.server(), method, path, body).catch(() => undefined)
      const text = await answer?.text().catch(() => undefined)
      if (answer === undefined || text === undefined || answer.status === 503) return undefined
      if (answer.status >= 300) throw new Error(`${answer.status}: ${text}`)
      life.push(version)
      written.acknowledged += 1
      afterWrite()
      return text
    }
    const description = (version: number) => `v${version}`
    const created = await write('POST', '/api/dcim/sites/', description(0), {
      ...{ name, slug: name, description: description(0) },
    })
    if (created === undefined) continue
    const id = Number(JSON.parse(created).id)
    written.lives.set(id, life)
    const path = `/api/dcim/sites/${id}/`
    let isKnown = true
    for (let version = 1; isKnown && version < VERSIONS; version++) {
      const body = { description: description(version) }
      isKnown = (await write('PATCH', path, description(version), body)) !== undefined
      if (version === 2) await refusedRequest(service, `${writer}-${turn}`)
    }
    if (isKnown && turn % 2 === 0) await write('DELETE', path, 'deleted')
  }
}

/** A bulk request whose last object is refused, after the others have been saved. */
async function refusedRequest(service: KilledService, suffix: string): Promise<void> {
  const site = (name: string) => ({ name, slug: name })
  const names = [`${REFUSED}-a-${suffix}`, `${REFUSED}-b-${suffix}`, `${REFUSED}-a-${suffix}`]
  const server = await service.server()
  const answer = await send(server, 'POST', '/api/dcim/sites/', names.map(site)).catch(() => undefined)
  if (answer !== undefined) expect([400, 503]).toContain(answer.status)
}

const CONNECTION_ERRORS: ReadonlySet<string> = new Set(['ECONNRESET', 'ECONNREFUSED', 'EPIPE'])

interface Event {
  readonly position: number
  readonly change_id: number
  readonly event: string
  readonly object_type: string
  readonly object_id: number
  readonly object_repr: string
  readonly postchange_data: { readonly description: string } | null
}

/** Reads the stream until `isDone`, and connects again whenever the connection breaks. */
async function readStream(service: KilledService, events: Event[], isDone: () => boolean): Promise<number> {
  let connections = 0
  while (!isDone()) {
    const last = events.at(-1)?.position
    try {
      const { url } = await service.server()
      const reader = await readEventSource(`${url}/api/core/events/?after=0`, {
        authorization: `Token ${SERVER_TOKEN}`,
        ...(last !== undefined && { 'last-event-id': String(last) }),
      })
      if (reader.status === 503) continue
      expect(reader.status).toBe(200)
      connections += 1
      while (!isDone()) {
        const message = await reader.next()
        if (!message) break
        const event = JSON.parse(message.data ?? '') as Event // as docs/use/events.md describes it
        expect(message.id).toBe(String(event.position))
        events.push(event)
      }
      reader.close()
    } catch (error) {
      // The service was killed.
      if (!CONNECTION_ERRORS.has(String((error as { code?: unknown }).code))) throw error
    }
  }
  return connections
}

/** Ids of all change records. */
async function changeIds(server: ServerProcess): Promise<readonly number[]> {
  const ids: number[] = []
  for (let start = 0; ; ) {
    const path = `/api/core/object-changes/?limit=1000&start=${start}&fields=id`
    const { results } = (await (await send(server, 'GET', path)).json()) as {
      results: { id: number }[]
    }
    if (results.length === 0) return ids
    ids.push(...results.map(({ id }) => id))
    start = (ids.at(-1) ?? 0) + 1
  }
}

it(`${WRITES} writes by ${CLIENTS} clients while the service, its server or a backend is killed ${KILLS} times: a client of the stream gets every committed change once, in order`, async () => {
  const service = new KilledService({ DATA_DIR: directoryOfTest() })
  onTestFinished(async () => (await service.server()).kill())

  const started = performance.now()
  const written: Written = { acknowledged: 0, lives: new Map() }
  const killing: Promise<void>[] = []
  const killWhenDue = () => {
    const due = Math.floor((written.acknowledged * (KILLS + 1)) / WRITES)
    if (due > service.kills && service.kills < KILLS) killing.push(service.kill())
  }
  const events: Event[] = []
  let total = Number.POSITIVE_INFINITY
  const reading = readStream(service, events, () => events.length >= total)
  await Promise.all(Array.from({ length: CLIENTS }, (_, writer) => writeObjects(service, writer, written, killWhenDue)))
  await Promise.all(killing)
  const ids = await changeIds(await service.server())
  // One more event ends the reader's wait, if it has read all others already.
  total = ids.length + 1
  const last = { name: 'last', slug: 'last' }
  const { status } = await send(await service.server(), 'POST', '/api/dcim/sites/', last)
  expect(status).toBe(201)
  const connections = await reading

  const all = await changeIds(await service.server())
  expect(events.map(({ position }) => position)).toEqual(all.map((_, index) => index + 1))
  expect(events.map(({ change_id }) => change_id).sort((one, other) => one - other)).toEqual(all)
  expect(events.filter(({ object_repr }) => object_repr.startsWith(REFUSED))).toEqual([])
  const byObject = Map.groupBy(events, ({ object_id }) => object_id)
  for (const [id, life] of written.lives) {
    const seen = (byObject.get(id) ?? []).map(({ postchange_data }) => postchange_data?.description ?? 'deleted')
    // One write may have been committed without its response.
    expect(seen.slice(0, life.length)).toEqual(life)
    expect(seen.length).toBeLessThanOrEqual(life.length + 1)
  }
  expect([service.kills, connections]).toEqual([KILLS, expect.any(Number)])
  expect(connections).toBeGreaterThan(KILLS / 2)
  const seconds = ((performance.now() - started) / 1_000).toFixed(1)
  console.info(
    `${written.acknowledged} writes acknowledged, ${events.length} events, ${service.kills} kills, ${connections} connections, ${seconds} s`,
  )
})
