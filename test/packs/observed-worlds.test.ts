import { expect, it, onTestFinished } from 'vitest'
import { openPostgres } from '../../src/db/postgres.ts'
import { type Api, apiOfTest, type Document, startApiOver } from '../support/api.ts'
import { databaseUrlOfTest } from '../support/database.ts'
import { type DiodeClient, diodeClient, type Entity } from '../support/diode.ts'

/** Numbers from 0 to `below`, the same for each seed. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

/** A network whose devices are renamed, moved and changed. */
class Network {
  readonly #random: (below: number) => number
  readonly #devices: { name: string; serial: string; site: string; description: string; mtus: number[] }[] = []

  constructor(random: (below: number) => number) {
    this.#random = random
  }

  change(): void {
    const device = this.#devices[this.#random(this.#devices.length)]
    const kind = this.#random(6)
    if (!device || kind < 2) {
      const number = this.#devices.length
      this.#devices.push({
        name: `sw${number}`,
        serial: `S${number}`,
        site: `Site ${this.#random(2)}`,
        description: '',
        mtus: [1500, 1500],
      })
    } else if (kind === 2) device.name = `${device.name}x`
    else if (kind === 3) device.site = `Site ${this.#random(3)}`
    else if (kind === 4) device.description = `Text ${this.#random(3)}`
    else device.mtus = device.mtus.map(() => 1500 + this.#random(3))
  }

  /** What a discovery of some devices finds, in any order. */
  discovery(): readonly Entity[] {
    return this.#devices
      .filter(() => this.#random(3) > 0)
      .flatMap(({ name, serial, site, description, mtus }): Entity[] => {
        const nested = { name, site: { name: site } }
        const device = {
          ...nested,
          serial,
          description,
          role: { name: 'Switch' },
          status: 'active',
          device_type: { model: 'M1', manufacturer: { name: 'Maker' } },
        }
        return [
          { device },
          ...mtus.map((mtu, index) => ({
            interface: { device: nested, name: `eth${index}`, type: '1000base-t', enabled: true, mtu },
          })),
          {
            ip_address: {
              address: `192.0.2.${Number(serial.slice(1)) + 1}/24`,
              assigned_object_interface: { device: nested, name: 'eth0' },
            },
          },
        ]
      })
      .map((entity) => ({ entity, place: this.#random(1_000) }))
      .sort((one, other) => one.place - other.place)
      .map(({ entity }) => entity)
  }
}

const differences = async ({ ask }: Api): Promise<readonly Document[]> =>
  (await ask('GET', '/api/plugins/observed/drift/?limit=0')).json.results ?? []

const inWords = async (api: Api) =>
  (await differences(api))
    .map(({ observation, kind, change, field, observed, current, object_id }) =>
      JSON.stringify([observation?.id, kind, change, field, observed, current, object_id]),
    )
    .sort()

/** The differences after every observation has been compared again: other defaults of a source demand that. */
async function compared(api: Api): Promise<readonly string[]> {
  const { json } = await api.ask('GET', '/api/plugins/observed/sources/')
  for (const { id } of json.results ?? []) {
    const { status } = await api.ask('PATCH', `/api/plugins/observed/sources/${id}/`, {
      body: { description: crypto.randomUUID() },
    })
    expect(status).toBe(200)
  }
  return await inWords(api)
}

/** A change by a person. */
async function edit(api: Api, random: (below: number) => number): Promise<void> {
  const path = ['dcim/devices', 'dcim/interfaces', 'dcim/sites', 'ipam/ip-addresses'][random(4)]
  const { json } = await api.ask('GET', `/api/${path}/?limit=0&ordering=id`)
  const object = json.results?.[random(json.results.length)]
  if (!object) return
  const at = `/api/${path}/${object.id}/`
  if (random(4) === 0) await api.ask('DELETE', at)
  else if (path === 'dcim/sites') await api.ask('PATCH', at, { body: { name: `${object.name} renamed` } })
  else await api.ask('PATCH', at, { body: { description: `Person ${random(3)}` } })
}

async function live(api: Api, client: DiodeClient, seed: number): Promise<void> {
  const random = randomNumbers(seed)
  const network = new Network(random)
  for (let step = 0; step < 25; step++) {
    network.change()
    const entities = network.discovery()
    await client.send(entities)
    // A client that has lost the response repeats its request.
    if (random(3) === 0) {
      const before = await inWords(api)
      await client.send(entities)
      expect(await inWords(api), `step ${step}: a repeated request`).toEqual(before)
    }
    if (random(2) === 0) await edit(api, random)
    if (random(4) === 0) await acceptAll(api, `step ${step}`)
    const stored = await inWords(api)
    expect(stored, `step ${step}`).toEqual(await compared(api))
  }
  await acceptAll(api, 'the end')
}

async function acceptAll(api: Api, when: string): Promise<void> {
  const ids = (await differences(api)).map(({ id }) => id)
  if (ids.length === 0) return
  const { status, text } = await api.ask('POST', '/api/plugins/observed/drift/accept/', { body: { ids } })
  expect(status, `${when}: ${text}`).toBe(200)
  expect(await inWords(api), when).toEqual([])
}

it.each([1, 2, 3, 4])(
  'stored differences are those of a full comparison, and accepting all leaves none (seed %d)',
  async (seed) => {
    const api = await apiOfTest({ PACKS: 'observed' })
    await live(api, await diodeClient(api), seed)
  },
)

/** A device as it was last observed. */
interface Seen {
  readonly name: string
  readonly serial: string
  readonly description: string
  readonly mtus: readonly number[]
}

/** The differences that a reader of the API would find: by the serial number, then by the names of ports. */
async function expected({ ask }: Api, seen: readonly Seen[]): Promise<readonly string[]> {
  const list = async (path: string): Promise<readonly Document[]> =>
    (await ask('GET', `/api/${path}/?limit=0`)).json.results ?? []
  const [devices, ports] = [await list('dcim/devices'), await list('dcim/interfaces')]
  return seen
    .flatMap(({ serial, name, description, mtus }) => {
      const device = devices.find((row) => String(row.serial) === serial)
      if (!device) return [`${name} new`, ...mtus.map((_, index) => `${name} eth${index} new`)]
      const values = { name, description }
      return [
        ...Object.entries(values).flatMap(([field, value]) =>
          String(device[field]) === value ? [] : [`${name} ${field}`],
        ),
        ...mtus.flatMap((mtu, index) => {
          const found = ports.find((other) => other.device?.id === device.id && String(other.name) === `eth${index}`)
          if (!found) return [`${name} eth${index} new`]
          return Number(found.mtu) === mtu ? [] : [`${name} eth${index} mtu`]
        }),
      ]
    })
    .sort()
}

const entitiesOf = ({ name, serial, description, mtus }: Seen): readonly Entity[] => {
  const nested = { name, site: { name: 'Lab' } }
  const type = { model: 'M1', manufacturer: { name: 'Maker' } }
  return [
    { device: { ...nested, serial, description, role: { name: 'Switch' }, status: 'active', device_type: type } },
    ...mtus.map((mtu, index) => ({
      interface: { device: nested, name: `eth${index}`, type: '1000base-t', enabled: true, mtu },
    })),
  ]
}

/** Stored differences of devices and ports, in the words of `expected`. */
const stored = async (api: Api, source: string) => {
  const items = (await differences(api)).filter(
    ({ kind, source: from }) => String(from?.name) === source && /device$|interface$/.test(String(kind)),
  )
  const { json } = await api.ask('GET', '/api/plugins/observed/objects/?limit=0')
  const parents = new Map((json.results ?? []).map(({ id, parent }) => [id, parent?.label]))
  return items
    .map(({ kind, observation, change, field }) => {
      const label = String(observation?.label)
      const object = String(kind) === 'dcim.interface' ? `${parents.get(observation?.id as never)} ${label}` : label
      return `${object} ${String(change) === 'changed' ? field : change}`
    })
    .sort()
}

it.each([1, 2])(
  'observers at two processes double nothing, and each sees what a reader of the API would (seed %d)',
  async (seed) => {
    const url = await databaseUrlOfTest('migrated')
    const nodes: Api[] = []
    for (let count = 0; count < 2; count++) {
      const node = await startApiOver(openPostgres({ url, poolSize: 6, statementTimeout: 0 }), { PACKS: 'observed' })
      onTestFinished(() => node.close())
      nodes.push(node)
    }
    const [one, two] = nodes
    if (!one || !two) throw new Error('There are two nodes')
    const random = randomNumbers(seed)
    const client = await diodeClient(one)
    const network: Seen[] = Array.from({ length: 5 }, (_, index) => ({
      ...{ name: `sw${index}`, serial: `S${index}`, description: '', mtus: [1500, 1500] },
    }))
    const last = new Map<string, Map<string, Seen>>()
    for (let step = 0; step < 12; step++) {
      const index = random(network.length)
      const device = network[index]
      if (!device) continue
      const changed = [
        { ...device, name: `${device.name}x` },
        { ...device, description: `Text ${random(3)}` },
        { ...device, mtus: device.mtus.map(() => 1500 + random(3)) },
      ]
      network[index] = changed[random(3)] ?? device
      // Both sources, and one of them at both nodes at the same time, as if a response had been lost.
      await Promise.all(
        ['east', 'west', 'east'].map(async (producer, place) => {
          const found = producer === 'east' ? network : network.filter(({ serial }) => serial !== 'S0')
          const seen = last.get(producer) ?? new Map<string, Seen>()
          for (const device of found) seen.set(device.serial, device)
          last.set(producer, seen)
          const entities = found.flatMap(entitiesOf)
          await client.send(place === 0 ? entities : entities.toReversed(), {
            producer,
            url: nodes[place % 2]?.url ?? '',
          })
        }),
      )
      const node = random(2) === 0 ? one : two
      if (random(2) === 0) {
        const { json } = await node.ask('GET', '/api/dcim/interfaces/?limit=0')
        const object = json.results?.[random(json.results.length)]
        const path = `/api/dcim/interfaces/${object?.id}/`
        if (object)
          await (random(2) === 0 ? node.ask('DELETE', path) : node.ask('PATCH', path, { body: { mtu: 1600 } }))
      }
      if (step % 3 === 2) {
        const accepted = await node.ask('POST', '/api/plugins/observed/drift/accept/?status=open')
        expect([200, 400], accepted.text).toContain(accepted.status)
      }
      for (const [producer, seen] of last) {
        expect(await stored(node, producer), `step ${step}, ${producer}`).toEqual(
          await expected(node, [...seen.values()]),
        )
      }
    }
    await acceptAll(two, 'the end')
    expect(await differences(one)).toEqual([])
    const { json } = await one.ask('GET', '/api/dcim/devices/')
    expect([json.count, (await one.ask('GET', '/api/dcim/interfaces/')).json.count]).toEqual([5, 10])
  },
)
