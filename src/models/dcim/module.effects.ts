import type { EffectFunction } from '../../schema/rule.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { Instantiation } from './instantiate.ts'
import type { deviceModule } from './module.ts'
import { moduleBay } from './module-bay.ts'
import { adoptsComponents, KIND_ORDER, replicatesComponents } from './module-components.ts'
import { positionsOfBays } from './module-positions.ts'

type ModuleEffect = EffectFunction<typeof deviceModule.fields>

export const createModuleComponents: ModuleEffect = async (effect) => {
  if (effect.action !== 'create') return
  const { database, write } = effect
  const modules = effect.rows
    .flatMap(({ next }) => next ?? [])
    .filter((row) => replicatesComponents(row) || adoptsComponents(row))
  if (modules.length === 0) return
  const positions = await positionsOfBays(
    database,
    modules.map((row) => row.module_bay),
  )
  const holders = await database.query<DevicePlace>(sql`
    select id, site_id as site, location_id as location, rack_id as rack,
      case when virtual_chassis_id is null then null else vc_position end as "chassisPosition"
    from ${table('dcim.device')} where id = any(${modules.map((row) => row.device)}::bigint[])`)
  const devices = new Map(holders.map((each) => [each.id, each]))
  await new Instantiation(
    { database, write },
    'module_type',
    modules.flatMap((row) => {
      const holder = devices.get(row.device)
      return holder
        ? {
            type: row.module_type,
            device: holder,
            module: { id: row.id, bay: row.module_bay },
            adopts: adoptsComponents(row),
            replicates: replicatesComponents(row),
            positions: positions.get(row.module_bay) ?? [],
            chassisPosition: holder.chassisPosition,
          }
        : []
    }),
  ).run(KIND_ORDER)
}

type DevicePlace = {
  readonly id: number
  readonly site: number
  readonly location: number | null
  readonly rack: number | null
  readonly chassisPosition: number | null
}

/** The parent of a module's bays is the bay that contains the module. */
export const moveBays: ModuleEffect = async ({ action, rows, database, write }) => {
  if (action !== 'update') return
  const moved = rows.flatMap(({ previous, next }) =>
    previous && next && previous.module_bay !== next.module_bay ? [next.id] : [],
  )
  if (moved.length === 0) return
  const bays = await database.query<{ id: number; parent: number }>(sql`
    select b.id, m.module_bay_id as parent from ${table('dcim.modulebay')} b
    join ${table('dcim.module')} m on m.id = b.module_id
    where m.id = any(${moved}::bigint[]) order by b.id`)
  if (bays.length > 0) await write.update(moduleBay, bays)
}
