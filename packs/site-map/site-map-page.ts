import { type ApiRequest, pagePathOf, requirePermission } from 'cadastre'
import {
  type Content,
  canonicalQuery,
  EMPTY,
  emptyList,
  filterBarOf,
  filterChipsOf,
  filtersIn,
  type Html,
  html,
  listFilters,
  numeral,
  type PageResponse,
  seeOther,
  shownPlural,
  translate,
  translateLabel,
} from 'cadastre/web'
import { mayViewDevices, siteMap, siteMapLegend, statusBadge } from './site-map.ts'
import { SITE, SITE_MAP } from './site-map-link.ts'
import { MOST_SITES, type PlacedSite, type SitesOnMap, sitesOnMap } from './sites-on-map.ts'

/** Maximum number of sites in the table below the map; the list has all of them. */
const MOST_ROWS = 200

/** GET of `/dcim/sites/map/?<filters of sites>`: the sites on a map of the world or of their region, and as a table. */
export async function siteMapPage(request: ApiRequest): Promise<PageResponse> {
  const { service, actor, search } = request
  const model = service.registry.model(SITE)
  requirePermission(actor, 'view', model, service.settings)
  const moved = canonicalQuery(search, service.settings.paginateCount)
  if (moved !== undefined) return seeOther(`${request.url.pathname}${moved}`)
  const filters = filtersIn(search)
  const [sites, bar] = await Promise.all([
    sitesOnMap(request, filters),
    listFilters(request, model, new Map(), undefined),
  ])
  const map = sites.placed.length > 0 && (await siteMap(request, sites.placed, ['wide', 'narrow']))
  return {
    title: translate('Map of sites'),
    styles: ['inputs.css', 'objects.css', 'lists.css', 'pan-zoom.css', 'site-map.css'],
    scripts: ['lists.client.ts', 'site-map.client.ts'],
    breadcrumbs: [
      { label: shownPlural(model), path: pagePathOf(model) ?? '/' },
      { label: translate('Map'), path: SITE_MAP },
    ],
    body: html`<div class="heading"><h1>${translate('Map of sites')} <small class="count">${numeral(sites.count)}</small></h1></div>
${filterBarOf(request, model, bar, undefined)}
<div class="list-result" data-live="result">${filterChipsOf(request, model, bar)}${remarks(request, sites, filters)}${
      map && html`${map}${siteMapLegend(request, sites.placed)}${siteTable(request, sites.placed, filters)}`
    }</div>`,
  }
}

/** What the map does not show. */
function remarks(request: ApiRequest, { placed, count, without }: SitesOnMap, filters: URLSearchParams): Content {
  if (count === 0) return emptyList(request, request.service.registry.model(SITE))
  const isCut = count - without.any > placed.length
  const text = translate('{count} site has no coordinates.|{count} sites have no coordinates.', { count: without.any })
  // No filter selects sites that lack either coordinate.
  const missing = (['latitude', 'longitude'] as const).find((name) => without[name] === without.any)
  const href = missing && `${listPath(request)}?${new URLSearchParams([...filters, [`${missing}__empty`, 'true']])}`
  return html`${isCut && html`<p class="notice warn">${translate('Only the first {count} sites are shown.', { count: MOST_SITES })}</p>`}${
    without.any > 0 && html`<p class="muted">${href === undefined ? text : html`<a href="${href}">${text}</a>`}</p>`
  }`
}

const listPath = ({ service }: ApiRequest): string =>
  `${service.settings.basePath}${pagePathOf(service.registry.model(SITE))}`

/** The sites of the map as a table. */
function siteTable(request: ApiRequest, sites: readonly PlacedSite[], filters: URLSearchParams): Html {
  const { basePath } = request.service.settings
  const regions = `${basePath}${pagePathOf(request.service.registry.model('dcim.region'))}`
  const hasDevices = mayViewDevices(request)
  const title = translate('Sites on the map')
  const rows = sites
    .slice(0, MOST_ROWS)
    .map(
      (site) =>
        html`<tr><th scope="row"><a href="${listPath(request)}${site.id}/"><bdi>${site.name}</bdi></a></th><td>${statusBadge(request, site)}</td><td>${site.region ? html`<a href="${regions}${site.region.id}/"><bdi>${site.region.name}</bdi></a>` : EMPTY}</td>${hasDevices && html`<td class="num">${numeral(site.devices)}</td>`}<td class="num">${site.latitude}, ${site.longitude}</td></tr>`,
    )
  return html`<section class="card"><h2>${title}</h2><div class="scroll objects-table" tabindex="0" role="region" aria-label="${title}"><table><thead><tr><th scope="col">${translateLabel('Name')}</th><th scope="col">${translateLabel('Status')}</th><th scope="col">${translateLabel('Region')}</th>${hasDevices && html`<th scope="col" class="num">${translateLabel('Devices')}</th>`}<th scope="col" class="num">${translate('Coordinates')}</th></tr></thead><tbody>${rows}</tbody></table></div>${
    sites.length > MOST_ROWS &&
    html`<p><a href="${listPath(request)}?${filters.toString()}">${translate('Show all {count}', { count: sites.length })}</a></p>`
  }</section>`
}
