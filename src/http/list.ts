import { exportObjects } from '../actions/extras/export.ts'
import { restrict, sightOf } from '../auth/restrict.ts'
import { shapeOf } from '../output/shape.ts'
import { writeRows } from '../output/write-rows.ts'
import { compileFilters } from '../query/compile-filters.ts'
import { countRows } from '../query/count.ts'
import { compileOrder } from '../query/order.ts'
import { pageStatement } from '../query/page.ts'
import { pageLinks } from '../query/page-links.ts'
import { parseWindow } from '../query/window.ts'
import type { Model } from '../schema/registry.ts'
import { noteUnrepeatable } from '../storage/footprint.ts'
import { type Answer, ok } from './answer.ts'
import { type ApiRequest, lastValue } from './api-request.ts'
import { selectionOf } from './fields.ts'

/** GET of a collection: one page. One stage per line. */
export async function list(request: ApiRequest, model: Model): Promise<Answer> {
  const { service, actor, search, base } = request
  const user = actor.kind === 'user' ? actor.id : undefined

  restrict(actor, 'view', model, service.settings)
  const sight = sightOf(actor, service.registry, service.settings)
  const window = parseWindow(search, service.settings)
  const where = await compileFilters(service, model, search, sight.access, user)
  const order = compileOrder(service, model, lastValue(search, 'ordering'), sight.access)
  const exported = lastValue(search, 'export')
  if (exported !== undefined) {
    // A template may print the time.
    noteUnrepeatable()
    return await exportObjects(request, model, { where, order }, exported)
  }
  const shape = shapeOf(service, model, selectionOf(search))
  const page = pageStatement(model, { select: shape.select, where, sight, order, window })
  const [rows, count] = await Promise.all([
    service.database.queryArrays(page),
    window.start === undefined ? countRows(service, model, { where, sight }) : null,
  ])
  const texts = await writeRows(service, shape, rows, base)
  const extent = { count, length: rows.length, lastId: Number(rows.at(-1)?.[0]) }
  const { next, previous } = pageLinks(request.url, window, extent)
  return ok(
    `{"count":${count},"next":${JSON.stringify(next)},"previous":${JSON.stringify(previous)},"results":[${texts.join(',')}]}`,
  )
}
