import type { Model } from '../../schema/registry.ts'
import { empty, identifier, type Sql, sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { filteredTable } from './filtered-table.ts'
import type { Order } from './order.ts'
import { applyRowSecurity, type RowSecurity } from './row-security.ts'
import type { Window } from './window.ts'

/** Rows of a model: those that match the parameters, among those that the user may view. */
export interface Selection {
  readonly where?: Sql | undefined
  readonly security: RowSecurity
}

/**
 * Ids of one slice, in its order. They are found by a separate query, so skipped rows and rows with cached JSON are not
 * fetched.
 */
export const sliceStatement = (model: Model, slice: RowSlice & Selection): Sql =>
  applyRowSecurity(slice.security, selectSlice(model, slice, sql`t.id`))

/** A slice of the rows of a model, in order. */
export interface RowSlice {
  readonly where?: Sql | undefined
  readonly order: Order
  readonly window: Window
}

/** Selects expressions over the rows `t` of a slice, in its order. The caller restricts it to visible rows. */
export function selectSlice(model: Model, { where, order, window }: RowSlice, select: Sql): Sql {
  const limit = window.limit === undefined ? empty : sql` limit ${window.limit}::bigint`
  if (window.start !== undefined) {
    const isLater = sql`t.id >= ${window.start}::bigint`
    const condition = where ? sql`${where} and ${isLater}` : isLater
    return sql`select ${select} from ${filteredTable(model, where)} t${whereOf(condition)} order by t.id${limit}`
  }
  const offset = window.offset === 0 ? empty : sql` offset ${window.offset}::bigint`
  return sql`select ${select} from ${filteredTable(model, where)} t ${order.joins}${whereOf(where)} order by ${order.terms}${limit}${offset}`
}

/** Ids of the rows of the selection, at most `limit` if it is given, in any order. */
export const anyRows = (model: Model, { where, security }: Selection, limit?: number): Sql => {
  const end = limit === undefined ? empty : sql` limit ${limit}::bigint`
  return applyRowSecurity(security, sql`select t.id from ${filteredTable(model, where)} t${whereOf(where)}${end}`)
}

/** Number of rows of the selection, as `count`. */
export const countStatement = (model: Model, { where, security }: Selection): Sql =>
  applyRowSecurity(security, sql`select count(*) as count from ${filteredTable(model, where)} t${whereOf(where)}`)

/** For each value of a field with one column: the value, and the number of rows of the selection that have it. */
export function countsByValue(model: Model, { where, security }: Selection, field: string): Sql {
  const column = model.columns.get(field)
  if (!column) throw new Error(`${model.name} has no column ${field}`)
  const value = identifier('t', column.name)
  return applyRowSecurity(
    security,
    sql`select ${value} as value, count(*) as count from ${filteredTable(model, where)} t${whereOf(where)} group by 1`,
  )
}

/** Ids of the rows of the selection, in the given order, by default by id. */
export async function selectIds(
  queryable: Queryable,
  model: Model,
  selection: Selection & { readonly order?: Order },
): Promise<number[]> {
  const { order, where, security } = selection
  const statement = sql`select t.id from ${filteredTable(model, where)} t ${order?.joins ?? empty}${whereOf(where)} order by ${order?.terms ?? sql`t.id`}`
  const rows = await queryable.query<{ id: number }>(applyRowSecurity(security, statement))
  return rows.map(({ id }) => id)
}

const whereOf = (where: Sql | undefined): Sql => (where ? sql` where ${where}` : empty)
