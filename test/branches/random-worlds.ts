import { expect } from 'vitest'
import type { Json } from '../../src/schema/json.ts'
import type { Api, ApiAnswer, Document } from '../support/api.ts'
import type { Hold, Item, Key, State } from './merge-model.ts'

interface Kind {
  readonly path: string
  readonly type: string
  /** The text by which the objects of a world are found; it begins with the mark of the world. */
  readonly mark: string
  readonly values: readonly string[]
  readonly references: Readonly<Record<string, readonly [kind: KindName, hold: Hold]>>
  readonly isTagged: boolean
}

export type KindName = 'tag' | 'field' | 'region' | 'site' | 'device' | 'interface' | 'cable' | 'vlan' | 'prefix'

const plain = { mark: 'name', references: {}, isTagged: false }
const tagged = { ...plain, isTagged: true }
const end = ['interface', 'deleted'] as const

export const KINDS: Readonly<Record<KindName, Kind>> = {
  tag: { ...plain, path: 'extras/tags', type: 'extras.tag', values: ['name', 'slug', 'description'] },
  field: { ...plain, path: 'extras/custom-fields', type: 'extras.customfield', mark: '', values: ['name'] },
  region: {
    ...{ ...plain, path: 'dcim/regions', type: 'dcim.region', values: ['name', 'slug', 'description'] },
    references: { parent: ['region', 'deleted'] },
  },
  site: {
    ...{ ...tagged, path: 'dcim/sites', type: 'dcim.site', values: ['name', 'slug', 'description', 'facility'] },
    references: { region: ['region', 'cleared'] },
  },
  device: {
    ...{ ...tagged, path: 'dcim/devices', type: 'dcim.device', values: ['name', 'serial', 'description'] },
    references: { site: ['site', 'protects'] },
  },
  interface: {
    ...{ ...tagged, path: 'dcim/interfaces', type: 'dcim.interface', values: ['name', 'description'] },
    references: { device: ['device', 'deleted'] },
  },
  cable: {
    ...{ ...tagged, path: 'dcim/cables', type: 'dcim.cable', mark: 'label', values: ['label', 'description'] },
    references: { a_terminations: end, b_terminations: end },
  },
  vlan: {
    ...{ ...tagged, path: 'ipam/vlans', type: 'ipam.vlan', values: ['name', 'vid', 'description'] },
    references: { site: ['site', 'protects'] },
  },
  prefix: {
    ...{ ...tagged, path: 'ipam/prefixes', type: 'ipam.prefix', mark: 'description' },
    ...{ values: ['prefix', 'description'], references: { vlan: ['vlan', 'cleared'] } },
  },
}
export const NAMES = Object.keys(KINDS) as readonly KindName[]

export const keyOf = (kind: KindName, id: unknown): Key => `${kind} ${id}`
export const kindOf = (key: Key): KindName => key.split(' ')[0] as KindName // by keyOf
export const pathOf = (key: Key): string => `${KINDS[kindOf(key)].path}/${key.split(' ')[1]}`
export const keyOfObject = (type: unknown, id: unknown): Key | undefined => {
  const kind = NAMES.find((name) => KINDS[name].type === String(type))
  return kind && keyOf(kind, id)
}
export const holdOf = (key: Key, reference: string): Hold => KINDS[kindOf(key)].references[reference]?.[1] ?? 'cleared'

/** Main or a branch, through one of the services. */
export class Side {
  readonly #api: Api
  readonly #headers: Readonly<Record<string, string>>

  constructor(api: Api, headers: Readonly<Record<string, string>> = {}) {
    this.#api = api
    this.#headers = headers
  }

  async ask(method: string, path: string, body?: unknown): Promise<ApiAnswer> {
    const answer = await this.#api.ask(method, `/api/${path}`, { body, headers: this.#headers })
    expect(answer.status, `${method} ${path} ${JSON.stringify(body)} ${answer.text}`).toBeLessThan(500)
    return answer
  }

