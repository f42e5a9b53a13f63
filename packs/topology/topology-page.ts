import {
  type ApiRequest,
  cachedPreferencesOf,
  type HttpResponse,
  invalid,
  isJsonObject,
  lastValue,
  pagePathOf,
  requirePermission,
} from 'cadastre'
import {
  type Content,
  changedQuery,
  emptyList,
  FORM_MARK,
  filterBarOf,
  filterChipsOf,
  html,
  type ListFilters,
  listFilters,
  type PageResponse,
  shownPlural,
  translate,
  unknownFilters,
} from 'cadastre/web'
import { CONNECTION_TEXTS, drawnMap, LINK_TEXTS } from './drawn-map.ts'
import { readGraph } from './graph.ts'
import { GROUPINGS, type Grouping, groupGraph, type MapGraph } from './group-graph.ts'
import { layoutOf, type Point } from './layout.ts'
import { drawioFile, svgFile } from './map-files.ts'
import { END_TO_END, LINKED_ONLY, mapOptions } from './map-options.ts'
import { TOPOLOGY } from './topology-link.ts'
import { LINK_KINDS, type LinkKind, TOPOLOGY_MODELS } from './topology-links.ts'
import { type DrawnMap, type DrawnNode, topologyMap, topologyTable } from './topology-map.ts'

/** Default kinds of links. */
const USUAL: ReadonlySet<LinkKind> = new Set(['network', 'circuits', 'wireless'])

/** Parameters that are not filters of devices. */
const OWN: ReadonlySet<string> = new Set(['show', 'group', 'export', END_TO_END, LINKED_ONLY])

/**
 * GET of `/dcim/topology/?<filters of devices>`: devices and the links between them as a map and as a list. `?export=svg`
 * and `?export=drawio` are the map as a file.
 */
export async function topologyPage(request: ApiRequest): Promise<PageResponse> {
  const { search, service, actor } = request
  const model = service.registry.model(TOPOLOGY_MODELS.device)
  requirePermission(actor, 'view', model, service.settings)
  const format = exportFormat(search)
  const filters = new URLSearchParams(
    [...search].filter(([name, value]) => !OWN.has(name) && value !== '' && name !== FORM_MARK),
  )
  const kinds = kindsIn(search)
  const isEndToEnd = search.has(END_TO_END)
  const isLinkedOnly = search.has(LINKED_ONLY)
  const grouping = groupingIn(search)
  const filtering = { ...request, search: filters }
  const [graph, listed] = await Promise.all([
    readGraph(request, filters, { kinds, isEndToEnd }),
    listFilters(filtering, model, new Map(), undefined),
  ])
  const all = groupGraph(graph, grouping)
  const grouped = isLinkedOnly ? withLinks(all) : all
  const key = positionsKey(new URLSearchParams([...filters, ['group', grouped.grouping]]))
  const layout = await layoutOf(service, grouped)
  const moved = await savedPositions(request, key)
  const map = await drawnMap(request, grouped, { layout, moved }, isEndToEnd ? CONNECTION_TEXTS : LINK_TEXTS)
  if (format) return exported(format, map)
  const list = pagePathOf(model) ?? '/'
  const drawing: Content =
    map.nodes.length === 0
      ? all.nodes.length === 0
        ? emptyList(filtering, model)
        : html`<p class="notice">${translate('None of these devices has a link.')}</p>`
      : html`${topologyMap(map, key)}${topologyTable(map.links, nodeLink)}`
  const title = titleOf(listed)
  return {
    title,
    styles: ['inputs.css', 'objects.css', 'lists.css', 'pan-zoom.css', 'topology.css'],
    scripts: ['lists.client.ts', 'topology.client.ts'],
    breadcrumbs: [
      { label: shownPlural(model), path: list },
      { label: translate('Topology'), path: TOPOLOGY },
    ],
    body: html`<div class="heading" data-live="heading"><h1>${title} <small class="count">${translate('{count} device|{count} devices', { count: graph.devices.length })}</small></h1>${map.nodes.length > 0 && exportLinks(search)}</div>
${filterBarOf(filtering, model, listed, undefined)}
${mapOptions({ kinds, grouping, isEndToEnd, isLinkedOnly })}
<div class="list-result" data-live="result">${filterChipsOf(filtering, model, listed)}${unknownFilters(listed)}
${graph.isCut && html`<p class="notice warn">${translate('Only the first {count} devices are shown.', { count: graph.devices.length })}</p>`}
${grouped.grouping !== 'none' && html`<p class="muted">${translate(GROUPED[grouped.grouping])}</p>`}${drawing}</div>`,
  }
}

