import type { ApiRequest } from '../../api/api-request.ts'
import { mayAct, rowSecurityOf } from '../../identity/permitted-rows.ts'
import { pastService } from '../../read/as-of/past-service.ts'
import { type PastTimestamp, readPastTimestamp } from '../../read/as-of/past-timestamp.ts'
import { applyRowSecurity } from '../../read/query/row-security.ts'
import { defaultFields } from '../../schema/default-fields.ts'
import { isJsonObject, type JsonObject } from '../../schema/json.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { objectKey } from '../../write/related-object.ts'
import type { FilteredList } from '../data/count-lists.ts'
import { readList, readSelected } from '../data/page-objects.ts'
import { rawChanges } from '../object-parts/field-changes.ts'

/** A span of time; both ends are ISO 8601 in UTC. */
export interface TimeSpan {
  readonly from: string
  /** Undefined: now. */
  readonly to: string | undefined
}

/** What has become of the objects of lists between two times. */
interface NetChanges {
  /** One record per object, in the form of change records: before the first change, and after the last one. */
  readonly records: readonly JsonObject[]
  /** Whether there are further objects, which were not compared. */
  readonly hasMore: boolean
}

/** Maximum number of objects that are compared. */
export const MOST_COMPARED = 500

interface ChangedObject extends Record<string, unknown> {
  readonly type: string
  readonly id: number
  /** Ids of its first and of its last change record within the span. */
  readonly first: number
  readonly last: number
}

/**
 * The net changes of all objects that the lists contained at either end of the span and that the sender may view, the
 * latest first. Throws `invalid` if a time is in the future or before the history begins.
 */
export async function netChanges(
  request: ApiRequest,
  lists: readonly FilteredList[],
  span: TimeSpan,
): Promise<NetChanges> {
  const { service } = request
  const [start, end] = await Promise.all([
    readPastTimestamp(service, span.from),
    span.to === undefined ? undefined : readPastTimestamp(service, span.to),
  ])
  const changed = await changedObjects(request, lists, span)
  const within = await withinLists(request, lists, changed.slice(0, MOST_COMPARED), [start, end])
  const ids = [...new Set(within.flatMap(({ first, last }) => [first, last]))]
  const model = service.registry.model(SYSTEM.objectChange)
  const selection = { fields: defaultFields(model), excludeContext: true }
  const read = await readSelected(request, model, ids, selection)
  const byId = new Map(read.map((record) => [Number(record.id), record]))
  const records = within.flatMap(({ first, last }): readonly JsonObject[] => {
    const [before, after] = [byId.get(first), byId.get(last)]
    const net = before && after && netRecord(request, before, after)
    return net ? [net] : []
  })
  return { records, hasMore: changed.length > MOST_COMPARED }
}

/** The objects of the lists' models with a change record within the span that the sender may view. */
async function changedObjects(
  { service, actor }: ApiRequest,
  lists: readonly FilteredList[],
  { from, to }: TimeSpan,
): Promise<readonly ChangedObject[]> {
  const { registry, settings, database } = service
  const types = [...new Set(lists.map(({ model }) => model))]
    .filter((model) => mayAct(actor, 'view', model, settings))
    .map(({ name }) => name)
  const statement = sql`
    select t.changed_object_type as type, t.changed_object_id as id, min(t.id) as first, max(t.id) as last
    from ${table(SYSTEM.objectChange)} t
    where t.time > ${from}::timestamptz and t.time <= coalesce(${to ?? null}::timestamptz, 'infinity')
      and t.changed_object_type = any(${types}::text[])
    group by 1, 2 order by 4 desc limit ${MOST_COMPARED + 1}::int`
  const rows = await database.query<ChangedObject>(
    applyRowSecurity(rowSecurityOf(actor, registry, settings), statement),
  )
  return rows.map((row) => ({ ...row, id: Number(row.id), first: Number(row.first), last: Number(row.last) }))
}

/** Those of the objects that a list contained at one of the times; undefined: now. */
async function withinLists(
  request: ApiRequest,
  lists: readonly FilteredList[],
  changed: readonly ChangedObject[],
  times: readonly (PastTimestamp | undefined)[],
): Promise<readonly ChangedObject[]> {
  const byType = Map.groupBy(changed, ({ type }) => type)
  const reads = lists.flatMap(({ model, query }) => {
    // Values of a filter are alternatives, so that a list of some ids is narrowed rather than extended.
    const named = query.has('id') ? new Set(query.getAll('id')) : undefined
    const ids = (byType.get(model.name) ?? []).map(({ id }) => String(id)).filter((id) => named?.has(id) ?? true)
    return ids.length === 0 ? [] : times.map((time) => ({ model, query, ids, time }))
  })
  const keysOfReads = await Promise.all(
    reads.map(async ({ model, query, ids, time }) => {
      const service = time ? pastService(request.service, time) : request.service
      const window = new URLSearchParams(query)
      window.delete('id')
      for (const id of ids) window.append('id', id)
      window.set('limit', String(MOST_COMPARED))
      const { objects } = await readList({ ...request, service }, model, { query: window, paths: ['id'], count: null })
      return objects.map(({ id }) => objectKey(model.name, Number(id)))
    }),
  )
  const keys = new Set(keysOfReads.flat())
  return changed.filter(({ type, id }) => keys.has(objectKey(type, id)))
}

/** The record of everything that has happened to an object; undefined if nothing of it is left. */
function netRecord({ service }: ApiRequest, first: JsonObject, last: JsonObject): JsonObject | undefined {
  const [isNew, isGone] = [actionOf(first) === 'create', actionOf(last) === 'delete']
  if (isNew && isGone) return undefined
  const action = isNew ? 'create' : isGone ? 'delete' : 'update'
  const record = { ...last, action: { value: action }, prechange_data: first.prechange_data ?? null }
  return action === 'update' && rawChanges(service.registry, record).size === 0 ? undefined : record
}

export const actionOf = ({ action }: JsonObject): string => String(isJsonObject(action) ? action.value : action)
