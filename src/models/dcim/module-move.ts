import type { Fields } from '../../schema/field.ts'
import type { Definition } from '../../schema/model.ts'
import type { EffectFunction, Read, Refusal, RowOf, Writer } from '../../schema/rule.ts'
import { identifier, join, type Sql, sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { table } from '../../sql/table.ts'
import { consolePort, consoleServerPort, frontPort, powerOutlet, powerPort, rearPort } from './components.ts'
import { coolingIntake, coolingOutflow } from './cooling-ports.ts'
import { deviceInterface } from './interface.ts'
import { deviceModule } from './module.ts'
import { moduleBay } from './module-bay.ts'
import { fillPlaceholders, type Place } from './placeholders.ts'

/** Components that move with their module; those of the first list have cables. */
const CABLED: readonly Definition[] = [
  ...[consolePort, consoleServerPort, powerPort, powerOutlet, deviceInterface, rearPort, frontPort],
]
const COMPONENTS: readonly Definition[] = [moduleBay, ...CABLED, coolingIntake, coolingOutflow]

/** Ids of the module and of all modules in its bays. */
const withNested = (id: number): Sql => sql`(
  with recursive held (id) as (
    select ${id}::bigint
    union
    select m.id from held h
    join ${table(moduleBay.name)} b on b.module_id = h.id
    join ${table(deviceModule.name)} m on m.module_bay_id = b.id)
  select id from held)`

/** Refuses to move a module to another device if objects that belong to its device would move with it. */
export async function partsCanMove(read: Read, id: number): Promise<Refusal | undefined> {
  const modules = withNested(id)
  const interfaces = sql`select i.id from ${table(deviceInterface.name)} i where i.module_id in ${modules}`
  const cables = CABLED.map(
    ({ name }) => sql`exists (select from ${table(name)} x where x.module_id in ${modules} and x.cable_id is not null)`,
  )
  const [[hasCables, hasAddresses, hasAggregates] = []] = await read.database.queryArrays(sql`
    select ${join(cables, ' or ')},
      exists (
        select from ${table('ipam.ipaddress')} a
        where a.assigned_object_type = ${deviceInterface.name} and a.assigned_object_id in (${interfaces})),
      exists (
        select from ${table(deviceInterface.name)} i
        where i.lag_id is not null and coalesce(i.module_id in ${modules}, false) <> (i.lag_id in (${interfaces})))`)
  if (hasCables) return { __all__: 'A module with cables cannot be moved to another device.' }
  if (hasAddresses) return { __all__: 'A module with IP addresses cannot be moved to another device.' }
  return hasAggregates ? { __all__: 'A module with members of a LAG cannot be moved to another device.' } : undefined
}

type Positions = (database: Queryable, bays: readonly number[]) => Promise<ReadonlyMap<number, readonly string[]>>

/** A module that has moved, or one in its bays. */
interface Moved {
  readonly id: number
  readonly type: number
  readonly bay: number
}

/** Modules in the bays of the module, the nearest first. */
const nestedModules = (database: Queryable, id: number): Promise<(Moved & Record<string, unknown>)[]> =>
  database.query(sql`
    select m.id, m.module_type_id as type, m.module_bay_id as bay from ${table(deviceModule.name)} m
    join ${table(moduleBay.name)} b on b.id = m.module_bay_id
    where m.id in ${withNested(id)} and m.id <> ${id}::bigint order by b._level, m.id`)

/** Moves the components, bays and nested modules of moved modules too; names from templates are renamed. */
export const moveParts =
  (positionsOf: Positions): EffectFunction<typeof deviceModule.fields> =>
  async ({ action, rows, database, write }) => {
    if (action !== 'update') return
    for (const { previous, next } of rows) {
      if (!previous || !next || previous.module_bay === next.module_bay) continue
      // Determined before the first change, because the modules of a device are found by its bays.
      const nested = await nestedModules(database, next.id)
      const before = await positionsOf(database, [previous.module_bay, ...nested.map(({ bay }) => bay)])
      const place = previous.device === next.device ? {} : await placeOf(database, next.device)
      const installed = { id: next.id, type: next.module_type, bay: next.module_bay }
      for (const moved of [installed, ...nested]) {
        if (moved !== installed) await write.update(deviceModule, [{ id: moved.id, device: next.device }])
        const after = await positionsOf(database, [moved.bay])
        const places = [
          placeAt(before.get(moved === installed ? previous.module_bay : moved.bay)),
          placeAt(after.get(moved.bay)),
        ] as const
        await moveComponents({ database, write }, moved, places, place)
      }
    }
  }

const placeAt = (positions: readonly string[] = []): Place => ({ positions, chassisPosition: null })

type Texts = Readonly<Record<string, unknown>> & { readonly id: number }

/** The device and its place, in the columns that components have. */
async function placeOf(database: Queryable, device: number): Promise<Readonly<Record<string, unknown>>> {
  const [place] = await database.query(sql`
    select id as device, site_id as _site, location_id as _location, rack_id as _rack
    from ${table('dcim.device')} where id = ${device}::bigint`)
  return place ?? {}
}

const TEXTS = ['name', 'label', 'position'] as const

/**
 * Changes the components of one module at once, kind by kind: their place, and texts from templates that differ between
 * the two places. The parent of bays is the bay of the module.
 */
async function moveComponents(
  { database, write }: { readonly database: Queryable; readonly write: Writer },
  { id, type, bay }: Moved,
  [before, after]: readonly [before: Place, after: Place],
  place: Readonly<Record<string, unknown>>,
): Promise<void> {
  for (const model of COMPONENTS) {
    const texts = TEXTS.filter((name) => name in model.fields)
    const columns = join(texts.map((name) => identifier('t', name)))
    const templates = await database.query<Texts>(sql`
      select t.id, ${columns} from ${table(`${model.name}template`)} t
      where t.module_type_id = ${type}::bigint`)
    const components = await database.query<Texts>(sql`
      select t.id, ${columns} from ${table(model.name)} t
      where t.module_id = ${id}::bigint order by t.id`)
    const changes = components.flatMap((component) => {
      const template = templates.find(({ name }) => fillPlaceholders(String(name), before) === component.name)
      const renamed = texts.flatMap((name) => {
        const [old, now] = [before, after].map((at) => template && fillPlaceholders(String(template[name]), at))
        return old === component[name] && now !== undefined && now !== old ? [[name, now] as const] : []
      })
      const changed = { ...place, ...(model === moduleBay && { parent: bay }), ...Object.fromEntries(renamed) }
      return Object.keys(changed).length > 0 ? [{ id: component.id, ...changed }] : []
    })
    await updateRows(write, model, changes)
  }
}

async function updateRows(write: Writer, model: Definition, rows: readonly { readonly id: number }[]): Promise<void> {
  // The keys are columns of the model's table.
  if (rows.length > 0) await write.update(model, rows as (Partial<RowOf<Fields>> & { readonly id: number })[])
}
