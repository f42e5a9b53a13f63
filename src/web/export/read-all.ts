import type { ApiRequest } from '../../api/api-request.ts'
import { requirePermission, rowSecurityOf } from '../../identity/permitted-rows.ts'
import { compileFilters } from '../../read/query/compile-filters.ts'
import { lastValue } from '../../read/query/last-value.ts'
import { compileOrder } from '../../read/query/order.ts'
import { pageIds } from '../../read/query/page-ids.ts'
import { PLAIN_FORM } from '../../read/serialise/plan.ts'
import { projectionOf } from '../../read/serialise/projection.ts'
import { ROWS_AT_ONCE, readInOrder } from '../../read/serialise/read-objects.ts'
import { committedData } from '../../read/serialise/read-source.ts'
import { parseAnswered } from '../../schema/answered-object.ts'
import { isJsonObject, type JsonObject } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'
import { isSecret } from '../../schema/writable.ts'

/** Ids of all objects that the query selects, without pages. Throws as the API's list does. */
export async function listedIds(
  { service, actor }: ApiRequest,
  model: Model,
  search: URLSearchParams,
): Promise<readonly number[]> {
  requirePermission(actor, 'view', model, service.settings)
  const security = rowSecurityOf(actor, service.registry, service.settings)
  const query = new URLSearchParams(search)
  for (const name of ['export', 'limit', 'offset', 'start']) query.delete(name)
  const user = actor.kind === 'user' ? actor.id : undefined
  const where = await compileFilters(service, model, query, security.visibleRows, user)
  const order = compileOrder(service, model, lastValue(query, 'ordering'), security.visibleRows)
  const window = { limit: undefined, offset: 0 }
  return await pageIds(service, model, { where, security, order, window })
}

/** Number of objects read at a time. */
const PART = 250

/** The objects with these fields, or all fields of the API without secrets, as JSON texts in parts. */
export async function* partsOf(
  { service, base }: ApiRequest,
  model: Model,
  ids: readonly number[],
  fields?: readonly string[],
): AsyncGenerator<Buffer[]> {
  const secrets = model.answer.filter((name) => isSecret(model.fields.get(name)))
  const omit = fields === undefined && secrets.length > 0 ? secrets : undefined
  const selection = { fields, omit, brief: false, excludeContext: true, form: PLAIN_FORM }
  const projection = projectionOf(service, model, selection)
  const source = { ...committedData(service), isReadOnce: ids.length > ROWS_AT_ONCE }
  for (let start = 0; start < ids.length; start += PART) {
    yield await readInOrder(source, ids.slice(start, start + PART), projection, base)
  }
}

export const parsedObjects = (model: Model, texts: readonly Buffer[]): readonly JsonObject[] =>
  texts.map((text) => parseAnswered(model, text.toString())).filter(isJsonObject)
