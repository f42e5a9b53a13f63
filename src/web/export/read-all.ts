import type { ApiRequest } from '../../api/api-request.ts'
import { visibleTo } from '../../api/verbs/fields.ts'
import { requestedList } from '../../api/verbs/list.ts'
import { sliceIds } from '../../read/query/slice-ids.ts'
import { PLAIN_FORM } from '../../read/serialise/plan.ts'
import { projectionOf } from '../../read/serialise/projection.ts'
import { ROWS_AT_ONCE, readInOrder } from '../../read/serialise/read-objects.ts'
import { committedData } from '../../read/serialise/read-source.ts'
import type { JsonObject } from '../../schema/json.ts'
import { parseRendered } from '../../schema/parse-rendered.ts'
import type { Model } from '../../schema/registry.ts'
import { isSecret } from '../../schema/writable.ts'
import { readSelected } from '../data/page-objects.ts'

/** Ids of all objects that the query selects, without pages. Throws as the API's list does. */
export async function listedIds(request: ApiRequest, model: Model, query: URLSearchParams): Promise<readonly number[]> {
  const search = new URLSearchParams(query)
  for (const name of ['export', 'limit', 'offset', 'start']) search.delete(name)
  const list = await requestedList({ ...request, search }, model)
  return await sliceIds(request.service, model, { ...list, window: { limit: undefined, offset: 0 } })
}

/** Number of objects read at a time. */
const PART = 250

function* inParts(ids: readonly number[]): Generator<readonly number[]> {
  for (let start = 0; start < ids.length; start += PART) yield ids.slice(start, start + PART)
}

/** The objects with all fields of the API, without secrets, as JSON texts in parts. */
export async function* partsOf(request: ApiRequest, model: Model, ids: readonly number[]): AsyncGenerator<Buffer[]> {
  const { service, base } = request
  const secrets = model.answer.filter((name) => isSecret(model.fields.get(name)))
  const omit = secrets.length > 0 ? secrets : undefined
  const projection = projectionOf(service, model, {
    ...{ omit, brief: false, excludeContext: true, form: PLAIN_FORM },
    ...visibleTo(request, model),
  })
  const source = { ...committedData(service), isReadOnce: ids.length > ROWS_AT_ONCE }
  for (const part of inParts(ids)) yield await readInOrder(source, part, projection, base)
}

export const parsedObjects = (model: Model, texts: readonly Buffer[]): readonly JsonObject[] =>
  texts.map((text) => parseRendered(model, text.toString()))

/** The values of the objects at the paths, in parts. */
export async function* valuesOf(
  request: ApiRequest,
  model: Model,
  ids: readonly number[],
  paths: readonly string[],
): AsyncGenerator<readonly JsonObject[]> {
  const selection = { paths, excludeContext: true, isReadOnce: ids.length > ROWS_AT_ONCE }
  for (const part of inParts(ids)) yield await readSelected(request, model, part, selection)
}
