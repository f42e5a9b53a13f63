import { oncePerBatch } from '../../schema/once-per-batch.ts'
import {
  behaviour,
  type Change,
  type EffectFunction,
  type Refusal,
  type Rule,
} from '../../schema/rule.ts'
import { identifier, join, sql } from '../../sql/fragment.ts'
import { Instantiation, type KindName } from './instantiate.ts'
import { deviceModule } from './module.ts'
import { moduleBay } from './module-bay.ts'
import { positionsOfBays } from './module-positions.ts'
import { fillPlaceholders, modulePlaceholders } from './placeholders.ts'

type ModuleRule = Rule<typeof deviceModule.fields>
type ModuleEffect = EffectFunction<typeof deviceModule.fields>
type ModuleChange = Change<typeof deviceModule.fields>

/** Instructions of a body; they are not part of what is stored. */
const isTold = (row: object, name: string, otherwise: boolean): boolean =>
  ((row as Record<string, unknown>)[name] as boolean | undefined) ?? otherwise
const replicates = (row: object): boolean => isTold(row, 'replicate_components', true)
const adopts = (row: object): boolean => isTold(row, 'adopt_components', false)

const ORDER: readonly KindName[] = [
  'console_port',
  'console_server_port',
  'interface',
  'power_port',
  'power_outlet',
  'rear_port',
  'front_port',
  'module_bay',
]
/** Kinds whose names must be free before a module is made; module bays have names of their own. */
const CHECKED = ORDER.filter((name) => name !== 'module_bay')

const bayIsInDevice: ModuleRule = async ({ next, read }) => {
  const bay = await read.get(moduleBay, next.module_bay)
  return bay.device === next.device
    ? undefined
    : { __all__: `The module bay ${bay.display} belongs to another device.` }
}

/** What is installed already may stay. */
const bayIsEnabled: ModuleRule = async ({ next, previous, read }) => {
  if (previous?.module_bay === next.module_bay) return
  const bay = await read.get(moduleBay, next.module_bay)
  return bay.enabled ? undefined : { module_bay: 'The module bay is disabled.' }
}

const notInItself: ModuleRule = async ({ next, read }) => {
  const seen = new Set<number>()
  let bay = await read.get(moduleBay, next.module_bay)
  while (bay.module !== null && !seen.has(bay.module)) {
    if (bay.module === next.id) return { __all__: 'A module cannot sit in a bay of its own.' }
    seen.add(bay.module)
    const holder = await read.get(deviceModule, bay.module)
    bay = await read.get(moduleBay, holder.module_bay)
  }
  return
}

interface Template {
  readonly type: number
  readonly kind: string
  readonly name: string
}
interface Component {
  readonly device: number
  readonly kind: string
  readonly name: string
  readonly module: number | null
}

/** What the modules of the batch bring along, and what their devices have already. */
const componentsOf = oncePerBatch(async ({ batch, read }: ModuleChange) => {
  const types = [...new Set(batch.map(({ module_type }) => module_type))]
  const devices = [...new Set(batch.map((row) => row.device))]
  const templates = CHECKED.map(
    (kind) => sql`select module_type_id as type, ${kind} as kind, name
      from ${identifier(tableOf(kind, 'template'))} where module_type_id = any(${types}::bigint[])`,
  )
  const components = CHECKED.map(
    (kind) => sql`select device_id as device, ${kind} as kind, name, module_id as module
      from ${identifier(tableOf(kind))} where device_id = any(${devices}::bigint[])`,
  )
  const [brought, found, positions] = await Promise.all([
    read.database.query<Template & Record<string, unknown>>(join(templates, ' union all ')),
    read.database.query<Component & Record<string, unknown>>(join(components, ' union all ')),
    positionsOfBays(
      read.database,
      batch.map((row) => row.module_bay),
    ),
  ])
  return {
    templates: Map.groupBy(brought, ({ type }) => type),
    components: new Map(found.map((each) => [`${each.device} ${each.kind} ${each.name}`, each])),
    positions,
  }
})

const tableOf = (kind: KindName, suffix = ''): string => `dcim_${kind.replaceAll('_', '')}${suffix}`

/** Components must find their names free, or belong to no module where they are adopted. */
const namesAreFree: ModuleRule = async (change): Promise<Refusal | undefined> => {
  const { next, previous } = change
  if (previous || (!replicates(next) && !adopts(next))) return
  const { templates, components, positions } = await componentsOf(change)
  const place = { positions: positions.get(next.module_bay) ?? [], chassisPosition: null }
  for (const { kind, name } of templates.get(next.module_type) ?? []) {
    if (modulePlaceholders(name) > 0 && !place.positions.at(-1)) {
      return { non_field_errors: 'The module bay has no position to name components by.' }
    }
    const resolved = fillPlaceholders(name, place)
    if (resolved === undefined) {
      return { non_field_errors: `${name} does not fit ${place.positions.length} levels of bays.` }
    }
    const found = components.get(`${next.device} ${kind} ${resolved}`)
    if (found && (!adopts(next) || found.module !== null)) {
      return { non_field_errors: `The device has a component named ${resolved} already.` }
    }
  }
  return
}

const createComponents: ModuleEffect = async (effect) => {
  if (effect.action !== 'create') return
  const { database, write } = effect
  const modules = effect.rows
    .flatMap(({ next }) => next ?? [])
    .filter((row) => replicates(row) || adopts(row))
  if (modules.length === 0) return
  const positions = await positionsOfBays(
    database,
    modules.map((row) => row.module_bay),
  )
  const holders = await database.query<DevicePlace>(sql`
    select id, site_id as site, location_id as location, rack_id as rack,
      case when virtual_chassis_id is null then null else vc_position end as "chassisPosition"
    from dcim_device where id = any(${modules.map((row) => row.device)}::bigint[])`)
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
            adopts: adopts(row),
            replicates: replicates(row),
            positions: positions.get(row.module_bay) ?? [],
            chassisPosition: holder.chassisPosition,
          }
        : []
    }),
  ).run(ORDER)
}

type DevicePlace = {
  readonly id: number
  readonly site: number
  readonly location: number | null
  readonly rack: number | null
  readonly chassisPosition: number | null
}

/** Bays of a module stand below the bay that the module is in. */
const moveBays: ModuleEffect = async ({ action, rows, database, write }) => {
  if (action !== 'update') return
  const moved = rows.flatMap(({ previous, next }) =>
    previous && next && previous.module_bay !== next.module_bay ? [next.id] : [],
  )
  if (moved.length === 0) return
  const bays = await database.query<{ id: number; parent: number }>(sql`
    select b.id, m.module_bay_id as parent from dcim_modulebay b
    join dcim_module m on m.id = b.module_id
    where m.id = any(${moved}::bigint[]) order by b.id`)
  if (bays.length > 0) await write.update(moduleBay, bays)
}

export const moduleBehaviour = behaviour(deviceModule, {
  modelRules: [bayIsInDevice, bayIsEnabled, notInItself, namesAreFree],
  afterWrite: [createComponents, moveBays],
})
