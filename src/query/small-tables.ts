import { oncePer } from '../schema/once-per.ts'
import type { Model } from '../schema/registry.ts'
import type { Service } from '../service.ts'
import type { Sql } from '../sql/fragment.ts'
import type { QueryOptions } from '../sql/queryable.ts'
import type { Selection } from './page.ts'
import { allVisible } from './row-predicate.ts'

/** A table with fewer rows is read, and sorted, faster than a second connection to the server is used. */
const SMALL = 5_000

/** Names of the models' tables that had fewer rows when they were last counted. */
const smallOf = oncePer((_database: Service['database']) => new Set<string>())

/** How to send a query that reads the table of the model for the selection. */
export const optionsFor = (
  service: Service,
  { table }: Model,
  { where, security }: Selection,
): QueryOptions => {
  const small = smallOf(service.database)
  const isWithinSmall = security.visibleRows === allVisible && small.has(table)
  // There are no statistics on rows of another time, so a condition on these is planned for its values.
  const areOthersSmall = (condition: Sql): boolean =>
    !service.isPast && condition.tables.every((name) => small.has(name))
  return { isShort: isWithinSmall && (where === undefined || areOthersSmall(where)) }
}

/** Called with the number of rows of a selection. */
export function noteCount(
  { database }: Service,
  { table }: Model,
  { where, security }: Selection,
  count: number,
): void {
  const isWhole = where === undefined && security.visibleRows === allVisible
  if (count >= SMALL) smallOf(database).delete(table)
  else if (isWhole) smallOf(database).add(table)
}
