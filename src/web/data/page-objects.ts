import type { ApiRequest } from '../../api/api-request.ts'
import { bodyText, wholeResponse } from '../../api/response.ts'
import { detail } from '../../api/verbs/detail.ts'
import { visibleTo } from '../../api/verbs/fields.ts'
import { listedRows, type RequestedList, requestedList } from '../../api/verbs/list.ts'
import type { PermissionAction } from '../../identity/actor.ts'
import { permittedRowsOrNone } from '../../identity/permitted-rows.ts'
import { cachedColumn } from '../../read/query/cached-column.ts'
import { NO_ROWS } from '../../read/query/row-predicate.ts'
import { type PageSelection, projectionOfPage } from '../../read/serialise/projection.ts'
import { ROWS_AT_ONCE, readInOrder } from '../../read/serialise/read-objects.ts'
import { committedData, type ReadSource } from '../../read/serialise/read-source.ts'
import { defaultFields } from '../../schema/default-fields.ts'
import { isJsonObject, type Json, type JsonObject } from '../../schema/json.ts'
import { parseRendered } from '../../schema/parse-rendered.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { asking } from './inner-request.ts'

/** Prefix of the paths of custom fields. */
export const CUSTOM_FIELD = 'cf_'

/** The value of an object at a path with which it was read: a field, `site.region`, a custom field `cf_x`. */
export function valueAt(object: JsonObject, path: string): Json | undefined {
  if (!path.startsWith(CUSTOM_FIELD)) return object[path]
  const custom = object.custom_fields
  return isJsonObject(custom) ? custom[path.slice(CUSTOM_FIELD.length)] : undefined
}

/** The objects that the sender may view, by id, with the values at these paths: see `valueAt`. */
export async function visibleObjects(
  request: ApiRequest,
  model: Model,
  ids: readonly number[],
  paths: readonly string[],
): Promise<ReadonlyMap<number, JsonObject>> {
  const visible = await visibleIds(request, model, [...new Set(ids)])
  const objects = await readSelected(request, model, visible, { paths: ['id', ...paths], excludeContext: true })
  return new Map(objects.map((object) => [Number(object.id), object]))
}

/** The requested object with all fields and the values at paths over relations, and its version. Throws `notFound`. */
export async function readOne(
  request: ApiRequest,
  model: Model,
  paths: readonly string[] = [],
): Promise<{ readonly object: JsonObject; readonly etag: string | undefined }> {
  const selection = { fields: model.answer, paths, excludeContext: false, ...visibleTo(request, model) }
  const projection = projectionOfPage(request.service, model, selection)
  const response = await wholeResponse(await detail(asking(request, new URLSearchParams()), model, projection))
  const parsed = parseRendered(model, bodyText(response))
  const [object = parsed] = await withVisibleRelations(request, model, [parsed], paths)
  return { object, etag: response.headers?.ETag }
}

/** Objects of a list with their number. */
export interface ObjectList {
  readonly count: number
  readonly objects: readonly JsonObject[]
}

interface ListQuery {
  /** Filters, order and window in the API's form. */
  readonly query: URLSearchParams
  /** What to read, see `valueAt`; absent: all fields of the response. */
  readonly paths?: readonly string[] | undefined
  /** Number of all objects, if the caller has it; null if it is not needed. */
  readonly count?: number | null | undefined
}

/** A part of the model's list. Throws as the API's list does. */
export async function readList(
  request: ApiRequest,
  model: Model,
  { query, paths, count }: ListQuery,
): Promise<ObjectList> {
  const listRequest = { ...request, search: query }
  return await readRequested(listRequest, model, await requestedList(listRequest, model), { paths, count })
}

/** As `readList`, what a request asks of the list. */
export async function readRequested(
  request: ApiRequest,
  model: Model,
  list: RequestedList,
  { paths, count }: Omit<ListQuery, 'query'>,
): Promise<ObjectList> {
  const { ids, extent } = await listedRows(request, model, list, count === null ? 0 : count)
  const selection = paths ? { paths } : { fields: defaultFields(model) }
  const objects = await readSelected(request, model, ids, { ...selection, excludeContext: false })
  return { count: extent.count ?? 0, objects }
}

/** Objects that the sender may view, in the order of the ids; deleted ones are left out. */
export async function readSelected(
  request: ApiRequest,
  model: Model,
  ids: readonly number[],
  selection: PageSelection & Pick<ReadSource, 'isReadOnce'>,
): Promise<readonly JsonObject[]> {
  const { service, base } = request
  const { paths = [], isReadOnce = ids.length > ROWS_AT_ONCE } = selection
  const projection = projectionOfPage(service, model, {
    ...selection,
    ...visibleTo(request, model),
    paths: paths.map(fieldOf),
  })
  const texts = await readInOrder({ ...committedData(service), isReadOnce }, ids, projection, base)
  const objects = texts.map((text) => parseRendered(model, text.toString()))
  return await withVisibleRelations(request, model, objects, paths)
}

const fieldOf = (path: string): string => (path.startsWith(CUSTOM_FIELD) ? 'custom_fields' : path)

type IsVisible = (model: Model, id: number) => boolean

/**
 * The objects with the values at the ends of their paths. A path over an object that the sender may not view has no
 * value. If a response contains only the id of a relation, the value is that id.
 */
async function withVisibleRelations(
  request: ApiRequest,
  model: Model,
  objects: readonly JsonObject[],
  paths: readonly string[],
): Promise<readonly JsonObject[]> {
  const { registry } = request.service
  const far = paths.map((path) => path.split('.')).filter((steps) => steps.length > 1 || isBare(model, steps[0]))
  if (far.length === 0) return objects
  const withEnds = (isVisible: IsVisible) =>
    objects.map((object) => {
      const ends = far.map((steps) => {
        const path = steps.join('.')
        return [path, endOf(registry, model, steps, object[path], isVisible)] as const
      })
      return { ...object, ...Object.fromEntries(ends) }
    })
  const passed = new Map<Model, Set<number>>()
  withEnds((related, id) => {
    passed.set(related, (passed.get(related) ?? new Set()).add(id))
    return true
  })
  const visible = new Map(
    await Promise.all(
      [...passed].map(
        async ([related, ids]) => [related, new Set(await visibleIds(request, related, [...ids]))] as const,
      ),
    ),
  )
  return withEnds((related, id) => visible.get(related)?.has(id) === true)
}

/** Whether responses contain the id of the related object instead of the object. */
export const isBare = ({ fields }: Model, name = ''): boolean => {
  const field = fields.get(name)
  return field?.kind === 'foreignKey' && field.bare === true
}

/** The value at the end of a path, within the nested objects that lead there. */
function endOf(
  registry: Registry,
  model: Model,
  [name = '', ...remaining]: readonly string[],
  value: Json | undefined,
  isVisible: IsVisible,
): Json {
  const field = model.fields.get(name)
  if (!isJsonObject(value) || field?.kind !== 'foreignKey') return value ?? null
  const related = registry.model(field.to)
  const [next] = remaining
  if (next === undefined) return !field.bare || isVisible(related, Number(value.id)) ? value : (value.id ?? null)
  return isVisible(related, Number(value.id)) ? endOf(registry, related, remaining, value[next], isVisible) : null
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
  const permitted = await cachedColumn(
    service,
    sql`select t.id from ${table(model)} t where t.id = any(${ids}::bigint[]) and (${rows})`,
  )
  return permitted.map(Number)
}
