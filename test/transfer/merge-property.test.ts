import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, expect, it } from 'vitest'
import { modelRegistry } from '../../src/app/core.ts'
import { readSettings } from '../../src/config/settings.ts'
import { createService } from '../../src/service.ts'
import { totalsOf } from '../../src/transfer/counterparts/plan.ts'
import { exportDataSet } from '../../src/transfer/export-directory.ts'
import { importDataSet, planImport } from '../../src/transfer/import-directory.ts'
import { databaseOfTest } from '../support/database.ts'

/** Pairs of databases per run. */
const PAIRS = 6

type Item = Readonly<Record<string, unknown>> & { readonly id: number }
type DataSet = Map<string, Item[]>

const root = mkdtempSync(join(tmpdir(), 'cadastre-pairs-'))
afterAll(() => rmSync(root, { recursive: true }))

/** Numbers that depend only on the seed (mulberry32). */
function random(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296) * below)
  }
}

/** A small network with references of every kind; names and ids overlap with those of other seeds. */
function network(seed: number): DataSet {
  const draw = random(seed)
  const set: DataSet = new Map()
  const custom = { custom_fields: {}, tags: [] }
  let time = seed * 1000
  const add = (endpoint: string, names: readonly string[], make: (name: string) => Record<string, unknown>): Item[] => {
    const chosen = names.filter(() => draw(3) > 0)
    const ids = [...Array(names.length + 2).keys()].map((id) => id + 1)
    const items = (chosen.length > 0 ? chosen : names.slice(0, 1)).map((name) => {
      const [id = 0] = ids.splice(draw(ids.length), 1)
      time += 1
      const created = new Date(1_700_000_000_000 + time * 1001).toISOString().replace('Z', '001Z')
      return { id, created, last_updated: created, ...make(name) }
    })
    set.set(endpoint, items)
    return items
  }
  const one = (items: readonly Item[]): { readonly id: number } => ({ id: items[draw(items.length)]?.id ?? 0 })
  const maybe = (items: readonly Item[]) => (draw(3) === 0 ? null : one(items))
  const text = () => ['', '', 'x', 'y'][draw(4)]
  const tags = add('extras/tags', ['red', 'green', 'blue'], (name) => ({ name, slug: name, description: text() }))
  add('extras/custom-fields', ['twin'], (name) => ({
    ...{ name, type: { value: 'object' }, object_types: ['dcim.site'], related_object_type: 'dcim.site' },
  }))
  const regions = add('dcim/regions', ['north', 'south', 'east'], (name) => ({ name, slug: name, ...custom }))
  const sites = add('dcim/sites', ['HQ', 'Depot', 'Pier', 'Tower'], (name) => ({
    ...{ name, slug: name.toLowerCase(), status: { value: 'active' }, region: maybe(regions), description: text() },
    ...{ tags: draw(2) === 0 ? [] : [one(tags)], custom_fields: {} },
  }))
  for (const [index, site] of sites.entries()) {
    sites[index] = { ...site, custom_fields: { twin: maybe(sites) } }
  }
  const children = add('dcim/locations', ['hall', 'attic', 'cellar'], (name) => ({
    ...{ name, slug: name, site: one(sites), status: { value: 'active' }, ...custom },
  }))
  for (const [index, child] of children.entries()) {
    const above = children.slice(0, index).filter((parent) => same(parent.site, child.site))
    children[index] = { ...child, parent: above.length > 0 ? maybe(above) : null }
  }
  const makers = add('dcim/manufacturers', ['Acme', 'Umbra'], (name) => ({ name, slug: name.toLowerCase(), ...custom }))
  const types = add('dcim/device-types', ['T1', 'T2'], (model) => ({
    ...{ model, slug: model.toLowerCase(), manufacturer: one(makers), u_height: 1, ...custom },
  }))
  const roles = add('dcim/device-roles', ['switch', 'router'], (name) => ({
    name,
    slug: name,
    color: 'aaaaaa',
    ...custom,
  }))
  const devices = add('dcim/devices', ['d1', 'd2', 'd3', 'd4'], (name) => ({
    ...{ name, site: one(sites), device_type: one(types), role: one(roles), status: { value: 'active' } },
    ...{ serial: text(), custom_fields: {}, tags: draw(2) === 0 ? [] : [one(tags)] },
  }))
  const ports = add('dcim/interfaces', ['p1', 'p2', 'p3', 'p4', 'p5', 'p6'], (name) => ({
    ...{ name, device: one(devices), type: { value: 'other' }, description: text(), ...custom },
  }))
  const free = ports.map(({ id }) => id)
  const ends: Item[] = []
  add('dcim/cables', ['c1', 'c2'].slice(0, Math.floor(free.length / 2)), () => {
    const [a, b] = [free.shift() ?? 0, free.pop() ?? 0]
    const end = (id: number) => [{ object_type: 'dcim.interface', object_id: id }]
    return { status: { value: 'connected' }, a_terminations: end(a), b_terminations: end(b), ...custom }
  })
  for (const cable of set.get('dcim/cables') ?? []) {
    for (const [side, field] of [
      ['A', 'a_terminations'],
      ['B', 'b_terminations'],
    ] as const) {
      const [end] = cable[field] as { object_id: number }[]
      const id = ends.length + 1
      ends.push({
        ...{ id, cable: cable.id, cable_end: side },
        termination_type: 'dcim.interface',
        termination_id: end?.object_id,
      })
    }
  }
  set.set('dcim/cable-terminations', ends)
  add('ipam/ip-addresses', ['10.0.0.1/24', '10.0.0.2/24', '10.0.0.3/24'], (address) => ({
    ...{ address, status: { value: 'active' }, ...custom },
    ...{ assigned_object_type: 'dcim.interface', assigned_object_id: one(ports).id },
  }))
  add('extras/journal-entries', ['one', 'two', 'three'], (name) => ({
    ...{ assigned_object_type: 'dcim.device', assigned_object_id: one(devices).id, kind: { value: 'info' } },
    ...{ comments: `${name} of ${seed}`, ...custom },
  }))
  add('core/object-changes', ['r1', 'r2', 'r3'], (name) => ({
    ...{ user_name: name, request_id: `${String(seed).padStart(8, '0')}-0000-4000-8000-00000000000${name.slice(1)}` },
    ...{ action: { value: 'update' }, changed_object_type: 'dcim.device', changed_object_id: one(devices).id },
    ...{ object_repr: `${name} of ${seed}`, prechange_data: null, postchange_data: { site: one(sites).id } },
  }))
  set.set(
    'core/object-changes',
    (set.get('core/object-changes') ?? []).map((item) => ({ ...item, time: item.created })),
  )
  return set
}

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

