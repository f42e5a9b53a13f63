import { mayAct, rowSecurityOf } from '../../../auth/permitted-rows.ts'
import { cachedColumn } from '../../../query/cached-column.ts'
import { compileFilters, relatedValuesOf } from '../../../query/compile-filters.ts'
import { applyRowSecurity } from '../../../query/row-security.ts'
import type { Model } from '../../../schema/registry.ts'
import { empty, join, type Sql, sql } from '../../../sql/fragment.ts'
import { table } from '../../../sql/table.ts'
import type { ApiRequest } from '../../api-request.ts'

/** A list of a model with its filters, as its address has them. */
export interface FilteredList {
  readonly model: Model
  readonly query: URLSearchParams
}

/**
 * Number of objects of each list that the sender may view, counted in one statement; 0 for lists that they may not view.
 * Throws `invalid` for filters that the list does not have.
 */
export async function countLists<List extends FilteredList>(
  request: ApiRequest,
  lists: readonly List[],
): Promise<ReadonlyMap<List, number>> {
  const { service, actor } = request
  const { registry, settings } = service
  const visible = lists.filter(({ model }) => mayAct(actor, 'view', model, settings))
  const security = rowSecurityOf(actor, registry, settings)
  const user = actor.kind === 'user' ? actor.id : undefined
  const related = relatedValuesOf(service, security.visibleRows)
  const counts = await Promise.all(
    visible.map(async ({ model, query }): Promise<Sql> => {
      const where = await compileFilters(service, model, query, security.visibleRows, user, related)
      return sql`(select count(*) from ${table(model, 'id')} t${where ? sql` where ${where}` : empty})`
    }),
  )
  if (counts.length === 0) return new Map()
  const statement = sql`select unnest(array[${join(counts)}]::bigint[])`
  const numbers = await cachedColumn(service, applyRowSecurity(security, statement), {
    isShort: true,
  })
  return new Map(visible.map((list, index) => [list, Number(numbers[index] ?? 0)]))
}
