import { expect, it } from 'vitest'
import { type Api, apiOfTest, type Document } from '../support/api.ts'
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
