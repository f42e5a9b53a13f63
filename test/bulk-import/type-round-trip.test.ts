import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, type Document, startApi } from '../support/api.ts'

/** Numbers from 0 to 1, always the same ones. */
function generatorOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

const TEXTS = [
  ...['', '', '08', '12E4', 'yes', 'null', '~', '1.0', 'a: b', '# no comment', "it's", '{module}'],
  ...['"quoted"', '- item', 'Übersee', '0x1F', '2026-01-01', '[list]', 'two\nlines', '*alias'],
]

/** Kinds of components with the fields of a body; `of`: names of components that were created before. */
const KINDS: readonly (readonly [
  list: string,
  fields: (pick: Pick, of: (list: string) => readonly string[]) => object,
])[] = [
  ['console-port', (pick) => ({ type: pick(['', 'rj-45', 'usb-c']) })],
  ['console-server-port', (pick) => ({ type: pick(['', 'de-9']) })],
  [
    'power-port',
    (pick) => ({
      type: pick(['iec-60320-c14', 'nema-5-15p']),
      maximum_draw: pick([null, 500]),
      allocated_draw: pick([null, 250]),
    }),
  ],
  [
    'power-outlet',
    (pick, of) => ({
      type: pick(['iec-60320-c13']),
      color: pick(['', 'ff0000', '112233']),
      feed_leg: pick([null, 'A', 'C']),
      power_port: pick([null, ...of('power-port')]),
    }),
  ],
  [
    'interface',
    (pick) => ({
      ...pick([
        { type: '1000base-t', poe_mode: 'pse', poe_type: 'type1-ieee802.3af' },
        { type: 'bridge' },
        { type: 'ieee802.11ac', rf_role: 'ap' },
      ]),
      enabled: pick([true, false]),
      mgmt_only: pick([true, false]),
    }),
  ],
  ['rear-port', (pick) => ({ type: pick(['lc', 'mpo']), positions: 12, color: pick(['', '00ff00']) })],
  ['front-port', (pick) => ({ type: pick(['lc', 'sc']), positions: 4, color: pick(['', '0000ff']) })],
  ['module-bay', (pick) => ({ position: pick(TEXTS).slice(0, 30), enabled: pick([true, false]) })],
  ['device-bay', (pick) => ({ enabled: pick([true, false]) })],
]

type Pick = <T>(list: readonly T[]) => T

/** Values that do not matter for the equality of two types. */
const IDENTITY = /^(id|url|display_url|created|last_updated|.*_count|_depth|display)$/