/** Filters of places, of which one names the map. */
const PLACES: ReadonlySet<string> = new Set(['site_id', 'site', 'location_id', 'location', 'rack_id'])

/** The title of the map: with the place if its only filter is one. */
function titleOf({ chips }: ListFilters): string {
  const [chip, ...others] = chips
  return chip && others.length === 0 && PLACES.has(chip.name)
    ? translate('Topology of {place}', { place: chip.value })
    : translate('Topology')
}

/** The formats of files of the map: how they are written, their extension and media type. */
const FORMATS = {
  svg: { label: 'SVG', write: svgFile, extension: 'svg', type: 'image/svg+xml' },
  drawio: { label: 'draw.io', write: drawioFile, extension: 'drawio', type: 'application/vnd.jgraph.mxfile' },
} as const
type Format = keyof typeof FORMATS

const isFormat = (name: string): name is Format => Object.hasOwn(FORMATS, name)

function exportFormat(search: URLSearchParams): Format | undefined {
  const name = lastValue(search, 'export')
  if (name === undefined || isFormat(name)) return name
  throw invalid({ export: [`The map can be exported as ${Object.keys(FORMATS).join(' or ')}.`] })
}

function exported(format: Format, map: DrawnMap): HttpResponse {
  if (map.nodes.length === 0) throw invalid({ export: ['The map is empty. Choose other filters.'] })
  const { write, extension, type } = FORMATS[format]
  return {
    status: 200,
    type,
    body: write(map, translate('Topology')),
    headers: { 'Content-Disposition': `attachment; filename="topology.${extension}"` },
  }
}

/** The map as shown, as files. */
const exportLinks = (search: URLSearchParams): Content =>
  html`<div class="actions">${Object.entries(FORMATS).map(([format, { label }]) => html`<a class="button quiet" href="${changedQuery(search, { export: format })}" download>${translate('Export as {format}', { format: label })}</a>`)}</div>`

/** The map without the nodes that have no links. */
function withLinks(graph: MapGraph): MapGraph {
  const linked = new Set(graph.links.flatMap(({ a, b }) => [a, b]))
  return { ...graph, nodes: graph.nodes.filter(({ key }) => linked.has(key)) }
}

const GROUPED = {
  rack: 'Each box represents the devices of a rack and opens their map.',
  location: 'Each box represents the devices of a location and opens their map.',
  site: 'Each box represents the devices of a site and opens their map.',
} as const

const nodeLink = ({ href, name, context }: DrawnNode): Content =>
  html`${href === undefined ? name : html`<a href="${href}"><bdi>${name}</bdi></a>`}${context !== '' && html` <small class="context"><bdi>${context}</bdi></small>`}`

const kindsIn = (search: URLSearchParams): ReadonlySet<LinkKind> =>
  search.has('show') ? new Set(LINK_KINDS.filter((kind) => search.getAll('show').includes(kind))) : USUAL

const groupingIn = (search: URLSearchParams): Grouping | undefined => {
  const group = lastValue(search, 'group')
  return group === 'none' ? 'none' : GROUPINGS.find((grouping) => grouping === group)
}

/** Name under which the positions of a map are stored in the user's preferences: its filters, in order. */
const positionsKey = (filters: URLSearchParams): string => {
  const sorted = new URLSearchParams(filters)
  sorted.sort()
  return sorted.toString() || 'all'
}

/** Positions of the nodes that the user has moved (`topology.positions` of the preferences), by key. */
async function savedPositions({ actor, service }: ApiRequest, key: string): Promise<ReadonlyMap<string, Point>> {
  if (actor.kind !== 'user') return new Map()
  const { topology } = await cachedPreferencesOf(service, actor.id)
  const positions = isJsonObject(topology) ? topology.positions : undefined
  const saved = isJsonObject(positions) ? positions[key] : undefined
  if (!isJsonObject(saved)) return new Map()
  return new Map(
    Object.entries(saved).flatMap(([node, value]) => {
      const point = pointIn(value)
      return point ? [[node, point] as const] : []
    }),
  )
}

/** Pixels; positions beyond them are ignored. */
const FARTHEST = 100_000

function pointIn(value: unknown): Point | undefined {
  if (!Array.isArray(value)) return undefined
  const [x, y]: readonly unknown[] = value
  const isNear = (coordinate: unknown): coordinate is number =>
    typeof coordinate === 'number' && Math.abs(coordinate) < FARTHEST
  return isNear(x) && isNear(y) ? [Math.round(x), Math.round(y)] : undefined
}
