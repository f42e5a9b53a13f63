import { type ApiRequest, mayAct, pagePathOf, shortened } from 'cadastre'
import {
  type Content,
  choiceColour,
  choiceLabel,
  type Html,
  html,
  numeral,
  translate,
  translateLabel,
} from 'cadastre/web'
import { type Dot, dotsOf, type PositionedSite } from './dots.ts'
import { LABEL_GAP, type Label, labelsOf } from './labels.ts'
import { FRAME, projectionOf } from './projection.ts'
import { SITE } from './site-map-link.ts'
import type { PlacedSite } from './sites-on-map.ts'

/** Widths in pixels for which dots and labels are arranged; they have the same size on all screens. */
const WIDTHS = { wide: 960, narrow: 340 } as const
type Arrangement = keyof typeof WIDTHS

const MOST_LABELS = 40
const MOST_CHARACTERS = 24
/** Sites that the title of a dot names, and that its link lists one by one. */
const MOST_NAMES = 8
const MOST_IDS = 100

/** Radius in pixels of the smallest area that can be clicked. */
const LEAST_HIT = 12

/** Devices from which a dot is larger, with its radius in pixels. */
const SIZES = [
  { from: 100, radius: 8 },
  { from: 10, radius: 6 },
  { from: 0, radius: 4.5 },
] as const

/**
 * A map of the sites, of which there is at least one; without a legend. Of two arrangements of the dots, the style sheet
 * shows the one that suits the width of the map, and a script lets it be enlarged.
 */
export async function siteMap(
  request: ApiRequest,
  sites: readonly PlacedSite[],
  arrangements: readonly Arrangement[],
): Promise<Html> {
  const { outline, positionOf } = await projectionOf(request.service, sites)
  const positioned = sites.map((site) => {
    const [x, y] = positionOf(site)
    return { site, x, y }
  })
  const isLive = arrangements.length > 1
  return html`<div class="site-map"${isLive && html` data-site-map tabindex="0" role="region" aria-label="${translate('Map of sites')}"`}><svg role="group" aria-label="${translate('Map of sites')}">
<svg viewBox="0 0 ${FRAME.width} ${FRAME.height}" preserveAspectRatio="none" aria-hidden="true"><path class="land" d="${outline}"/></svg>
${arrangements.map((arrangement) => html`<g${arrangements.length > 1 && html` class="${arrangement}"`}>${arranged(request, positioned, WIDTHS[arrangement])}</g>`)}
${isLive && html`<g class="members">${positioned.length <= MOST_MEMBERS && positioned.map((site) => memberDrawing(request, site))}</g>`}</svg></div>`
}

/** Sites up to which those of a group are drawn one by one when the map is enlarged. */
const MOST_MEMBERS = 1_000

/** A single site, which the map shows in place of its group when there is room. */
const memberDrawing = (request: ApiRequest, { site, x, y }: PositionedSite): Html => {
  const dot: Dot = { sites: [site], x, y }
  return dotDrawing(request, { ...dot, radius: radiusOf(dot), text: labelOf(dot) }, undefined)
}

/** The dots of a map of this width in pixels. */
function arranged(request: ApiRequest, sites: readonly PositionedSite[], width: number): Content {
  const size = { width, height: (width * FRAME.height) / FRAME.width }
  const dots = dotsOf(sites, size).map((dot) => ({ ...dot, radius: radiusOf(dot), text: labelOf(dot) }))
  const labels = labelsOf(dots, size, MOST_LABELS)
  return dots.map((dot, index) => dotDrawing(request, dot, labels[index]))
}

interface DrawnDot extends Dot {
  readonly radius: number
  readonly text: string
}

/** A dot with its label; `badge` gives the hue of the site's status. */
function dotDrawing(request: ApiRequest, { sites, x, y, radius, text }: DrawnDot, label: Label | undefined): Html {
  const [left, top] = [percent(x), percent(y)]
  const isGroup = sites.length > 1
  const about = isGroup ? groupTitle(sites) : siteTitle(request, sites[0])
  const { side = 'right', isShown = false } = label ?? {}
  const away = (radius + LABEL_GAP) * (side === 'right' ? 1 : -1)
  const ids = isGroup && html` data-sites="${sites.map(({ id }) => id).join(' ')}"`
  return html`<a class="${isGroup ? 'group' : `badge ${hueOf(request, sites[0])}`}" href="${hrefOf(request, sites)}" aria-label="${about}"${ids}><title>${about}</title><circle class="hit" cx="${left}" cy="${top}" r="${Math.max(radius + LABEL_GAP, LEAST_HIT)}"/><circle class="dot" cx="${left}" cy="${top}" r="${radius}"/>${isGroup && html`<text class="number" x="${left}" y="${top}" dy="0.35em">${numeral(sites.length)}</text>`}<text class="name ${side}${!isShown && ' pointed'}" x="${left}" y="${top}" dx="${away}" dy="0.35em" aria-hidden="true">${text}</text></a>
`
}

