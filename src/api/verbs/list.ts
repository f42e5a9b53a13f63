import { markUncacheable } from '../../db/cache/read-set.ts'
import { requirePermission, rowSecurityOf } from '../../identity/permitted-rows.ts'
import { compileFilters } from '../../read/query/compile-filters.ts'
import { estimateRows, exactRows, type RowCount, takesEstimate } from '../../read/query/estimate-rows.ts'
import { lastValue } from '../../read/query/last-value.ts'
import { compileOrder } from '../../read/query/order.ts'
import { pageIds } from '../../read/query/page-ids.ts'
import { pageExtent, pageLinks } from '../../read/query/page-links.ts'
import { parseWindow } from '../../read/query/window.ts'
import { jsonList, jsonParts } from '../../read/serialise/json-list.ts'
import { projectionOf } from '../../read/serialise/projection.ts'
import { ROWS_AT_ONCE, readInOrder } from '../../read/serialise/read-objects.ts'
import { committedData } from '../../read/serialise/read-source.ts'
import type { Model } from '../../schema/registry.ts'
import { exportObjects } from '../actions/extras/export.ts'
import type { ApiRequest } from '../api-request.ts'
import { type HttpResponse, okResponse } from '../response.ts'
import { selectionOf } from './fields.ts'

/**
 * GET of a collection: one page. One stage per line. `knownCount`: number of all objects, if the caller already knows
 * it; null if it is not needed.
 */
export async function listObjects(
  request: ApiRequest,
  model: Model,
  knownCount?: number | null,
): Promise<HttpResponse> {
  const { service, actor, search, base } = request
  const user = actor.kind === 'user' ? actor.id : undefined

  requirePermission(actor, 'view', model, service.settings)
  const security = rowSecurityOf(actor, service.registry, service.settings)
  const window = parseWindow(search, service.settings)
  const where = await compileFilters(service, model, search, security.visibleRows, user)
  const order = compileOrder(service, model, lastValue(search, 'ordering'), security.visibleRows)
  const exported = lastValue(search, 'export')
  if (exported !== undefined) {
    // The template may print the time.
    markUncacheable()
    return await exportObjects(request, model, { where, order }, exported)
  }
  const projection = projectionOf(service, model, { ...selectionOf(search), form: request.form })
  const rowsOf = takesEstimate(search) ? estimateRows : exactRows
  const page = { where, security, order, window }
  const [ids, total] = await Promise.all([
    pageIds(service, model, page),
    window.start === undefined && knownCount === undefined
      ? rowsOf(service, model, { where, security })
      : asCount(knownCount),
  ])
  const extent = pageExtent(ids, total, window)
  const { next, previous } = pageLinks(request.url, window, extent)
  const head = `{"count":${extent.count},"next":${JSON.stringify(next)},"previous":${JSON.stringify(previous)},"results":`
  // Objects that were deleted since the ids were selected are left out.
  const source = { ...committedData(service), isReadOnce: ids.length > ROWS_AT_ONCE }
  const read: ReadPart = (part) => readInOrder(source, part, projection, base)
  if (ids.length <= ROWS_AT_ONCE) return okResponse(jsonList(await read(ids), head, '}'))
  return okResponse(await inParts(ids, read, head))
}

const asCount = (knownCount: number | null | undefined): RowCount | undefined =>
  typeof knownCount === 'number' ? { count: knownCount, isEstimated: false } : undefined

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