  /** Creates objects with one request. */
  async make(kind: KindName, bodies: readonly object[]): Promise<readonly Key[]> {
    const { status, text } = await this.ask('POST', `${KINDS[kind].path}/`, bodies)
    expect(status, text).toBe(201)
    return (JSON.parse(text) as readonly Document[]).map(({ id }) => keyOf(kind, id))
  }

  /** All objects of a world. */
  async read(mark: string): Promise<State> {
    const lists = await Promise.all(NAMES.map((name) => this.#list(name, mark)))
    const fields = new Map([...(lists[NAMES.indexOf('field')] ?? [])].map(({ id, name }) => [String(name), Number(id)]))
    return new Map(
      NAMES.flatMap((kind, index) =>
        [...(lists[index] ?? [])].map((object) => [keyOf(kind, object.id), itemOf(kind, object, fields)] as const),
      ),
    )
  }

  async #list(name: KindName, mark: string) {
    const { path, mark: field } = KINDS[name]
    const filter = field === '' ? '' : `&${field}__isw=${mark}-`
    return (await this.ask('GET', `${path}/?limit=0${filter}`)).json.results
  }
}

function itemOf(kind: KindName, object: Document, fields: ReadonlyMap<string, number>): Item {
  const { values, references, isTagged } = KINDS[kind]
  const custom = kind === 'site' ? Object.entries(object.custom_fields ?? {}) : []
  return {
    values: Object.fromEntries([
      ...values.map((name) => [name, (object[name] ?? null) as Json] as const),
      ...custom.map(([name, value]) => [`custom ${fields.get(name)}`, (value as unknown) || null] as const),
    ]) as Record<string, Json>,
    references: Object.fromEntries(
      Object.entries(references).map(([name, [to]]) => {
        const target = name.endsWith('_terminations') ? object[name]?.[0]?.object_id : object[name]?.id
        return [name, target === undefined ? null : keyOf(to, target)]
      }),
    ),
    tags: new Set(isTagged ? [...(object.tags ?? [])].map(({ id }) => keyOf('tag', id)) : []),
  }
}

/** The objects with which a world begins. */
export async function beginWorld(
  main: Side,
  mark: string,
  common: { readonly device_type: number; readonly role: number },
) {
  const named = (name: string, more: object = {}) => ({ name: `${mark}-${name}`, slug: `${mark}-${name}`, ...more })
  const id = (key: Key | undefined) => Number(key?.split(' ')[1])
  const [blue, red] = await main.make('tag', [named('blue'), named('red')])
  const tags = [id(blue)]
  const [north, south] = await main.make('region', [named('north'), named('south')])
  await main.make('region', [named('harbour', { parent: id(north) })])
  const sites = await main.make('site', [
    named('a', { region: id(north), tags }),
    named('b', { region: id(south), tags: [...tags, id(red)] }),
    named('c'),
  ])
  const devices = await main.make(
    'device',
    sites.slice(0, 2).map((site, index) => ({ name: `${mark}-d${index}`, site: id(site), ...common, tags })),
  )
  const ports = await main.make(
    'interface',
    devices.flatMap((device) => [0, 1].map((n) => ({ device: id(device), name: `${mark}-p${n}`, type: '1000base-t' }))),
  )
  await main.make('cable', [{ label: `${mark}-x`, ...endsAt(id(ports[0]), id(ports[2])) }])
  const vlans = await main.make(
    'vlan',
    [1, 2, 3].map((vid) => ({ vid, name: `${mark}-v${vid}`, site: id(sites[vid - 1]), tags })),
  )
  await main.make(
    'prefix',
    [1, 2].map((n) => ({ prefix: networkOf(mark, n), description: `${mark}-`, vlan: id(vlans[n - 1]), tags })),
  )
}

/** A network that no other world of the database has. */
const networkOf = (mark: string, n: number) => `10.${Number(mark.slice(1)) % 250}.${n}.0/24`

const endAt = (object_id: number) => [{ object_type: 'dcim.interface', object_id }]
export const endsAt = (a: number, b: number) => ({ a_terminations: endAt(a), b_terminations: endAt(b) })

/** A random write to a world, which may be refused. Returns the answer. */
export async function writeAtRandom(
  side: Side,
  {
    state,
    mark,
    focus,
    name,
    random,
  }: {
    readonly state: State
    readonly mark: string
    /** The kind to which more than half of the writes go, so that both sides change the same objects. */
    readonly focus: KindName
    /** Of the side, in the values that it writes. */
    readonly name: string
    readonly random: (limit: number) => number
  },
): Promise<ApiAnswer> {
  const any = <T>(list: readonly T[]): T | undefined => list[random(list.length)]
  const keys = [...state.keys()]
  const keysOf = (kind: KindName) => keys.filter((key) => kindOf(key) === kind)
  const idOf = (kind: KindName) => Number(any(keysOf(kind))?.split(' ')[1])
  const key = any(random(5) < 3 && keysOf(focus).length > 0 ? keysOf(focus) : keys) ?? ''
  const { references, values, isTagged } = KINDS[kindOf(key)]
  const path = `${pathOf(key)}/`
  const text = `${mark}-${name}${random(3)}`
  const unique = `${mark}-${name}${random(1e9)}`
  switch (random(9)) {
    case 0:
      if (kindOf(key) === 'field') break
      return await side.ask('DELETE', path)
    case 1: {
      const kind = any(['site', 'region', 'interface', 'cable', 'vlan'] as const) ?? 'site'
      const body = {
        site: { name: unique, slug: unique, region: idOf('region') },
        region: { name: unique, slug: unique, parent: idOf('region') },
        interface: { name: unique, device: idOf('device'), type: '1000base-t' },
        cable: { label: unique, ...endsAt(idOf('interface'), idOf('interface')) },
        vlan: { name: unique, vid: 10 + random(4000), site: idOf('site') },
      }[kind as 'site']
      return await side.ask('POST', `${KINDS[kind].path}/`, body)
    }
    case 2:
    case 3: {
      const [field, to] = any(Object.entries(references)) ?? []
      if (!field || !to) break
      const id = idOf(to[0])
      return await side.ask('PATCH', path, { [field]: field.endsWith('_terminations') ? endAt(id) : id })
    }
    case 4:
      if (isTagged) {
        const tags = keysOf('tag').filter(() => random(2) === 0)
        return await side.ask('PATCH', path, { tags: tags.map((tag) => Number(tag.split(' ')[1])) })
      }
      break
    case 5: {
      const site = any(keysOf('site'))
      const field = state.get(any(keysOf('field')) ?? '')
      if (site && field)
        return await side.ask('PATCH', `${pathOf(site)}/`, { custom_fields: { [String(field.values.name)]: text } })
    }
  }
  if (kindOf(key) === 'field') return await side.ask('PATCH', path, { name: `cf_${name}${random(1e9)}` })
  const field = any(values) ?? ''
  const value = {
    name: unique,
    slug: unique,
    label: unique,
    vid: 10 + random(4000),
    prefix: networkOf(mark, random(250)),
  }
  return await side.ask('PATCH', path, { [field]: field in value ? value[field as 'name'] : text })
}

/** Exchanges unique values in a circle: slugs of sites, or numbers of VLANs. */
export async function rotate(side: Side, state: State, kind: 'site' | 'vlan' | 'tag', mark: string): Promise<void> {
  const [field, free] = kind === 'vlan' ? (['vid', 4090] as const) : (['slug', `${mark}-free`] as const)
  const items = [...state].filter(([key]) => kindOf(key) === kind)
  const [first] = items
  if (!first || items.length < 2) return
  const set = (key: Key, value: Json | undefined) => side.ask('PATCH', `${pathOf(key)}/`, { [field]: value })
  await set(first[0], free)
  for (const [index, [key]] of items.entries()) if (index > 0) await set(key, items[index - 1]?.[1].values[field])
  await set(first[0], items.at(-1)?.[1].values[field])
}
