import type { ApiRequest } from '../../api/api-request.ts'
import { ApiError } from '../../base/errors.ts'
import type { Actor } from '../../identity/actor.ts'
import { mayAct, rowSecurityOf } from '../../identity/permitted-rows.ts'
import { compileFilters, relatedValuesOf } from '../../read/query/compile-filters.ts'
import { filteredTable } from '../../read/query/filtered-table.ts'
import { applyRowSecurity } from '../../read/query/row-security.ts'
import { oncePer } from '../../schema/once-per.ts'
import type { Model } from '../../schema/registry.ts'
import { empty, join, type Sql, sql } from '../../sql/fragment.ts'

/** A list of a model with its filters, as its address has them. */
export interface FilteredList {
  readonly model: Model
  readonly query: URLSearchParams
}

/**
 * Number of objects of a list that was counted; 0 for any other list. Undefined for a list that the sender cannot open,
 * because it is filtered by an object that the sender may not view, such as the VRF of a prefix.
 */
export type ListCounts = (list: FilteredList) => number | undefined

const keyOf = ({ model, query }: FilteredList): string => `${model.name}?${query}`

/** Identifies the sender: the permissions of an actor do not change. */
let actors = 0
const numberOf = oncePer((_actor: Actor) => actors++)

/**
 * Numbers of objects of the lists that the sender may view, counted in one statement; other lists have none.
 */
export async function countLists(request: ApiRequest, lists: readonly FilteredList[]): Promise<ListCounts> {
  const { service, actor } = request
  const visible = new Map(
    lists
      .filter(({ model }) => mayAct(actor, 'view', model, service.settings))
      .map((list) => [keyOf(list), list] as const),
  )
  if (visible.size === 0) return () => 0
  const keys = [...visible.keys()]
  // Compiling so many filters takes longer than all else that a page of cached objects does.
  const key = `counts ${numberOf(actor)} ${keys.join(' ')}`
  const read = () => readCounts(request, [...visible.values()])
  const numbers = await service.cache.get(key, read, { bytes: keys.length * COUNT_BYTES })
  const byKey = new Map(keys.map((list, index) => [list, numbers[index]]))
  return (list) => (byKey.has(keyOf(list)) ? byKey.get(keyOf(list)) : 0)
}

/** Approximate bytes of a number in a list. */
const COUNT_BYTES = 16

async function readCounts(
  { service, actor }: ApiRequest,
  lists: readonly FilteredList[],
): Promise<readonly (number | undefined)[]> {
  const security = rowSecurityOf(actor, service.registry, service.settings)
  const user = actor.kind === 'user' ? actor.id : undefined
  const related = relatedValuesOf(service, security.visibleRows)
  const counts = await Promise.all(
    lists.map(async ({ model, query }): Promise<Sql> => {
      const where = await compileFilters(service, model, query, security.visibleRows, user, related).catch(unusable)
      if (where === UNUSABLE) return sql`null`
      return sql`(select count(*) from ${filteredTable(model, where)} t${where ? sql` where ${where}` : empty})`
    }),
  )
  const statement = applyRowSecurity(security, sql`select unnest(array[${join(counts)}]::bigint[])`)
  return (await service.database.queryColumn(statement)).map((count) => (count === null ? undefined : Number(count)))
}

const UNUSABLE = Symbol('filters that cannot be used')

function unusable(error: unknown): typeof UNUSABLE {
  if (error instanceof ApiError && error.reason.kind === 'invalid') return UNUSABLE
  throw error
}