describe('an export of types', () => {
  let api: Api
  let owners: Record<'device_type' | 'module_type', string>

  const create = async (path: string, body: unknown): Promise<Document> => {
    const { status, json, text } = await api.ask('POST', `/api/${path}/`, { body })
    expect(status, `${JSON.stringify(body)} ${text}`).toBe(201)
    return json
  }
  const listOf = async (path: string): Promise<readonly Document[]> =>
    (await api.ask('GET', `/api/${path}${path.includes('?') ? '&' : '/?'}limit=1000`)).json.results ?? []

  beforeAll(async () => {
    api = await startApi()
    await create('dcim/manufacturers', { name: 'Acme', slug: 'acme' })
    await create('dcim/inventory-item-roles', { name: 'Fan', slug: 'fan' })
    await create('dcim/platforms', { name: 'OS 1.0', slug: 'os' })
    await create('extras/tags', { name: '08', slug: '08' })
    await create('users/owners', {
      name: 'Net',
      group: (await create('users/owner-groups', { name: 'G' })).id,
    })
    await create('dcim/module-type-profiles', { name: 'CPU', schema: {} })
    for (const [name, type] of [
      ['note', 'text'],
      ['doc', 'json'],
    ]) {
      await create('extras/custom-fields', {
        ...{ name, type },
        object_types: ['dcim.devicetype', 'dcim.moduletype'],
      })
    }
    owners = { device_type: 'dcim/device-types', module_type: 'dcim/module-types' }
  })
  afterAll(() => api.close())

  async function makeType(via: 'device_type' | 'module_type', seed: number): Promise<void> {
    const random = generatorOf(seed * 7919 + 17)
    const pick: Pick = (list) => list[Math.floor(random() * list.length)] as (typeof list)[number]
    const text = (most: number): string => pick(TEXTS).replaceAll('\n', ' ').slice(0, most)
    const weight = pick([null, 1.5, 12])
    const type = await create(owners[via], {
      ...{ manufacturer: 1, model: `${pick(TEXTS).replaceAll('\n', ' ')} ${seed}` },
      ...{ part_number: text(50), description: text(200), comments: pick(TEXTS) },
      ...{ weight, weight_unit: weight === null ? null : 'kg', airflow: pick([null, 'passive']) },
      ...{ tags: pick([[], [1]]), owner: pick([null, 1]) },
      custom_fields: { note: pick([null, '12E4', 'yes']), doc: pick([null, { a: [1, 'x'] }]) },
      ...(via === 'device_type'
        ? {
            ...{ slug: `t${seed}`, u_height: pick([0, 1, 2.5]), subdevice_role: 'parent' },
            ...{ is_full_depth: pick([true, false]), default_platform: pick([null, 1]) },
            exclude_from_utilization: pick([true, false]),
          }
        : pick([{ profile: 1, attributes: { cores: 8, name: '08' } }, { profile: null }])),
    })
    const ids = new Map<string, readonly { readonly name: string; readonly id: number }[]>()
    const of = (list: string) => (ids.get(list) ?? []).map(({ name }) => name)
    for (const [kind, fields] of KINDS) {
      if (kind === 'device-bay' && via === 'module_type') continue
      const bodies = Array.from({ length: Math.floor(random() * 5) }, (_, index) => {
        const { power_port, ...rest } = { power_port: undefined, ...fields(pick, of) }
        const port = (ids.get('power-port') ?? []).find(({ name }) => name === power_port)
        return {
          ...{
            [via]: type.id,
            name: `${text(20)}${index}`,
            label: text(64),
            description: text(200),
          },
          ...rest,
          ...(port && { power_port: port.id }),
        }
      })
      if (bodies.length === 0) continue
      const made = await create(`dcim/${kind}-templates`, bodies)
      ids.set(
        kind,
        made.map(({ id, name }) => ({ id: Number(id), name: String(name) })),
      )
    }
    const [first, ...others] = ids.get('interface') ?? []
    for (const other of others) {
      // In ascending and descending order of names.
      const [bridge, bridged] = random() < 0.5 ? [first, other] : [other, first]
      if (random() < 0.3) continue
      await api.ask('PATCH', `/api/dcim/interface-templates/${bridged?.id}/`, {
        body: { bridge: bridge?.id },
      })
      if (bridged === first) break
    }
    const free = (ids.get('rear-port') ?? []).flatMap(({ id }) =>
      Array.from({ length: 12 }, (_, index) => ({ rear_port: id, rear_port_position: index + 1 })),
    )
    for (const { id } of ids.get('front-port') ?? []) {
      const rear_ports = [1, 2, 3, 4].flatMap((position) => {
        const [taken] = random() < 0.7 ? free.splice(Math.floor(random() * free.length), 1) : []
        return taken ? [{ position, ...taken }] : []
      })
      const answer = await api.ask('PATCH', `/api/dcim/front-port-templates/${id}/`, {
        body: { rear_ports },
      })
      expect(answer.status, answer.text).toBe(200)
    }
    if (via === 'device_type') await makeItems(Number(type.id), { pick, text, ids })
  }

  /** A tree of items in which parents and children share names. */
  async function makeItems(
    device_type: number,
    {
      pick,
      text,
      ids,
    }: {
      readonly pick: Pick
      readonly text: (most: number) => string
      readonly ids: ReadonlyMap<string, readonly { readonly id: number }[]>
    },
  ): Promise<void> {
    const parents: (number | null)[] = [null]
    for (const [index, name] of ['Slot', 'Fan', '08', 'Fan', 'Fan', 'Slot'].entries()) {
      const parent = pick(parents)
      const component = pick([undefined, ...(ids.get('interface') ?? [])])
      const { status, json } = await api.ask('POST', '/api/dcim/inventory-item-templates/', {
        body: {
          ...{
            device_type,
            parent,
            name,
            label: text(64),
            part_id: text(50),
            role: pick([null, 1]),
          },
          ...{ manufacturer: pick([null, 1]), description: `${index}` },
          ...(component && {
            component_type: 'dcim.interfacetemplate',
            component_id: component.id,
          }),
        },
      })
      // Children of one item must not share a name.
      if (status === 201) parents.push(Number(json.id))
    }
  }

  /** All types with their components, without ids: names instead of references. */
  async function inventoryOf(via: 'device_type' | 'module_type'): Promise<unknown> {
    const types = await listOf(owners[via])
    const names = new Map<string, string>()
    const lists = new Map<string, readonly Document[]>()
    for (const kind of [...KINDS.map(([kind]) => kind), 'inventory-item']) {
      const components = await listOf(`dcim/${kind}-templates`)
      lists.set(kind, components)
      for (const { id, name } of components) names.set(`${kind} ${id}`, String(name))
    }
    const pathOf = (id: unknown): string => {
      const item = lists.get('inventory-item')?.find((each) => Number(each.id) === Number(id))
      return item ? `${item.parent == null ? '' : pathOf(item.parent)}/${item.name}` : ''
    }
    const plain = (kind: string, value: unknown, key = ''): unknown => {
      if (key === 'parent') return pathOf(value)
      if (key === 'component_id') return names.get(`interface ${value}`)
      if (key === 'rear_port' || key === 'front_port') return names.get(`${key.replace('_', '-')} ${value}`)
      if (Array.isArray(value)) return value.map((item) => plain(kind, item))
      if (typeof value !== 'object' || value === null) return value
      return Object.fromEntries(
        Object.entries(value)
          .filter(([name]) => !IDENTITY.test(name))
          .map(([name, part]) => [name, plain(kind, part, name)]),
      )
    }
    const sorted = (list: readonly unknown[]): readonly unknown[] =>
      list.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1))
    return sorted(
      types.map((type) => ({
        type: plain('', type),
        components: [...lists].map(([kind, components]) => [
          kind,
          sorted(
            components.filter((each) => Number(each[via]?.id) === Number(type.id)).map((each) => plain(kind, each)),
          ),
        ]),
      })),
    )
  }

  test.each(['device_type', 'module_type'] as const)(
    'creates equal types when it is imported: %s',
    async (via) => {
      for (let seed = 1; seed <= 15; seed++) await makeType(via, seed)
      const before = await inventoryOf(via)
      const { text } = await api.ask('GET', `/${owners[via]}/?export`)
      const ids = (await listOf(owners[via])).map(({ id }) => ({ id }))
      expect((await api.ask('DELETE', `/api/${owners[via]}/`, { body: ids })).status).toBe(204)
      const body = new FormData()
      body.set('data', text)
      body.set('format', 'yaml')
      const answer = await api.ask('POST', `/${owners[via]}/import/`, { body })
      const faults = answer.text.match(/cell-error">[^<]*|<p>[^<]*/g) ?? []
      expect([answer.status, faults.slice(0, 10)], text).toEqual([303, []])
      expect(await inventoryOf(via)).toEqual(before)
    },
    120_000,
  )
})
