import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { crash, type OwnServer, victimOf } from '../support/crashes.ts'
import { directoryOfTest } from '../support/directory.ts'
import { eventually } from '../support/eventually.ts'
import { runSize } from '../support/run-size.ts'
import { type ServerProcess, send, startServer } from '../support/server.ts'

const SIZE = runSize({
  full: { writes: 10_000, clients: 8, kills: 12, away: 60_000 },
  usual: { writes: 300, clients: 4, kills: 3, away: 1_000 },
})
/** Changes of one site, with its creation and its deletion. */
const CHANGES = 8
/** Every fifth request fails. */
const FAILING = 5
const ROLLED_BACK = 'rolled back'

/** A change of a site: its name, and the number of the change, which grows. */
type Change = readonly [site: string, number: number]

/** A request that the receiver received. */
interface Arrival {
  readonly id: string
  readonly site: string
  readonly number: number
  readonly text: string
}

/** A receiver that fails every fifth request and can be stopped. */
class Receiver {
  readonly arrivals: Arrival[] = []
  readonly #server: Server
  #count = 0
  #port = 0

  constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const body = JSON.parse(Buffer.concat(chunks).toString('utf8'))
        const text = String(body.data.description)
        const number = body.event === 'deleted' ? CHANGES : Number(text)
        const id = String(request.headers['x-hook-delivery'])
        this.arrivals.push({ id, site: String(body.data.name), number, text })
        this.#count += 1
        response.statusCode = this.#count % FAILING === 0 ? 500 : 200
        response.end()
      })
    })
  }

  /** Starts to listen, always at the same address. */
  async come(): Promise<string> {
    this.#server.listen(this.#port, '127.0.0.1')
    await once(this.#server, 'listening')
    this.#port = (this.#server.address() as AddressInfo).port // It listens on a port.
    return `http://127.0.0.1:${this.#port}/`
  }

  async goAway(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    this.#server.closeAllConnections()
    await closed
  }
}

/** The service, which is killed and started again, like its PostgreSQL server; clients get the current process before each request. */
class Service {
  readonly #environment: OwnServer & Readonly<Record<string, string>>
  #server: Promise<ServerProcess>
  #kills = 0

  constructor(environment: OwnServer & Readonly<Record<string, string>>) {
    this.#environment = environment
    this.#server = startServer(environment)
  }

  /** Status and body of the response; undefined if the service was killed before it responded. */
  async ask(method: string, path: string, body?: unknown) {
    const server = await this.#server
    try {
      const response = await send(server, method, path, body)
      const text = await response.text()
      return { status: response.status, json: text === '' ? undefined : JSON.parse(text) }
    } catch {
      // The next request goes to the next process.
      await sleep(10)
      return undefined
    }
  }

  async kill(): Promise<void> {
    const server = await this.#server
    this.#server = crash(server, this.#environment, victimOf(this.#kills++))
    await this.#server
  }

  async stop(): Promise<void> {
    await (await this.#server).kill()
  }
}

/** Creates sites, changes and deletes them, until `writes` requests have been made. Returns the acknowledged changes. */
async function write(service: Service, client: number, writes: number, afterWrite: () => void): Promise<Change[]> {
  const acknowledged: Change[] = []
  let done = 0
  for (let turn = 0; done < writes; turn++) {
    const name = `c${client}-t${turn}`
    const created = await service.ask('POST', '/api/dcim/sites/', {
      ...{ name, slug: name, description: '0' },
    })
    done += 1
    afterWrite()
    // It is unknown whether it was created.
    if (created?.status !== 201) continue
    acknowledged.push([name, 0])
    const path = `/api/dcim/sites/${created.json.id}/`
    for (let number = 1; number < CHANGES && done < writes; number++) {
      const refused = await service.ask('PATCH', '/api/dcim/sites/', [
        { id: created.json.id, description: ROLLED_BACK },
        { id: created.json.id, status: 'nope' },
      ])
      if (refused) expect([400, 503]).toContain(refused.status)
      const changed = await service.ask('PATCH', path, { description: String(number) })
      if (changed?.status === 200) acknowledged.push([name, number])
      done += 1
      afterWrite()
    }
    const deleted = await service.ask('DELETE', path)
    if (deleted?.status === 204) acknowledged.push([name, CHANGES])
    done += 1
    afterWrite()
  }
  return acknowledged
}

it(`${SIZE.writes} writes by ${SIZE.clients} clients, ${SIZE.kills} times kill -9, a failing and disappearing receiver: every change arrives in order, and repetitions have the same id`, async () => {
  const receiver = new Receiver()
  const url = await receiver.come()
  onTestFinished(() => receiver.goAway())
  const service = new Service({
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    WEBHOOK_RETRY_DELAY: '100',
    NO_PROXY: '*',
    REQUEST_LOG_LEVEL: 'off',
    DATA_DIR: directoryOfTest(),
  })
  onTestFinished(() => service.stop())
  const webhook = await service.ask('POST', '/api/extras/webhooks/', {
    ...{ name: 'hook', payload_url: url },
  })
  await service.ask('POST', '/api/extras/event-rules/', {
    name: 'rule',
    object_types: ['dcim.site'],
    event_types: ['object_created', 'object_updated', 'object_deleted'],
    action_type: 'webhook',
    action_object_type: 'extras.webhook',
    action_object_id: webhook?.json.id,
  })

  let count = 0
  let kills = 0
  let disturbance: Promise<void> = Promise.resolve()
  const disturb = async () => {
    await service.kill()
    if (kills !== 1) return
    await receiver.goAway()
    await sleep(SIZE.away)
    await receiver.come()
  }
  const afterWrite = () => {
    count += 1
    if (kills >= SIZE.kills || count < ((kills + 1) * SIZE.writes) / (SIZE.kills + 1)) return
    kills += 1
    disturbance = disturbance.then(disturb)
  }
  const ledgers = await Promise.all(
    Array.from({ length: SIZE.clients }, (_, client) => write(service, client, SIZE.writes / SIZE.clients, afterWrite)),
  )
  await disturbance
  expect(kills).toBe(SIZE.kills)
  await eventually(async () => {
    for (const status of ['queued', 'retrying']) {
      const path = `/api/extras/webhook-deliveries/?status=${status}&limit=1`
      expect((await service.ask('GET', path))?.json.count).toBe(0)
    }
    const arrived = new Set(receiver.arrivals.map(({ site, number }) => `${site} ${number}`))
    const missing = ledgers.flat().filter(([site, number]) => !arrived.has(`${site} ${number}`))
    expect(missing).toEqual([])
  })
  check(receiver.arrivals, ledgers.flat())
})

function check(arrivals: readonly Arrival[], acknowledged: readonly Change[]): void {
  expect(acknowledged.length).toBeGreaterThan(SIZE.writes / 2)
  expect(arrivals.filter(({ text }) => text === ROLLED_BACK)).toEqual([])
  const ids = new Map<string, string>()
  const numbers = new Map<string, number>()
  for (const { id, site, number } of arrivals) {
    const change = `${site} ${number}`
    expect(id).toBe(ids.get(change) ?? id)
    ids.set(change, id)
    expect(number).toBeGreaterThanOrEqual(numbers.get(site) ?? 0)
    numbers.set(site, number)
  }
  expect(new Set(ids.values()).size).toBe(ids.size)
  const repeats = arrivals.length - ids.size
  console.log(`${acknowledged.length} acknowledged changes, ${ids.size} arrived, ${repeats} requests repeated`)
}
