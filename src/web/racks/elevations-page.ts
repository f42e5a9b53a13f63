import type { ApiRequest } from '../../api/api-request.ts'
import { requirePermission } from '../../identity/permitted-rows.ts'
import { lastValue } from '../../read/query/last-value.ts'
import { parseWindow } from '../../read/query/window.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import { shownPlural } from '../components/model-title.ts'
import { percent, utilizationBar } from '../components/utilization-bar.ts'
import { readList } from '../data/page-objects.ts'
import type { PageResponse } from '../frame/page-frame.ts'
import { seeOther } from '../frame/page-response.ts'
import { type Content, type Html, html } from '../html.ts'
import { emptyList } from '../lists/empty-list.ts'
import { filterBarOf, filterChipsOf } from '../lists/filter-form.ts'
import { listFilters } from '../lists/filters.ts'
import { listExtent } from '../lists/list-extent.ts'
import { canonicalQuery } from '../lists/list-query.ts'
import { numeral, translate } from '../texts/translate.ts'
import { drawRack, mayMoveDevices, rackRoles, utilizationsOf } from './draw-rack.ts'
import { ELEVATIONS, elevationSection } from './elevation-section.ts'
import { type RackWithContents, rackModels, racksWithContents } from './rack-facts.ts'
import type { RackFaceName } from './rack-table.ts'
import { trayOf } from './tray.ts'

const PAGE_SIZE = 12
/** Parameters of the page that are not filters of racks. */
const OWN = ['face', 'tray', 'show'] as const

/** GET of the racks that match a filter, side by side; devices can be moved between them. */
export async function elevationsPage(request: ApiRequest): Promise<PageResponse> {
  const { service, actor, search } = request
  const { rack: model } = rackModels(service.registry)
  requirePermission(actor, 'view', model, service.settings)
  const moved = canonicalQuery(search, PAGE_SIZE)
  if (moved !== undefined) return seeOther(`${request.url.pathname}${moved}`)
  const filtering = { ...request, search: withoutOwn(search) }
  const query = new URLSearchParams(filtering.search)
  if (!query.has('limit')) query.set('limit', String(PAGE_SIZE))
  const list = await readList(request, model, { query, paths: ['id', 'url', 'display', 'site', 'location'] })
  const [racks, filters] = await Promise.all([
    racksWithContents(
      request,
      list.objects.map(({ id }) => Number(id)),
    ),
    listFilters(filtering, model, new Map(), undefined),
  ])
  const face: RackFaceName = lastValue(search, 'face') === 'rear' ? 'rear' : 'front'
  const places = new Map(list.objects.map((object) => [Number(object.id), placeOf(object)]))
  const extent = listExtent(search, list, parseWindow(query, service.settings))
  return {
    title: translate('Rack elevations'),
    styles: ['inputs.css', 'objects.css', 'lists.css', 'racks.css'],
    scripts: ['lists.client.ts', 'rack-elevation.client.ts'],
    breadcrumbs: [
      { label: shownPlural(model), path: pagePathOf(model) ?? '/' },
      { label: translate('Elevations'), path: ELEVATIONS },
    ],
    body: html`<div class="heading"><h1>${translate('Rack elevations')} <small class="count">${numeral(list.count)}</small></h1></div>
${filterBarOf(filtering, model, filters, undefined)}
<div class="list-result" data-live="result">${filterChipsOf(filtering, model, filters)}${
      racks.length === 0
        ? emptyList(filtering, model)
        : html`<section class="card">${elevationSection({
            racks: racks.map((rack) =>
              drawRack(request, rack, { faces: [face], heading: headingOf(request, rack, places.get(rack.id) ?? '') }),
            ),
            tray: await trayOf(request, racks),
            roles: rackRoles(racks),
            mayMove: mayMoveDevices(request),
            links: faceLinks(search, face),
          })}</section><div class="list-foot">${extent}</div>`
    }</div>`,
  }
}

function withoutOwn(search: URLSearchParams): URLSearchParams {
  const filters = new URLSearchParams(search)
  for (const name of OWN) filters.delete(name)
  return filters
}

const placeOf = ({ site, location }: Readonly<Record<string, unknown>>): string =>
  [site, location]
    .flatMap((value) =>
      value !== null && typeof value === 'object' && 'display' in value ? [String(value.display)] : [],
    )
    .join(' · ')

/** Name, place and loads of a rack, shown above it: space, and power and weight if they have a limit. */
function headingOf({ service }: ApiRequest, rack: RackWithContents, place: string): Html {
  const page = `${service.settings.basePath}${pagePathOf(rackModels(service.registry).rack)}${rack.id}/`
  const loads = utilizationsOf(rack).map(
    (load) =>
      load.share !== undefined &&
      html`<li title="${load.text}"><span>${load.label}</span>${utilizationBar(load)}<span>${percent(load.share)}</span></li>`,
  )
  return html`<h2><a href="${page}">${rack.name}</a></h2><p class="rack-place muted" title="${place}">${place}</p><ul class="rack-loads">${loads}</ul>`
}

/** Links to the other face of the racks. */
function faceLinks(search: URLSearchParams, current: RackFaceName): Content {
  return (['front', 'rear'] as const).map((face) => {
    const query = new URLSearchParams(search)
    query.set('face', face)
    return html`<a href="?${query.toString()}"${face === current && html` aria-current="true"`}>${translate(face === 'front' ? 'Front' : 'Rear')}</a> `
  })
}
