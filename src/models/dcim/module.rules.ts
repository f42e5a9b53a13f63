import { oncePerBatch } from '../../schema/once-per-batch.ts'
import { behaviour, type Change, type Refusal, type Rule } from '../../schema/rule.ts'
import { join, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import type { KindName } from './instantiate.ts'
import { createModuleComponents, moveBays } from './module.effects.ts'
import { deviceModule } from './module.ts'
import { moduleBay } from './module-bay.ts'
import { adoptsComponents, KIND_ORDER, replicatesComponents } from './module-components.ts'
import { positionsOfBays } from './module-positions.ts'
import { fillPlaceholders, modulePlaceholders } from './placeholders.ts'

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

/** A module that is installed already may stay. */
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
      return { non_field_errors: 'The module bay has no position to name components by.' }
    }
    const resolved = fillPlaceholders(name, place)
    if (resolved === undefined) {
      return { non_field_errors: `${name} does not fit ${place.positions.length} levels of bays.` }
    }
    const found = components.get(`${next.device} ${kind} ${resolved}`)
    if (found && (!adoptsComponents(next) || found.module !== null)) {
      return { non_field_errors: `The device has a component named ${resolved} already.` }
    }
  }
  return
}

export const moduleBehaviour = behaviour(deviceModule, {
  modelRules: [bayIsInDevice, bayIsEnabled, notInItself, namesAreFree],
  afterWrite: [createModuleComponents, moveBays],
})
