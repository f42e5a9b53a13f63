import type { ApiRequest } from '../../api/api-request.ts'
import type { PermissionAction } from '../../identity/actor.ts'
import { permittedRowsOrNone } from '../../identity/permitted-rows.ts'
import { cachedColumn } from '../../read/query/cached-column.ts'
import { NO_ROWS } from '../../read/query/row-predicate.ts'
import { PLAIN_FORM } from '../../read/serialise/plan.ts'
import { projectionOf } from '../../read/serialise/projection.ts'
import { fetchObjects } from '../../read/serialise/read-objects.ts'
import { committedData } from '../../read/serialise/read-source.ts'
import { parseAnswered } from '../../schema/answered-object.ts'
import { isJsonObject, type JsonObject } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'

/** The objects that the sender may view, with these fields of their responses, by id. */
export async function visibleObjects(
  request: ApiRequest,
  model: Model,
  ids: readonly number[],
  fields: readonly string[],
): Promise<ReadonlyMap<number, JsonObject>> {
  const { service, base } = request
  const selection = { fields, omit: undefined, brief: false, excludeContext: true, form: PLAIN_FORM }
  const visible = await visibleIds(request, model, [...new Set(ids)])
  const texts = await fetchObjects(committedData(service), visible, projectionOf(service, model, selection), base)
  const objects = new Map<number, JsonObject>()
  for (const [id, text] of texts) {
    const object = parseAnswered(model, text)
    if (isJsonObject(object)) objects.set(id, object)
  }
  return objects
}

/** Whether the sender may perform the action on this object: permissions may have constraints. */
export const mayActOn = async (
  request: ApiRequest,
  action: PermissionAction,
  model: Model,
  id: number,
): Promise<boolean> => (await permittedIds(request, action, model, [id])).length > 0

/** The ids of the objects that the sender may view. */
export const visibleIds = (request: ApiRequest, model: Model, ids: readonly number[]): Promise<readonly number[]> =>
  permittedIds(request, 'view', model, ids)

/** The ids of the objects on which the sender may perform the action. */
export async function permittedIds(
  { service, actor }: ApiRequest,
  action: PermissionAction,
  model: Model,
  ids: readonly number[],
): Promise<readonly number[]> {
  const rows = permittedRowsOrNone(actor, action, model, service.settings)
  if (rows === 'all' || ids.length === 0) return ids
  if (rows === NO_ROWS) return []
  const found = await cachedColumn(
    service,
    sql`select t.id from ${table(model)} t where t.id = any(${ids}::bigint[]) and (${rows})`,
  )
  return found.map(Number)
}