function write(name: string, set: DataSet): string {
  const directory = join(root, name)
  for (const [endpoint, items] of set) {
    const path = join(directory, `${endpoint}.jsonl`)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, items.map((item) => `${JSON.stringify(item)}\n`).join(''))
  }
  return directory
}

function read(directory: string, endpoints: Iterable<string>): DataSet {
  return new Map(
    [...endpoints].map((endpoint) => {
      const lines = gunzipSync(readFileSync(join(directory, `${endpoint}.jsonl.gz`)))
        .toString()
        .split('\n')
      return [endpoint, lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Item)]
    }),
  )
}

/** What identifies an object, and what its references name, in words that do not contain ids. */
class Words {
  readonly #set: DataSet

  constructor(set: DataSet) {
    this.#set = set
  }

  /** All objects by their names: the names of the objects to which each refers. */
  all(): ReadonlyMap<string, readonly (readonly [string, Readonly<Record<string, unknown>>])[]> {
    return new Map(
      [...this.#set].map(([endpoint, items]) => [
        endpoint,
        items.map((item) => [this.#nameOf(endpoint, item), this.#references(item)] as const),
      ]),
    )
  }

  #named(endpoint: string, reference: unknown): string | null {
    const id = typeof reference === 'object' && reference !== null && 'id' in reference ? reference.id : reference
    if (typeof id !== 'number') return null
    const item = this.#set.get(endpoint)?.find((candidate) => candidate.id === id)
    return item ? this.#nameOf(endpoint, item) : `nothing with the id ${id}`
  }

  #nameOf(endpoint: string, item: Item): string {
    const { name, model, address, comments, object_repr: text } = item
    const own = String(name ?? model ?? address ?? comments ?? text ?? '')
    if (endpoint === 'dcim/cables')
      return String(this.#ends(item.a_terminations)) + String(this.#ends(item.b_terminations))
    const [field, of] = OWNERS[endpoint] ?? []
    const parent = item.parent ? `${this.#named(endpoint, item.parent)}/` : ''
    return (field && of ? `${this.#named(of, item[field])}/` : '') + parent + own
  }

  #ends(list: unknown): readonly unknown[] {
    return (list as { object_id: number }[]).map(({ object_id: id }) => this.#named('dcim/interfaces', id))
  }

