import type { Fields } from '../../schema/field.ts'
import type { Definition } from '../../schema/model.ts'
import type { EffectFunction, RowOf } from '../../schema/rule.ts'
import { identifier, join, sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { table } from '../../sql/table.ts'
import { positionsOfBays } from './bay-positions.ts'
import type { device } from './device.ts'
import { KIND_NAMES, KINDS, type KindName } from './instantiate.ts'
import { CHASSIS_PLACEHOLDER, fillPlaceholders } from './placeholders.ts'

/** A template whose name or label contains the position in the virtual chassis. */
interface Template extends Record<string, unknown> {
  readonly kind: KindName
  readonly id: number
  readonly type: number
  readonly name: string
  readonly label: string
}

/** A device, or a module in it, whose position in the virtual chassis has changed. */
interface Moved {
  readonly id: number
  readonly type: number
  readonly positions: readonly string[]
  readonly before: number | null
  readonly after: number | null
}

const positionOf = (row: { readonly virtual_chassis: number | null; readonly vc_position: number | null }) =>
  row.virtual_chassis === null ? null : row.vc_position

/**
 * Renames the components of devices that get another position in their virtual chassis: names and labels from templates
 * with `{vc_position}` follow, unless somebody has changed them. Cables stay.
 */
export const followChassisPosition: EffectFunction<typeof device.fields> = async ({
  action,
  rows,
  database,
  write,
}) => {
  if (action !== 'update') return
  const devices = rows.flatMap(({ previous, next }): readonly Moved[] => {
    if (!previous || !next) return []
    const [before, after] = [positionOf(previous), positionOf(next)]
    return before === after ? [] : [{ id: next.id, type: next.device_type, positions: [], before, after }]
  })
  if (devices.length === 0) return
  for (const by of ['device', 'module'] as const) {
    const moved = by === 'device' ? devices : await modulesIn(database, devices)
    const templates = await templatesWithPosition(database, by, [...new Set(moved.map(({ type }) => type))])
    for (const [kind, ofKind] of Map.groupBy(templates, (template) => template.kind)) {
      const model: Definition = KINDS[kind].component
      const changes = await renamed(database, model, by, moved, ofKind)
      // The keys are columns of the model's table.
      if (changes.length > 0) await write.update(model, changes as (Partial<RowOf<Fields>> & { readonly id: number })[])
    }
  }
}

async function modulesIn(database: Queryable, devices: readonly Moved[]): Promise<readonly Moved[]> {
  const modules = await database.query<{ id: number; type: number; bay: number; device: number }>(sql`
    select m.id, m.module_type_id as type, m.module_bay_id as bay, m.device_id as device
    from ${table('dcim.module')} m where m.device_id = any(${devices.map(({ id }) => id)}::bigint[]) order by m.id`)
  const positions = await positionsOfBays(
    database,
    modules.map(({ bay }) => bay),
  )
  const byId = new Map(devices.map((each) => [each.id, each]))
  return modules.map(({ id, type, bay, device }) => ({
    ...{ id, type, positions: positions.get(bay) ?? [] },
    ...{ before: byId.get(device)?.before ?? null, after: byId.get(device)?.after ?? null },
  }))
}

/** The templates of the types that contain the placeholder; one query for all kinds. */
async function templatesWithPosition(
  database: Queryable,
  by: 'device' | 'module',
  types: readonly number[],
): Promise<readonly Template[]> {
  if (types.length === 0) return []
  const pattern = `%{${CHASSIS_PLACEHOLDER}%`
  const owner = identifier('t', `${by}_type_id`)
  const kinds = KIND_NAMES.filter((kind) => by === 'device' || 'module' in KINDS[kind].component.fields)
  const selects = kinds.map(
    (kind) => sql`
      select ${kind}::text as kind, t.id, ${owner} as type, t.name, t.label
      from ${table(`${KINDS[kind].component.name}template`)} t
      where ${owner} = any(${types}::bigint[]) and (t.name like ${pattern} or t.label like ${pattern})`,
  )
  return await database.query<Template>(join(selects, ' union all '))
}

/** The components of these devices or modules with their new names and labels. */
async function renamed(
  database: Queryable,
  model: Definition,
  by: 'device' | 'module',
  moved: readonly Moved[],
  templates: readonly Template[],
): Promise<readonly { readonly id: number; readonly name?: string; readonly label?: string }[]> {
  const loose = by === 'device' && 'module' in model.fields ? sql` and t.module_id is null` : sql``
  const components = await database.query<{ id: number; owner: number; name: string; label: string }>(sql`
    select t.id, ${identifier('t', `${by}_id`)} as owner, t.name, t.label from ${table(model.name)} t
    where ${identifier('t', `${by}_id`)} = any(${moved.map(({ id }) => id)}::bigint[])${loose} order by t.id`)
  const byOwner = Map.groupBy(components, ({ owner }) => owner)
  return moved.flatMap(({ id, type, positions, before, after }) => {
    const text = (value: string, chassisPosition: number | null): string =>
      fillPlaceholders(value, { positions, chassisPosition }) ?? value
    const byName = new Map((byOwner.get(id) ?? []).map((component) => [component.name, component]))
    return templates.flatMap((template) => {
      const component = template.type === type ? byName.get(text(template.name, before)) : undefined
      if (!component) return []
      const [name, label] = [text(template.name, after), text(template.label, after)]
      const isOwnLabel = component.label !== text(template.label, before)
      const changes = {
        ...(name !== component.name && { name }),
        ...(!isOwnLabel && label !== component.label && { label }),
      }
      return Object.keys(changes).length > 0 ? [{ id: component.id, ...changes }] : []
    })
  })
}
