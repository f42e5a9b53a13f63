import { oncePerBatch } from '../../schema/once-per-batch.ts'
import {
  behaviour,
  type Change,
  type EffectFunction,
  type Normalizer,
  type Refusal,
  type Rule,
} from '../../schema/rule.ts'
import { words } from '../../schema/view.ts'
import { join, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { positionsOfBays } from './bay-positions.ts'
import { Instantiation, type KindName } from './instantiate.ts'
import { deviceModule } from './module.ts'
import { moduleBay } from './module-bay.ts'
import { fitsInto } from './module-bay-type.ts'
import { moveParts, partsCanMove } from './module-move.ts'
import { fillPlaceholders, modulePlaceholders } from './placeholders.ts'

/** Option in the body that creates a module; it is not stored. */
const instruction = (row: object, name: string, otherwise: boolean): boolean =>
  ((row as Record<string, unknown>)[name] as boolean | undefined) ?? otherwise

/** Whether a new module gets components from the templates of its type. */
const replicatesComponents = (row: object): boolean => instruction(row, 'replicate_components', true)

/** Whether a new module adopts components of the device that have the templates' names. */
const adoptsComponents = (row: object): boolean => instruction(row, 'adopt_components', false)

/** Kinds of components in the order in which a module's are created. */
const KIND_ORDER: readonly KindName[] = words(`
  console_port console_server_port interface power_port power_outlet cooling_intake cooling_outflow rear_port front_port module_bay
`)

type ModuleEffect = EffectFunction<typeof deviceModule.fields>

const createModuleComponents: ModuleEffect = async (effect) => {
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
  const devices = new Map(holders.map((holder) => [holder.id, holder]))
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

type ModuleRule = Rule<typeof deviceModule.fields>
type ModuleChange = Change<typeof deviceModule.fields>

/** Kinds whose names must be unused before a module is created; module bays are checked elsewhere. */
const CHECKED = KIND_ORDER.filter((name) => name !== 'module_bay')

const bayIsInDevice: ModuleRule = async ({ next, read }) => {
  const bay = await read.get(moduleBay, next.module_bay)
  return bay.device === next.device
    ? undefined
    : { __all__: `The module bay ${bay.display} belongs to another device.` }
}

/** A module that is already installed may stay. */
const bayIsEnabled: ModuleRule = async ({ next, previous, read }) => {
  if (previous?.module_bay === next.module_bay) return
  const bay = await read.get(moduleBay, next.module_bay)
  return bay.enabled ? undefined : { module_bay: 'The module bay is disabled.' }
}

/** A module follows its bay to another device. */
const followBay: Normalizer<typeof deviceModule.fields> = async ({ next, previous, sent, read }) =>
  previous && sent.has('module_bay') && !sent.has('device') && previous.module_bay !== next.module_bay
    ? { device: (await read.get(moduleBay, next.module_bay)).device }
    : undefined

const partsFollow: ModuleRule = ({ next, previous, read }) =>
  previous && previous.device !== next.device ? partsCanMove(read, next.id) : undefined

/** Bays of the batch's modules into which the modules do not fit. */
const wrongBays = oncePerBatch(async ({ batch, read }: ModuleChange) => {
  const rows = await read.database.queryArrays(sql`
    select p.bay, p.type
    from unnest(${batch.map((row) => row.module_bay)}::bigint[], ${batch.map((row) => row.module_type)}::bigint[]) p(bay, type)
    where not ${fitsInto(sql`p.bay`, sql`p.type`)}`)
  return new Set(rows.map(([bay, type]) => `${bay} ${type}`))
})

const fitsItsBay: ModuleRule = async (change) =>
  (await wrongBays(change)).has(`${change.next.module_bay} ${change.next.module_type}`)
    ? { __all__: 'Modules of this type do not fit into the module bay.' }
    : undefined

const notInItself: ModuleRule = async ({ next, read }) => {
  const seen = new Set<number>()
  let bay = await read.get(moduleBay, next.module_bay)
  while (bay.module !== null && !seen.has(bay.module)) {
    if (bay.module === next.id) return { __all__: 'A module cannot be installed in one of its own bays.' }
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

/** New components of the batch's modules, and existing components of their devices. */
const componentsOf = oncePerBatch(async ({ batch, read }: ModuleChange) => {
  const types = [...new Set(batch.map(({ module_type }) => module_type))]
  const devices = [...new Set(batch.map((row) => row.device))]
  const templates = CHECKED.map(
    (kind) => sql`select module_type_id as type, ${kind} as kind, name
      from ${table(`${modelOf(kind)}template`)} where module_type_id = any(${types}::bigint[])`,
  )
  const components = CHECKED.map(
    (kind) => sql`select device_id as device, ${kind} as kind, name, module_id as module
      from ${table(modelOf(kind))} where device_id = any(${devices}::bigint[])`,
  )
  const [brought, existing, positions] = await Promise.all([
    read.database.query<Template & Record<string, unknown>>(join(templates, ' union all ')),
    read.database.query<Component & Record<string, unknown>>(join(components, ' union all ')),
    positionsOfBays(
      read.database,
      batch.map((row) => row.module_bay),
    ),
  ])
  return {
    templates: Map.groupBy(brought, ({ type }) => type),
    components: new Map(
      existing.map((component) => [`${component.device} ${component.kind} ${component.name}`, component]),
    ),
    positions,
  }
})

/** Name of the model of the components. */
const modelOf = (kind: KindName): string => `dcim.${kind.replaceAll('_', '')}`

/** Names of new components must be unused; adopted components must not belong to a module. */
const namesAreFree: ModuleRule = async (change): Promise<Refusal | undefined> => {
  const { next, previous } = change
  if (previous || (!replicatesComponents(next) && !adoptsComponents(next))) return
  const { templates, components, positions } = await componentsOf(change)
  const place = { positions: positions.get(next.module_bay) ?? [], chassisPosition: null }
  for (const { kind, name } of templates.get(next.module_type) ?? []) {
    if (modulePlaceholders(name) > 0 && !place.positions.at(-1)) {
      return { non_field_errors: 'The module bay needs a position, because the names of the components contain it.' }
    }
    const resolved = fillPlaceholders(name, place)
    if (resolved === undefined) {
      return { non_field_errors: `${name} does not fit ${place.positions.length} levels of bays.` }
    }
    const existing = components.get(`${next.device} ${kind} ${resolved}`)
    if (existing && (!adoptsComponents(next) || existing.module !== null)) {
      return { non_field_errors: `The device already has a component named ${resolved}.` }
    }
  }
  return
}

export const moduleBehaviour = behaviour(deviceModule, {
  normalize: [followBay],
  modelRules: [bayIsInDevice, fitsItsBay, bayIsEnabled, notInItself, partsFollow, namesAreFree],
  afterWrite: [createModuleComponents, moveParts(positionsOfBays)],
})
