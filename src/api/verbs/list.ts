import { markUncacheable } from '../../db/cache/read-set.ts'
import { requirePermission, rowSecurityOf } from '../../identity/permitted-rows.ts'
import { compileFilters } from '../../read/query/compile-filters.ts'
import { estimateRows, exactRows, takesEstimate } from '../../read/query/estimate-rows.ts'
import { lastValue } from '../../read/query/last-value.ts'
import { compileOrder, type Order } from '../../read/query/order.ts'
import type { RowSecurity } from '../../read/query/row-security.ts'
import { sliceIds } from '../../read/query/slice-ids.ts'
import { type SliceExtent, sliceExtent, sliceLinks } from '../../read/query/slice-links.ts'
import { parseWindow, type Window } from '../../read/query/window.ts'
import { jsonList, jsonParts } from '../../read/serialise/json-list.ts'
import { projectionOf } from '../../read/serialise/projection.ts'
import { ROWS_AT_ONCE, readInOrder } from '../../read/serialise/read-objects.ts'
import { committedData } from '../../read/serialise/read-source.ts'
import type { Model } from '../../schema/registry.ts'
import type { Sql } from '../../sql/fragment.ts'
import { exportObjects } from '../actions/extras/export.ts'
import type { ApiRequest } from '../api-request.ts'
import { type HttpResponse, okResponse } from '../response.ts'
import { selectionOf, visibleTo } from './fields.ts'

/** What a request asks of a collection. */
export interface RequestedList {
  readonly where: Sql | undefined
  readonly security: RowSecurity
  readonly order: Order
  readonly window: Window
}

/** The filters, order and window of a request for a list. Throws `forbidden`, and `invalid` for bad parameters. */
export async function requestedList(
  { service, actor, search }: Pick<ApiRequest, 'service' | 'actor' | 'search'>,
  model: Model,
): Promise<RequestedList> {
  const user = actor.kind === 'user' ? actor.id : undefined
  requirePermission(actor, 'view', model, service.settings)
  const security = rowSecurityOf(actor, service.registry, service.settings)
  const window = parseWindow(search, service.settings)
  const where = await compileFilters(service, model, search, security.visibleRows, user)
  const order = compileOrder(service, model, lastValue(search, 'ordering'), security.visibleRows)
  return { where, security, order, window }
}

/** Ids of the rows of the window, and its extent. `knownCount`: number of all rows, if the caller has it. */
export async function listedRows(
  { service, search }: Pick<ApiRequest, 'service' | 'search'>,
  model: Model,
  list: RequestedList,
  knownCount?: number,
): Promise<{ readonly ids: readonly number[]; readonly extent: SliceExtent }> {
  const countRows = takesEstimate(search) ? estimateRows : exactRows
  const hasCount = list.window.start === undefined
  const [ids, total] = await Promise.all([
    sliceIds(service, model, list),
    hasCount && knownCount === undefined ? countRows(service, model, list) : undefined,
  ])
  const knownTotal = hasCount && knownCount !== undefined ? { count: knownCount, isEstimated: false } : undefined
  return { ids, extent: sliceExtent(ids, total ?? knownTotal, list.window) }
}

/** GET of a collection: one page. One stage per line. */
export async function listObjects(request: ApiRequest, model: Model): Promise<HttpResponse> {
  const { service, search, base } = request
  const list = await requestedList(request, model)
  const exported = lastValue(search, 'export')
  if (exported !== undefined) {
    // The template may print the time.
    markUncacheable()
    return await exportObjects(request, model, list, exported)
  }
  const projection = projectionOf(service, model, {
    ...selectionOf(search),
    ...visibleTo(request, model),
    form: request.form,
  })
  const { ids, extent } = await listedRows(request, model, list)
  const { next, previous } = sliceLinks(request.url, list.window, extent)
  const head = `{"count":${extent.count},"next":${JSON.stringify(next)},"previous":${JSON.stringify(previous)},"results":`
  // Objects that were deleted since the ids were selected are left out.
  const source = { ...committedData(service), isReadOnce: ids.length > ROWS_AT_ONCE }
  const read: ReadPart = (slice) => readInOrder(source, slice, projection, base)
  if (ids.length <= ROWS_AT_ONCE) return okResponse(jsonList(await read(ids), head, '}'))
  return okResponse(await inParts(ids, read, head))
}

type ReadPart = (ids: readonly number[]) => Promise<Buffer[]>

/** Objects per part of a response that is too large to build at once. */
const PART = 250

async function inParts(ids: readonly number[], read: ReadPart, head: string): Promise<AsyncIterable<Uint8Array>> {
  // Read before the response starts, so that an error can still be reported.
  const first = await read(ids.slice(0, PART))
  return jsonParts(first, laterParts(ids, read), head, '}')
}

async function* laterParts(ids: readonly number[], read: ReadPart): AsyncGenerator<Buffer[]> {
  for (let start = PART; start < ids.length; start += PART) {
    yield await read(ids.slice(start, start + PART))
  }
}