  #references(item: Item): Readonly<Record<string, unknown>> {
    const words: Record<string, unknown> = {}
    for (const [field, endpoint] of Object.entries(TARGETS)) {
      const value = item[field]
      if (value === undefined) continue
      words[field] = Array.isArray(value)
        ? value.map((each: unknown) => this.#named(endpoint, each)).sort()
        : this.#named(endpoint, value)
    }
    const twin = (item.custom_fields as { twin?: unknown } | undefined)?.twin
    words.twin = this.#named('dcim/sites', twin)
    const data = item.postchange_data as { site?: unknown } | undefined
    if (data) words.data = this.#named('dcim/sites', data.site)
    const types: Readonly<Record<string, string>> = {
      'dcim.interface': 'dcim/interfaces',
      'dcim.device': 'dcim/devices',
    }
    for (const field of ['assigned_object', 'changed_object']) {
      const endpoint = types[String(item[`${field}_type`])]
      if (endpoint) words[field] = this.#named(endpoint, item[`${field}_id`])
    }
    for (const side of ['a_terminations', 'b_terminations']) if (item[side]) words[side] = this.#ends(item[side])
    // Exports also have the fields that the network leaves out.
    return Object.fromEntries(Object.entries(words).filter(([, word]) => word !== null && !same(word, [])))
  }
}

const TARGETS: Readonly<Record<string, string>> = {
  ...{ site: 'dcim/sites', region: 'dcim/regions', manufacturer: 'dcim/manufacturers', role: 'dcim/device-roles' },
  ...{ device_type: 'dcim/device-types', device: 'dcim/devices', parent: 'dcim/locations', tags: 'extras/tags' },
}
const OWNERS: Readonly<Record<string, readonly [string, string]>> = {
  'dcim/locations': ['site', 'dcim/sites'],
  'dcim/device-types': ['manufacturer', 'dcim/manufacturers'],
  'dcim/devices': ['site', 'dcim/sites'],
  'dcim/interfaces': ['device', 'dcim/devices'],
}

const registry = modelRegistry()

it.each([...Array(PAIRS).keys()])('a merge of two databases keeps every reference (pair %i)', async (pair) => {
  const [first, second] = [network(2 * pair + 1), network(2 * pair + 2)]
  const database = await databaseOfTest('migrated')
  const service = createService(registry, database, readSettings({ DATA_DIR: join(root, `data-${pair}`) }))
  const load = (set: DataSet, source: string) => importDataSet(service, write(`${source}-${pair}`, set), { source })
  const state = async (name: string) => {
    await exportDataSet(service, join(root, `${name}-${pair}`))
    return read(join(root, `${name}-${pair}`), first.keys())
  }
  await load(first, 'first')
  const planned = await planImport(service, write(`second-${pair}`, second), { source: 'second' })
  const before = await state('before')
  if (planned.ambiguous.length > 0) {
    await expect(load(second, 'second')).rejects.toThrow('ambiguous')
    expect(await state('after')).toEqual(before)
    return
  }
  const { plan, imported } = await load(second, 'second')
  expect(plan).toEqual(planned)
  const merged = await state('merged')
  for (const { endpoint, created } of plan.collections) {
    const added = (merged.get(endpoint)?.length ?? 0) - (before.get(endpoint)?.length ?? 0)
    expect(added, endpoint).toBe(created)
    expect(imported.find((collection) => collection.endpoint === endpoint)?.added, endpoint).toBe(created)
  }
  const words = new Words(merged).all()
  const firstWords = new Words(first).all()
  for (const [endpoint, objects] of new Words(second).all()) {
    if (endpoint === 'dcim/cable-terminations') continue
    const old = new Map(firstWords.get(endpoint))
    for (const [name, references] of objects) {
      const found = words.get(endpoint)?.filter(([candidate]) => candidate === name) ?? []
      expect(found, `${endpoint} ${name}`).toHaveLength(1)
      // What was here before stays as it was.
      expect(found[0]?.[1], `${endpoint} ${name}`).toEqual(old.get(name) ?? references)
    }
  }
  // Nothing that was here refers to anything else now.
  const wordsBefore = new Words(before).all()
  for (const [endpoint, objects] of wordsBefore) {
    expect(words.get(endpoint), endpoint).toEqual(expect.arrayContaining([...objects]))
  }
  for (const [set, source] of [
    [first, 'first'],
    [second, 'second'],
  ] as const) {
    const again = await load(set, source)
    expect(totalsOf(again.plan), source).toMatchObject({ created: 0, changed: 0, renumbered: 0, matched: 0 })
  }
  expect(await state('again')).toEqual(merged)
})
