import { forbidden } from '../../../../base/errors.ts'
import { KIND_NAMES, KINDS, type KindName, REFERENCES } from '../../../../models/dcim/instantiate.ts'
import { fillPlaceholders } from '../../../../models/dcim/placeholders.ts'
import type { Comparison, TypeDifference } from '../../../../models/dcim/type-differences.ts'
import { identifier, join, sql } from '../../../../sql/fragment.ts'
import { table } from '../../../../sql/table.ts'
import type { WriteContext } from '../../../../write/context.ts'
import { createObjects } from '../../../../write/create-objects.ts'
import { deleteObjects } from '../../../../write/remove/delete-objects.ts'
import { updateObjects } from '../../../../write/update-objects.ts'

type Values = Readonly<Record<string, unknown>>

/** A difference with the device or module that has it. */
interface Found extends TypeDifference {
  readonly at: Comparison
}

/**
 * Makes the components follow their types: renames and changes those that differ, and creates those that are missing; with
 * `removesExtra`, deletes extra ones without a cable. Each step is one batch per kind of component, with the rights of
 * the actor. Throws ApiError.
 */
export async function applyTypes(
  context: WriteContext,
  by: 'device_type' | 'module_type',
  comparisons: readonly Comparison[],
  { removesExtra }: { readonly removesExtra: boolean },
): Promise<void> {
  const found = comparisons.flatMap((at) => at.differences.map((difference): Found => ({ ...difference, at })))
  const byKind = Map.groupBy(found, ({ kind }) => kind)
  for (const kind of KIND_NAMES) {
    const differences = byKind.get(kind) ?? []
    const extra = differences.filter(({ difference, isCabled }) => difference === 'extra' && !isCabled && removesExtra)
    await remove(context, kind, extra)
    await change(
      context,
      kind,
      differences.filter(({ component, template }) => component !== null && template !== null),
    )
    await create(
      context,
      by,
      kind,
      differences.filter(({ difference }) => difference === 'missing'),
    )
  }
}

const modelOf = ({ service }: WriteContext, kind: KindName) => service.registry.model(KINDS[kind].component.name)

async function remove(context: WriteContext, kind: KindName, extra: readonly Found[]): Promise<void> {
  if (extra.length === 0) return
  const targets = extra.map(({ component }) => ({ id: component ?? 0 }))
  await deleteObjects(context, modelOf(context, kind), targets, { bulk: true, refusesUnknown: true })
}

/**
 * Changes components, those first whose new names nobody has: a name that moves from one port to the next is free once the
 * next one has been renamed. Names that move in a circle are set aside before.
 */
async function change(context: WriteContext, kind: KindName, differing: readonly Found[]): Promise<void> {
  const finalBody = ({ changes }: Found) =>
    Object.fromEntries(Object.entries(changes).map(([field, [, becomes]]) => [field, becomes]))
  for (let waiting = differing; waiting.length > 0; ) {
    const held = new Set(waiting.filter(({ changes }) => changes.name).map(({ at, name }) => keyOf(at, name)))
    const isFree = ({ at, changes }: Found): boolean => !changes.name || !held.has(keyOf(at, String(changes.name[1])))
    const free = waiting.filter(isFree)
    if (free.length === 0) await update(context, kind, waiting, ({ component }) => ({ name: `…${component}` }))
    const next = free.length === 0 ? waiting : free
    await update(context, kind, next, finalBody)
    const done = new Set(next)
    waiting = waiting.filter((component) => !done.has(component))
  }
}

const keyOf = ({ follower: { device } }: Comparison, name: string): string => `${device} ${name}`

async function update(
  context: WriteContext,
  kind: KindName,
  differing: readonly Found[],
  bodyOf: (found: Found) => Values,
): Promise<void> {
  if (differing.length === 0) return
  const targets = differing.map((found) => ({ id: found.component ?? 0, body: bodyOf(found) }))
  const changed = await updateObjects(context, modelOf(context, kind), targets, { partial: true, bulk: true })
  if (changed.length < targets.length) throw forbidden()
}

type Template = Values & { readonly id: number }

