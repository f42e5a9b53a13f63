import type { Step } from '../../schema/step.ts'
import { type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { allOf, type JoinedRows, joinStep, type StepJoin } from './join-step.ts'

/** A step that may lead to several rows. */
export type ToMany = Extract<Step, { readonly kind: 'manyToMany' | 'tags' | 'reverseForeignKey' | 'reverseGeneric' }>

export const isToMany = (step: Step | undefined): step is ToMany =>
  step?.kind === 'manyToMany' ||
  step?.kind === 'tags' ||
  step?.kind === 'reverseForeignKey' ||
  step?.kind === 'reverseGeneric'

/** The related rows `row` of an owner, to follow `from`. */
export interface RelatedRows {
  /** The rows, with the joining table if there is one. */
  readonly from: Sql
  /** Id of the owner. */
  readonly owner: Sql
  /** Condition on the type of the owner. */
  readonly condition: Sql | undefined
}

/** The rows `row` that the step leads to. */
export function relatedRows(step: ToMany, row: Sql): RelatedRows {
  const { id, condition, joined } = joinTo(step, row)
  const from = joined.areRelated ? joined.rows : sql`${joined.rows} join ${table(step.to)} ${row} on ${row}.id = ${id}`
  return { from, owner: joined.owner, condition }
}

/** Predicate: the step leads to the row `row` from the owner with the id. */
export function isRelatedTo(step: ToMany, row: Sql, id: Sql): Sql {
  const { joined, condition, id: relatedId } = joinTo(step, row)
  const isOwned = allOf(condition, sql`${joined.owner} = ${id}`)
  return joined.areRelated ? isOwned : sql`${row}.id in (select ${relatedId} from ${joined.rows} where ${isOwned})`
}

/** The step, with `row` as the name of the related rows if it joins them, and `link` for rows that only join them. */
function joinTo(step: ToMany, row: Sql): StepJoin & { readonly joined: JoinedRows } {
  const { joined, ...join } = joinStep(step, row, row)
  if (joined?.areRelated) return { ...join, joined }
  const linked = joinStep(step, row, sql`link`)
  if (!linked.joined) throw new Error(`A step to ${step.to.name} joins no rows`)
  return { ...linked, joined: linked.joined }
}
