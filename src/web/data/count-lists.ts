import type { ApiRequest } from '../../api/api-request.ts'
import { mayAct, rowSecurityOf } from '../../identity/permitted-rows.ts'
import { cachedColumn } from '../../read/query/cached-column.ts'
import { compileFilters, relatedValuesOf } from '../../read/query/compile-filters.ts'
import { filteredTable } from '../../read/query/filtered-table.ts'
import { applyRowSecurity } from '../../read/query/row-security.ts'
import type { Model } from '../../schema/registry.ts'
import { empty, join, type Sql, sql } from '../../sql/fragment.ts'

/** A list of a model with its filters, as its address has them. */
export interface FilteredList {
  readonly model: Model
  readonly query: URLSearchParams
}

/** Number of objects of a list that was counted; 0 for any other list. */
export type ListCounts = (list: FilteredList) => number

const keyOf = ({ model, query }: FilteredList): string => `${model.name}?${query}`

/**
 * Numbers of objects of the lists that the sender may view, counted in one statement; other lists have none. Throws
 * `invalid` for filters that a list does not have.
 */
export async function countLists(request: ApiRequest, lists: readonly FilteredList[]): Promise<ListCounts> {
  const { service, actor } = request
  const { registry, settings } = service
  const visible = new Map(
    lists.filter(({ model }) => mayAct(actor, 'view', model, settings)).map((list) => [keyOf(list), list] as const),
  )
  const security = rowSecurityOf(actor, registry, settings)
  const user = actor.kind === 'user' ? actor.id : undefined
  const related = relatedValuesOf(service, security.visibleRows)
  const counts = await Promise.all(
    [...visible.values()].map(async ({ model, query }): Promise<Sql> => {
      const where = await compileFilters(service, model, query, security.visibleRows, user, related)
      return sql`(select count(*) from ${filteredTable(model, where)} t${where ? sql` where ${where}` : empty})`
    }),
  )
  if (counts.length === 0) return () => 0
  const statement = sql`select unnest(array[${join(counts)}]::bigint[])`
  const numbers = await cachedColumn(service, applyRowSecurity(security, statement))
  const byKey = new Map([...visible.keys()].map((key, index) => [key, Number(numbers[index] ?? 0)]))
  return (list) => byKey.get(keyOf(list)) ?? 0
}