async function create(
  context: WriteContext,
  by: 'device_type' | 'module_type',
  kind: KindName,
  missing: readonly Found[],
): Promise<void> {
  if (missing.length === 0) return
  const model = modelOf(context, kind)
  const ids = [...new Set(missing.map(({ template }) => template ?? 0))]
  const templates = new Map((await templatesWith(context, kind, ids)).map((template) => [template.id, template]))
  const mappings = kind === 'front_port' ? await mappingsOf(context, ids) : new Map<number, readonly Mapping[]>()
  const levels = Map.groupBy(missing, ({ template }) => Number(templates.get(template ?? 0)?._level ?? 0))
  // An inventory item needs the id of its parent.
  for (const level of [...levels.keys()].sort((left, right) => left - right)) {
    const rows = (levels.get(level) ?? []).flatMap((found) => {
      const template = templates.get(found.template ?? 0)
      return template ? [{ found, template }] : []
    })
    const bodies = rows.map(({ found, template }) => ({
      ...bodyOf(kind, template, found, by),
      ...(kind === 'front_port' && { rear_ports: rearPortsOf(mappings.get(template.id) ?? [], found.at) }),
    }))
    const created = await createObjects(context, model, bodies, { bulk: true })
    for (const [index, { found, template }] of rows.entries()) {
      found.at.components.set(`${kind} ${template.id}`, created[index] ?? 0)
    }
    if (kind === 'interface') await connectInterfaces(context, rows)
  }
}

const componentFor = ({ components }: Comparison, kind: KindName, template: unknown): number | null =>
  components.get(`${kind} ${template}`) ?? null

/** The templates with everything that a component gets from them. */
async function templatesWith(
  { transaction }: WriteContext,
  kind: KindName,
  ids: readonly number[],
): Promise<readonly Template[]> {
  const { component, copied } = KINDS[kind]
  const columns = [...copied, ...(REFERENCES[kind] ?? [])].map((column) => sql`, ${identifier('t', column)}`)
  const bayTypes = sql`, array(
    select x.modulebaytype_id from ${table('dcim.modulebaytemplate.module_bay_types')} x
    where x.modulebaytemplate_id = t.id order by 1) as module_bay_types`
  return await transaction.query<Template>(sql`
    select t.id, t.name, t.label, t.description${join(columns, '')}${kind === 'module_bay' ? bayTypes : sql``}
    from ${table(`${component.name}template`)} t where t.id = any(${ids}::bigint[])`)
}

function bodyOf(kind: KindName, template: Template, { at }: Found, by: 'device_type' | 'module_type'): Values {
  const { follower } = at
  const text = (value: unknown): string => fillPlaceholders(String(value), follower) ?? String(value)
  const copies = KINDS[kind].copied.map((column) => [column.replace(/_id$/, ''), template[column]] as const)
  return {
    ...Object.fromEntries(copies),
    ...{ device: follower.device, name: text(template.name), label: text(template.label) },
    ...(by === 'module_type' && { module: follower.id }),
    ...(kind === 'power_outlet' && { power_port: componentFor(at, 'power_port', template.power_port_id) }),
    ...(kind === 'cooling_outflow' && {
      cooling_intake: componentFor(at, 'cooling_intake', template.cooling_intake_id),
    }),
    ...(kind === 'module_bay' && { position: text(template.position), module_bay_types: template.module_bay_types }),
    ...(kind === 'inventory_item' && { parent: componentFor(at, 'inventory_item', template.parent_id) }),
  }
}

interface Mapping extends Record<string, unknown> {
  readonly front: number
  readonly position: number
  readonly rear: number
  readonly rear_position: number
}

async function mappingsOf(
  { transaction }: WriteContext,
  fronts: readonly number[],
): Promise<ReadonlyMap<number, readonly Mapping[]>> {
  const rows = await transaction.query<Mapping>(sql`
    select t.front_port_id as front, t.front_port_position as position, t.rear_port_id as rear,
      t.rear_port_position as rear_position
    from ${table('dcim.porttemplatemapping')} t where t.front_port_id = any(${fronts}::bigint[]) order by t.id`)
  return Map.groupBy(rows, ({ front }) => front)
}

const rearPortsOf = (mappings: readonly Mapping[], at: Comparison): readonly Values[] =>
  mappings.flatMap(({ position, rear, rear_position }) => {
    const rear_port = componentFor(at, 'rear_port', rear)
    return rear_port === null ? [] : [{ position, rear_port, rear_port_position: rear_position }]
  })

/** Bridges and parents are set after all interfaces have been created. */
async function connectInterfaces(
  context: WriteContext,
  rows: readonly { readonly found: Found; readonly template: Template }[],
): Promise<void> {
  const targets = rows.flatMap(({ found: { at }, template }) => {
    const [bridge, parent] = [template.bridge_id, template.parent_id].map((id) => componentFor(at, 'interface', id))
    if (bridge === null && parent === null) return []
    return [{ id: componentFor(at, 'interface', template.id) ?? 0, body: { bridge, parent } }]
  })
  if (targets.length === 0) return
  await updateObjects(context, modelOf(context, 'interface'), targets, { partial: true, bulk: true })
}
