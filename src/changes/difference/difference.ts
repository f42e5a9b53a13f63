import { genericKeys } from '../../schema/generic-keys.ts'
import type { Model } from '../../schema/registry.ts'
import { identifier, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import type { WriteContext } from '../../write/context.ts'
import { actionOf, type DependentReference, findReferences, type RowIds } from '../../write/remove/find-dependents.ts'
import type { DraftRow } from '../../write/rows.ts'
import type { RestoredValues } from '../records/recorded-row.ts'

/** Values by the id of their object, by model. */
type ByObject<T> = Map<Model, Map<number, T>>

/** What is to become of main: the difference between its present state and the one after an undo or a merge. */
export interface Difference {
  /** Whole rows of objects that do not exist now, by row key. */
  readonly created: ByObject<DraftRow>
  /**
   * Values to set, by row key, or functions of the present value; none for an object that only parts in other tables
   * change.
   */
  readonly changed: ByObject<RestoredValues>
  readonly deleted: Map<Model, Set<number>>
  /** Entries of lists of other objects that name a deleted one. */
  readonly unlinked: DependentReference[]
}

export const emptyDifference = (): Difference => ({
  ...{ created: new Map(), changed: new Map(), deleted: new Map(), unlinked: [] },
})

/** The values of the model's objects, which the caller may add to. */
export function valuesIn<T>(map: ByObject<T>, model: Model): Map<number, T> {
  const values = map.get(model) ?? new Map<number, T>()
  map.set(model, values)
  return values
}

/** Adds an object to those to be deleted. */
export function markDeleted({ deleted }: Difference, model: Model, id: number): void {
  deleted.set(model, (deleted.get(model) ?? new Set()).add(id))
}

/** Sets further values of an existing object. */
export function addValues({ changed }: Difference, model: Model, id: number, values: RestoredValues): void {
  const objects = valuesIn(changed, model)
  objects.set(id, { ...objects.get(id), ...values })
}

/** Leaves out values of a changed object. */
export function removeValues({ changed }: Difference, model: Model, id: number, names: ReadonlySet<string>): void {
  const values = changed.get(model)?.get(id)
  if (!values) return
  const remaining = Object.entries(values).filter(([key]) => !names.has(key))
  valuesIn(changed, model).set(id, Object.fromEntries(remaining))
}

/** The references without those of derived rows, which are deleted with what they follow from. */
async function withoutDerivedRows(
  { transaction }: Pick<WriteContext, 'transaction'>,
  difference: Difference,
  references: readonly DependentReference[],
): Promise<readonly DependentReference[]> {
  for (const [model, list] of Map.groupBy(references, ({ referrer }) => referrer.model)) {
    const { derivedRows } = model.definition
    if (derivedRows === undefined) continue
    const ids = await transaction.queryColumn(sql`
      select id from ${table(model)}
      where ${identifier(derivedRows)} and id = any(${list.map(({ id }) => id)}::bigint[])`)
    for (const id of ids) markDeleted(difference, model, Number(id))
  }
  return references.filter(({ referrer, id }) => !difference.deleted.get(referrer.model)?.has(id))
}

/**
 * The references of main to objects that are deleted, or that are deleted together with these, from objects that stay
 * and still refer to them afterwards.
 */
export async function remainingReferences(
  context: Pick<WriteContext, 'transaction'>,
  difference: Difference,
): Promise<readonly DependentReference[]> {
  const reached = new Map([...difference.deleted].map(([model, ids]) => [model, new Set(ids)]))
  const references: DependentReference[] = []
  for (let level: RowIds = reached; level.size > 0; ) {
    const referring = await withoutDerivedRows(context, difference, await findReferences(context, level))
    const next = new Map<Model, Set<number>>()
    for (const reference of referring) {
      if (!stillRefers(difference, reference)) continue
      references.push(reference)
      const { referrer, id } = reference
      if (isCopied(referrer) || actionOf(referrer) !== 'cascade' || reached.get(referrer.model)?.has(id)) continue
      reached.set(referrer.model, (reached.get(referrer.model) ?? new Set()).add(id))
      next.set(referrer.model, (next.get(referrer.model) ?? new Set()).add(id))
    }
    level = next
  }
  return references
}

/** Whether effects copy the reference from another object. */
export const isCopied = ({ kind, field }: DependentReference['referrer']): boolean =>
  kind !== 'manyToMany' && (field.hidden === true || ('maintained' in field && field.maintained === true))

function stillRefers({ changed }: Difference, { referrer, id, target, to }: DependentReference): boolean {
  const values = changed.get(referrer.model)?.get(id)
  if (!values) return true
  if (referrer.kind === 'manyToMany') {
    const list = values[referrer.name]
    return !Array.isArray(list) || list.includes(target)
  }
  if (referrer.kind === 'foreignKey') return !(referrer.name in values) || values[referrer.name] === target
  const { type, id: key } = genericKeys(referrer.name, referrer.field)
  return (!(type in values) || values[type] === to.name) && (!(key in values) || values[key] === target)
}
