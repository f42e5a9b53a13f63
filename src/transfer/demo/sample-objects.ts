import { overlayOfChanges } from '../../changes/branches/branch-changes.ts'
import { BRANCH } from '../../db/branches/branch-tables.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { Service } from '../../service.ts'
import { identifier, join, sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { systemTable, table } from '../../sql/table.ts'
import type { WriteContext } from '../../write/context.ts'
import { deleteWithDependents } from '../../write/remove/cascade.ts'
import { findDependents, findReferences, type RowIds } from '../../write/remove/find-dependents.ts'
import { findLostData } from '../../write/remove/lost-data.ts'

/** Under this name the import map has the objects that the sample network has created. */
export const CREATED_BY_SAMPLE = 'sample network: created'

/** The author in the change records of the sample network. */
export const SAMPLE_AUTHOR = 'demo'

/** Objects of the sample network: those that can be removed, and those that stay because of what people have added. */
export interface SampleObjects {
  readonly removable: RowIds
  readonly staying: RowIds
}

/** Whether any object that the sample network has created still exists. */
export const hasSample = async (service: Service): Promise<boolean> =>
  [...(await existingRows(service, service.database)).values()].some((ids) => ids.size > 0)

/** The objects that the sample network has created and that still exist, by model. */
async function existingRows({ registry }: Service, queryable: Queryable): Promise<Map<Model, Set<number>>> {
  const entries = sql`${table(SYSTEM.importedObject)} i where i.source = ${CREATED_BY_SAMPLE}`
  const names = await queryable.queryColumn(sql`select distinct i.object_type from ${entries}`)
  const models = names.flatMap((name) => registry.models.get(String(name)) ?? [])
  if (models.length === 0) return new Map()
  const parts = models.map(
    (model) => sql`select i.object_type, t.id from ${table(model)} t
      join ${table(SYSTEM.importedObject)} i on i.local_id = t.id
      where i.source = ${CREATED_BY_SAMPLE} and i.object_type = ${model.name}`,
  )
  const rows = await queryable.queryArrays(join(parts, ' union all '))
  const byModel = new Map<Model, Set<number>>()
  for (const [name, id] of rows) {
    const model = registry.model(String(name))
    byModel.set(model, (byModel.get(model) ?? new Set()).add(Number(id)))
  }
  return byModel
}

/** A row, by the name of its model and its id. */
const keyOf = ({ name }: Model, id: number): string => `${name}:${id}`

/** Personal marks, which go with the object. */
const MARKS: ReadonlySet<string> = new Set([SYSTEM.bookmark, SYSTEM.subscription, SYSTEM.notification])

/** Whether rows of the model only belong to other objects, so that they go with them. */
const isPart = (model: Model): boolean => pagePathOf(model) === undefined || MARKS.has(model.name)

/**
 * Divides the objects of the sample network: an object to which anything of people refers stays, and so does everything
 * to which a staying object refers.
 */
export async function sampleObjects(context: WriteContext): Promise<SampleObjects> {
  const { service, transaction } = context
  const all = await existingRows(service, transaction)
  const references = await findReferences(context, all)
  const staying = new Map<Model, Set<number>>()
  const keep = (model: Model, id: number): void => {
    staying.set(model, (staying.get(model) ?? new Set()).add(id))
  }
  const isKept = (model: Model, id: number): boolean => staying.get(model)?.has(id) === true
  const ofSample = (model: Model, id: number): boolean => all.get(model)?.has(id) === true
  for (const { referrer, id, target, to } of references) {
    if (!ofSample(referrer.model, id) && !isPart(referrer.model)) keep(to, target)
  }
  for (const [model, id] of await definitionsInUse(context, all)) keep(model, id)
  for (const id of await changedBranches(service, transaction, all)) keep(service.registry.model(SYSTEM.branch), id)
  const bySource = Map.groupBy(references, ({ referrer, id }) => keyOf(referrer.model, id))
  // Sets also visit what is added during the loop.
  for (const [model, ids] of staying) {
    for (const id of ids) {
      for (const { to, target } of bySource.get(keyOf(model, id)) ?? []) if (!isKept(to, target)) keep(to, target)
    }
  }
  return { removable: without(all, staying), staying }
}

const without = (all: RowIds, staying: RowIds): RowIds =>
  new Map(
    [...all].flatMap(([model, ids]) => {
      const leaving = new Set([...ids].filter((id) => staying.get(model)?.has(id) !== true))
      return leaving.size > 0 ? [[model, leaving] as const] : []
    }),
  )

/** Custom fields and tags that people use for objects of their own. */
async function definitionsInUse(context: WriteContext, all: RowIds): Promise<readonly (readonly [Model, number])[]> {
  const definitions = [...all].filter(({ 0: { name } }) => name === SYSTEM.customField || name === SYSTEM.tag)
  const uses = await Promise.all(
    definitions.map(async ([model, ids]) => {
      const { values } = await findLostData(context, new Map([[model, ids]]))
      const isUsed = values.some((lost) => lost.ids.some((id) => all.get(lost.model)?.has(id) !== true))
      return isUsed ? [...ids].map((id) => [model, id] as const) : []
    }),
  )
  return uses.flat()
}

/** Branches of the sample in which people have changed something. */
async function changedBranches({ registry }: Service, queryable: Queryable, all: RowIds): Promise<readonly number[]> {
  const ids = [...(all.get(registry.model(SYSTEM.branch)) ?? [])]
  if (ids.length === 0) return []
  const branch = sql`o.${identifier(BRANCH)}`
  const changed = await queryable.queryColumn(sql`
    select distinct ${branch} from ${systemTable(overlayOfChanges(registry))} o
    where ${branch} = any(${ids}::bigint[]) and o.user_name <> ${SAMPLE_AUTHOR}`)
  return changed.map(Number)
}

/** Deletes what the sample network has created, except for what stays. Returns both; `removable` is deleted. */
export async function removeSample(context: WriteContext): Promise<SampleObjects> {
  const objects = await sampleObjects(context)
  if (objects.removable.size > 0) {
    await deleteWithDependents(context, await findDependents(context, objects.removable), () => '')
  }
  return objects
}
