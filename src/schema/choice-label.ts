import { empty, join, type Sql, sql } from '../sql/fragment.ts'
import type { ChoiceSet } from './choices.ts'

/** The label of a stored choice as SQL text; null if the value is null, empty or unknown. */
export function labelOf(value: Sql, { list }: ChoiceSet): Sql {
  const branches = list.map((choice) => sql`when ${choice.value} then ${choice.label}`)
  return branches.length === 0 ? empty : sql`(case ${value} ${join(branches, ' ')} end)`
}
