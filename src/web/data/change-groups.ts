import type { ApiRequest } from '../../api/api-request.ts'
import { requestedList } from '../../api/verbs/list.ts'
import { countRows } from '../../read/query/count.ts'
import { filteredTable } from '../../read/query/filtered-table.ts'
import { lastValue } from '../../read/query/last-value.ts'
import { applyRowSecurity } from '../../read/query/row-security.ts'
import { selectSlice } from '../../read/query/slice.ts'
import type { Model } from '../../schema/registry.ts'
import { type Sql, sql } from '../../sql/fragment.ts'
import type { Row } from '../../sql/queryable.ts'
import { table } from '../../sql/table.ts'

/** Changes of one action to objects of one model. */
export interface ChangeKind {
  readonly type: string
  readonly action: string
  readonly count: number
}

/** The changes of one request among those of a list. */
export interface ChangeGroup {
  readonly requestId: string
  /** Id of the latest change. */
  readonly latest: number
  readonly count: number
  /** Number of all changes of the request that the sender may view. */
  readonly total: number
  /** Those that the request made first are first. */
  readonly kinds: readonly ChangeKind[]
  /** The latest changes, at most as many as the caller has asked for. */
  readonly ids: readonly number[]
}

/** The changes for which the entries of a page stand. */
export interface ListSpan {
  readonly length: number
  /** Offset of the previous page. */
  readonly previous: number
}

interface ChangeGroups {
  /** Number of changes. */
  readonly count: number
  readonly objects: readonly ChangeGroup[]
  readonly span: ListSpan
}

/** Whether a list of changes has one entry per request: other orders, and the list of one request, have all changes. */
export const isGrouped = (query: URLSearchParams): boolean =>
  !query.has('request_id') && ['-time', undefined].includes(lastValue(query, 'ordering') || undefined)

/** Changes that are read to find the requests of a page: at first, and if these are too few. */
const WINDOWS = [2_000, 20_000]

/**
 * The requests that made the changes of a list, the latest first, from the change at the offset of its window. Changes
 * of a request follow one another, so counting all requests, which takes seconds for a million changes, is not
 * necessary. `sampled`: number of changes of each whose ids are wanted. Throws as the API's list does.
 */
export async function readChangeGroups(
  request: ApiRequest,
  changes: Model,
  query: URLSearchParams,
  sampled = 1,
): Promise<ChangeGroups> {
  const { service } = request
  const list = await requestedList({ ...request, search: query }, changes)
  const { where, order, security, window } = list
  const { limit = WINDOWS[0] ?? 0, offset } = window
  const read = <Found extends Row>(statement: Sql) =>
    service.database.query<Found>(applyRowSecurity(security, statement))
  const requestsAt = async (offset: number, limit: number): Promise<readonly string[]> => {
    const slice = selectSlice(changes, { where, order, window: { offset, limit } }, sql`t.request_id`)
    return (await read<{ request_id: string }>(slice)).map(({ request_id }) => request_id)
  }
  let ids: readonly string[] = []
  let length = 0
  for (const size of WINDOWS) {
    const rows = await requestsAt(offset, size)
    ids = [...new Set(rows)]
    // The next page begins with the first request that this one does not show.
    const next = ids[limit]
    length = next === undefined ? rows.length : rows.indexOf(next)
    if (next !== undefined || rows.length < size) break
  }
  const before = Math.max(0, offset - (WINDOWS[0] ?? 0))
  const earlier = offset === 0 ? [] : (await requestsAt(before, offset - before)).toReversed()
  const tooEarly = [...new Set(earlier)][limit]
  const previous = tooEarly === undefined ? before : offset - earlier.indexOf(tooEarly)
  const [count, objects] = await Promise.all([
    countRows(service, changes, list),
    groupsOf(read, changes, where, ids.slice(0, limit), sampled),
  ])
  return { count, objects, span: { length, previous } }
}

type Read = <Found extends Row>(statement: Sql) => Promise<readonly Found[]>

/** The changes of these requests, counted by kind. */
async function groupsOf(
  read: Read,
  changes: Model,
  where: Sql | undefined,
  requests: readonly string[],
  sampled: number,
): Promise<readonly ChangeGroup[]> {
  const ofRequests = sql`t.request_id = any(${requests}::uuid[])`
  const [kinds, totals] = await Promise.all([
    read<{ request_id: string; type: string; action: string; count: number; ids: readonly number[] }>(sql`
      select t.request_id, t.changed_object_type as type, t.action, count(*)::int as count,
        (array_agg(t.id order by t.id desc))[1:${sampled}::int] as ids
      from ${filteredTable(changes, where)} t where ${where ? sql`${where} and ${ofRequests}` : ofRequests}
      group by t.request_id, t.changed_object_type, t.action order by min(t.id)`),
    read<{ request_id: string; count: number }>(sql`
      select t.request_id, count(*)::int as count from ${table(changes)} t where ${ofRequests} group by t.request_id`),
  ])
  const kindsOf = Map.groupBy(kinds, ({ request_id }) => request_id)
  const totalOf = new Map(totals.map(({ request_id, count }) => [request_id, count]))
  return requests.map((requestId): ChangeGroup => {
    const counted = kindsOf.get(requestId) ?? []
    const ids = counted.flatMap((kind) => kind.ids.map(Number)).toSorted((left, right) => right - left)
    const count = counted.reduce((sum, kind) => sum + kind.count, 0)
    return {
      requestId,
      latest: ids[0] ?? 0,
      count,
      total: totalOf.get(requestId) ?? count,
      kinds: counted.map(({ type, action, count }) => ({ type, action, count })),
      ids: ids.slice(0, sampled),
    }
  })
}
