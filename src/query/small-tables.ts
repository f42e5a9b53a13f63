import { oncePer } from '../schema/once-per.ts'
import type { Model } from '../schema/registry.ts'
import type { Service } from '../service.ts'
import type { QueryOptions } from '../sql/queryable.ts'
import type { Selection } from './page.ts'
import { allVisible } from './row-predicate.ts'

/** A table with fewer rows is read, and sorted, faster than a second connection to the server is used. */
const SMALL = 5_000

/** Models whose tables had fewer rows when they were last counted. */
const smallOf = oncePer((_database: Service['database']) => new Set<Model>())

const isWholeTable = ({ where, security }: Selection): boolean =>
  where === undefined && security.visibleRows === allVisible

/** How to send a query that reads the table of the model for the selection, and no other table as a whole. */
export const optionsFor = (
  { database }: Service,
  model: Model,
  selection: Selection,
): QueryOptions => ({
  isShort: isWholeTable(selection) && smallOf(database).has(model),
})

/** Called with the number of rows of a selection. */
export function noteCount(
  { database }: Service,
  model: Model,
  selection: Selection,
  count: number,
): void {
  if (!isWholeTable(selection)) return
  if (count < SMALL) smallOf(database).add(model)
  else smallOf(database).delete(model)
}
