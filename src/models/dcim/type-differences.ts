import { empty, identifier, join, type Sql, sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { table } from '../../sql/table.ts'
import { positionsOfBays } from './bay-positions.ts'
import { KIND_NAMES, KINDS, type Kind, type KindName } from './instantiate.ts'
import { fillPlaceholders, type Place } from './placeholders.ts'

/** How a component differs from the template of its holder's type. */
export interface TypeDifference {
  /**
   * - `missing`: the type has a component that the holder lacks;
   * - `renamed`: the template had the component's name before;
   * - `changed`: the component has other values than the template;
   * - `extra`: the type has no such component.
   */
  readonly difference: 'missing' | 'renamed' | 'changed' | 'extra'
  readonly kind: KindName
  /** Null for an extra component. */
  readonly template: number | null
  /** Null for a missing component. */
  readonly component: number | null
  /** The name that the component has, or would have if it is missing. */
  readonly name: string
  /** The values that it would get, with those that it has: `{ name: ['Gi1', 'Gi1/0/1'] }`. */
  readonly changes: Readonly<Record<string, readonly [is: unknown, becomes: unknown]>>
  readonly isCabled: boolean
}

/** A device or module, whose components should be those of its type. */
export interface Follower extends Place {
  readonly id: number
  /** Device type or module type. */
  readonly type: number
  readonly device: number
}

/** What distinguishes a device or module from its type. */
export interface Comparison {
  readonly follower: Follower
  readonly differences: readonly TypeDifference[]
  /** Components by kind and template: `interface 7`. Whoever creates a missing one adds it. */
  readonly components: Map<string, number>
}

/** The devices or modules with these ids, in the order of their ids. */
export async function followersOf(
  database: Queryable,
  by: 'device_type' | 'module_type',
  ids: readonly number[],
): Promise<readonly Follower[]> {
  const position = sql`case when d.virtual_chassis_id is not null then d.vc_position end as "chassisPosition"`
  if (by === 'device_type') {
    const devices = await database.query<Omit<Follower, 'positions'> & Record<string, unknown>>(sql`
      select d.id, d.id as device, d.device_type_id as type, ${position}
      from ${table('dcim.device')} d where d.id = any(${ids}::bigint[]) order by d.id`)
    return devices.map((device) => ({ ...device, positions: [] }))
  }
  const modules = await database.query<
    Omit<Follower, 'positions'> & { readonly bay: number } & Record<string, unknown>
  >(sql`
    select m.id, m.device_id as device, m.module_type_id as type, m.module_bay_id as bay, ${position}
    from ${table('dcim.module')} m join ${table('dcim.device')} d on d.id = m.device_id
    where m.id = any(${ids}::bigint[]) order by m.id`)
  const positions = await positionsOfBays(
    database,
    modules.map(({ bay }) => bay),
  )
  return modules.map((module) => ({ ...module, positions: positions.get(module.bay) ?? [] }))
}

/** Fields that people set on components, so that the type does not decide about them. */
const OWN: ReadonlySet<string> = new Set(['enabled', 'allocated_draw'])

/** Kinds that belong to a device even if one of its modules holds them; their tables have no module. */
const OF_DEVICES: ReadonlySet<KindName> = new Set(['device_bay', 'inventory_item'])

/** Interfaces that people configure. They are not part of the hardware, so that they are never extra. */
const CONFIGURED: ReadonlySet<unknown> = new Set(['virtual', 'bridge', 'lag'])

type Values = Readonly<Record<string, unknown>>
type Row = Values & { readonly id: number; readonly owner: number; readonly name: string; readonly label: string }

/** A template with the names that it had before each change of names, the latest first. */
interface Template extends Row {
  readonly names: readonly string[]
}

/**
 * Devices or modules compared with their types, in their order; one query per kind of component. A component belongs to
 * the template that has its name now, or had it before: of all times, the one at which most names of the holder agree, so
 * that names that moved from one port to the next are recognized.
 */
export async function compareWithTypes(
  database: Queryable,
  by: 'device_type' | 'module_type',
  followers: readonly Follower[],
): Promise<readonly Comparison[]> {
  const found = followers.map((follower) => ({
    ...{ follower, differences: [] as TypeDifference[], components: new Map<string, number>() },
  }))
  const types = [...new Set(followers.map(({ type }) => type))]
  const kinds = KIND_NAMES.filter((kind) => by === 'device_type' || !OF_DEVICES.has(kind))
  for (const kind of kinds) {
    const templates = await templatesOf(database, by, kind, types)
    const components = await componentsOf(database, by, kind, followers)
    for (const { follower, differences, components: matched } of found) {
      const ofType = templates.get(follower.type) ?? []
      const held = components.get(follower.id) ?? []
      const text = (value: unknown): string => fillPlaceholders(String(value), follower) ?? String(value)
      const pairs = matches(ofType, held, text)
      differences.push(...compare(kind, ofType, held, pairs, text))
      for (const [template, { id }] of pairs) matched.set(`${kind} ${template}`, id)
    }
  }
  return found
}

/** The compared columns of a kind, besides the name. */
const comparedColumns = (kind: KindName): readonly string[] => {
  const { copied }: Kind = KINDS[kind]
  return copied.filter((column) => !OWN.has(column))
}

/** These columns, after others. */
function columnsOf(kind: KindName): Sql {
  const columns = comparedColumns(kind).map((column) => sql`, ${identifier('t', column)}`)
  return columns.length === 0 ? empty : join(columns, '')
}

async function templatesOf(
  database: Queryable,
  by: 'device_type' | 'module_type',
  kind: KindName,
  types: readonly number[],
): Promise<ReadonlyMap<number, readonly Template[]>> {
  const model = `${KINDS[kind].component.name}template`
  const owner = identifier('t', `${by}_id`)
  const rows = await database.query<Row>(sql`
    select t.id, ${owner} as owner, t.name, t.label${columnsOf(kind)} from ${table(model)} t
    where ${owner} = any(${types}::bigint[]) order by t.name, t.id`)
  const names = rows.length === 0 ? new Map() : await earlierNames(database, model, rows)
  return Map.groupBy(
    rows.map((row): Template => ({ ...row, names: names.get(row.id) ?? [] })),
    (row) => row.owner,
  )
}

/** Changes of names that are followed back. */
const MOST_CHANGES = 50

/**
 * The names of templates of a model before each request that has renamed any of them, the latest request first: a list per
 * template, all of the same length.
 */
async function earlierNames(
  database: Queryable,
  model: string,
  templates: readonly Row[],
): Promise<ReadonlyMap<number, readonly string[]>> {
  const records = await database.query<{ id: number; request: string; name: string }>(sql`
    select c.changed_object_id as id, c.request_id::text as request, c.prechange_data ->> 'name' as name
    from ${table('core.objectchange')} c
    where c.changed_object_type = ${model} and c.changed_object_id = any(${templates.map(({ id }) => id)}::bigint[])
      and c.action = 'update' and c.prechange_data ->> 'name' <> c.postchange_data ->> 'name'
    order by c.id desc`)
  const requests = [...Map.groupBy(records, ({ request }) => request).values()].slice(0, MOST_CHANGES)
  const now = new Map(templates.map(({ id, name }) => [id, name]))
  const names = new Map(templates.map(({ id }): [number, string[]] => [id, []]))
  for (const changes of requests) {
    for (const { id, name } of changes) now.set(id, name)
    for (const [id, list] of names) list.push(now.get(id) ?? '')
  }
  return names
}

type Component = Row & { readonly is_cabled: boolean }

async function componentsOf(
  database: Queryable,
  by: 'device_type' | 'module_type',
  kind: KindName,
  followers: readonly Follower[],
): Promise<ReadonlyMap<number, readonly Component[]>> {
  const { component } = KINDS[kind]
  const owner = by === 'device_type' ? sql`t.device_id` : sql`t.module_id`
  const loose = by === 'device_type' && !OF_DEVICES.has(kind) ? sql` and t.module_id is null` : sql``
  const cabled = 'cable' in component.fields ? sql`t.cable_id is not null` : sql`false`
  const rows = await database.query<Component>(sql`
    select t.id, ${owner} as owner, t.name, t.label${columnsOf(kind)}, ${cabled} as is_cabled from ${table(component.name)} t
    where ${owner} = any(${followers.map(({ id }) => id)}::bigint[])${loose} order by t.name, t.id`)
  return Map.groupBy(rows, (row) => row.owner)
}

function* compare(
  kind: KindName,
  templates: readonly Template[],
  components: readonly Component[],
  matched: ReadonlyMap<number, Component>,
  text: (value: unknown) => string,
): Iterable<TypeDifference> {
  for (const template of templates) {
    const component = matched.get(template.id)
    const name = text(template.name)
    if (!component) {
      yield {
        ...{ difference: 'missing', kind, template: template.id, component: null, name, changes: {} },
        isCabled: false,
      }
      continue
    }
    const changes = Object.fromEntries(changesOf(kind, template, component, text))
    if (Object.keys(changes).length === 0) continue
    yield {
      ...{ difference: 'name' in changes ? 'renamed' : 'changed', kind, template: template.id, changes },
      ...{ component: component.id, name: component.name, isCabled: component.is_cabled },
    }
  }
  const known = new Set([...matched.values()].map(({ id }) => id))
  for (const { id, name, is_cabled, type } of components) {
    if (known.has(id) || kind === 'inventory_item' || CONFIGURED.has(type)) continue
    yield {
      ...{ difference: 'extra', kind, template: null, component: id, name, changes: {} },
      isCabled: is_cabled,
    }
  }
}

/** The component of each template, by the template's id. */
function matches(
  templates: readonly Template[],
  components: readonly Component[],
  text: (value: unknown) => string,
): ReadonlyMap<number, Component> {
  const byName = new Map(components.map((component) => [component.name, component]))
  const times = [0, ...(templates[0]?.names ?? []).map((_, index) => index + 1)]
  const nameAt = ({ name, names }: Template, time: number): string => text(time === 0 ? name : names[time - 1])
  const agreeing = (time: number): number => templates.filter((template) => byName.has(nameAt(template, time))).length
  // The latest of the times at which most names agree, then the others, the latest first.
  const best = times
    .map((time) => ({ time, count: agreeing(time) }))
    .sort((a, b) => b.count - a.count || a.time - b.time)
  const matched = new Map<number, Component>()
  const taken = new Set<Component>()
  for (const time of [...best.slice(0, 1).map((each) => each.time), ...times]) {
    for (const template of templates) {
      const component = byName.get(nameAt(template, time))
      if (!component || matched.has(template.id) || taken.has(component)) continue
      matched.set(template.id, component)
      taken.add(component)
    }
  }
  return matched
}

function* changesOf(
  kind: KindName,
  template: Template,
  component: Component,
  text: (value: unknown) => string,
): Iterable<readonly [field: string, change: readonly [is: unknown, becomes: unknown]]> {
  const expected = text(template.name)
  if (component.name !== expected) yield ['name', [component.name, expected]]
  // A label without a template is that of a person.
  const label = text(template.label)
  if (label !== '' && component.label !== label) yield ['label', [component.label, label]]
  for (const column of comparedColumns(kind)) {
    const is = component[column] ?? null
    const becomes = column === 'position' ? text(template[column]) : (template[column] ?? null)
    if (String(is) !== String(becomes)) yield [column.replace(/_id$/, ''), [is, becomes]]
  }
}

/**
 * A query for the number of names of a type that a device or module lacks. It knows the position in the virtual chassis, but
 * not those of bays, so that templates with `{module}` are left out: for a figure beside a link, which every page shows.
 */
export function nameDifferences(by: 'device_type' | 'module_type', id: number): Sql {
  const [holder, owner] = by === 'device_type' ? ['dcim.device', 'device_id'] : ['dcim.module', 'module_id']
  const position =
    by === 'device_type' ? sql`case when h.virtual_chassis_id is not null then h.vc_position end` : sql`null::int`
  const name = sql`regexp_replace(
    replace(t.name, '{vc_position}', coalesce(${position}, 0)::text),
    '\\{vc_position:([^}]*)\\}', coalesce(${position}::text, '\\1'), 'g')`
  const kinds = KIND_NAMES.filter((kind) => by === 'device_type' || !OF_DEVICES.has(kind))
  const missing = kinds.map((kind) => {
    const { component } = KINDS[kind]
    return sql`(select count(*) from ${table(`${component.name}template`)} t
      where ${identifier('t', `${by}_id`)} = ${identifier('h', `${by}_id`)} and t.name not like '%{module}%'
        and not exists (select from ${table(component.name)} c where ${identifier('c', owner)} = h.id and c.name = ${name}))`
  })
  return sql`select ${join(missing, ' + ')} from ${table(holder)} h where h.id = ${id}::bigint`
}