const percent = (share: number): string => `${(share * 100).toFixed(2)}%`

const radiusOf = ({ sites }: Dot): number =>
  sites.length > 1
    ? 7 + 3 * String(sites.length).length
    : (SIZES.find(({ from }) => sites[0].devices >= from)?.radius ?? SIZES[2].radius)

/** The names of the sites: their number is in the dot. */
const labelOf = ({ sites }: Dot): string =>
  shortened(
    sites
      .slice(0, MOST_NAMES)
      .map(({ name }) => name)
      .join(', '),
    MOST_CHARACTERS,
  )

const siteTitle = (request: ApiRequest, site: PlacedSite): string =>
  [
    site.name,
    statusLabel(request, site),
    ...(mayViewDevices(request) ? [translate('{count} device|{count} devices', { count: site.devices })] : []),
  ].join(' · ')

const groupTitle = (sites: Dot['sites']): string => {
  const names = sites.slice(0, MOST_NAMES).map(({ name }) => name)
  const more = sites.length > names.length ? ', …' : ''
  return `${translate('{count} site|{count} sites', { count: sites.length })}: ${names.join(', ')}${more}`
}

/** The page of a site, or the list of several. */
function hrefOf({ service }: ApiRequest, sites: Dot['sites']): string {
  const list = `${service.settings.basePath}${pagePathOf(service.registry.model(SITE))}`
  if (sites.length === 1) return `${list}${sites[0].id}/`
  if (sites.length <= MOST_IDS) return `${list}?${sites.map(({ id }) => `id=${id}`).join('&')}`
  // A longer URL could be refused: the list of a region, which can contain a few sites of the next dots.
  const [latitudes, longitudes] = [sites.map((site) => site.latitude), sites.map((site) => site.longitude)]
  const region = new URLSearchParams({
    latitude__gte: String(Math.min(...latitudes)),
    latitude__lte: String(Math.max(...latitudes)),
    longitude__gte: String(Math.min(...longitudes)),
    longitude__lte: String(Math.max(...longitudes)),
  })
  return `${list}?${region}`
}

/** Whether sizes of dots and numbers of devices tell the sender anything. */
export const mayViewDevices = ({ service, actor }: ApiRequest): boolean =>
  mayAct(actor, 'view', service.registry.model('dcim.device'), service.settings)

const statusOf = ({ service }: ApiRequest) => service.registry.model(SITE).fields.get('status')

const statusLabel = (request: ApiRequest, { status }: PlacedSite): string =>
  translateLabel(choiceLabel(statusOf(request), status) ?? status)

const hueOf = (request: ApiRequest, { status }: PlacedSite): string => choiceColour(statusOf(request), status) ?? 'gray'

/** A status as lists show it. */
export const statusBadge = (request: ApiRequest, site: PlacedSite): Html =>
  html`<span class="badge ${hueOf(request, site)}">${statusLabel(request, site)}</span>`

/** The meaning of the hues and sizes that the map has. */
export function siteMapLegend(request: ApiRequest, sites: readonly PlacedSite[]): Content {
  const statuses = [...new Map(sites.map((site) => [site.status, site])).values()]
  const order = (site: PlacedSite) => statusLabel(request, site)
  const sizes = mayViewDevices(request)
    ? SIZES.toReversed().map(({ from, radius }, index, all) => {
        const next = all[index + 1]?.from
        const text =
          next === undefined
            ? translate('{count} devices or more', { count: from })
            : translate('fewer than {count} devices', { count: next })
        return html`<li>${sample(radius)}${text}</li>`
      })
    : []
  return html`<ul class="map-legend">${statuses
    .toSorted((left, right) => order(left).localeCompare(order(right)))
    .map(
      (site) => html`<li>${statusBadge(request, site)}</li>`,
    )}${sizes}<li>${groupSample}${translate('several sites (click to list)')}</li></ul>`
}

const sample = (radius: number): Html =>
  html`<svg class="sample" viewBox="-10 -10 20 20" aria-hidden="true"><circle class="dot" r="${radius}"/></svg>`

const groupSample = html`<svg class="sample group" viewBox="-10 -10 20 20" aria-hidden="true"><circle class="dot" r="9"/><text class="number" dy="0.35em">3</text></svg>`
