import { cachedPreferencesOf } from '../../api/actions/users/config.ts'
import type { ApiRequest } from '../../api/api-request.ts'
import type { HttpResponse } from '../../api/response.ts'
import { invalid } from '../../base/errors.ts'
import { requirePermission } from '../../identity/permitted-rows.ts'
import { lastValue } from '../../read/query/last-value.ts'
import { isJsonObject } from '../../schema/json.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import { shownPlural } from '../components/model-title.ts'
import type { PageResponse } from '../frame/page-frame.ts'
import { type Content, html } from '../html.ts'
import { changedQuery } from '../lists/list-query.ts'
import { translate } from '../texts/translate.ts'
import { CONNECTION_TEXTS, drawnMap, LINK_TEXTS } from './drawn-map.ts'
import { readGraph } from './graph.ts'
import { GROUPINGS, type Grouping, groupGraph, type MapGraph } from './group-graph.ts'
import { layoutOf, type Point } from './layout.ts'
import { drawioFile, svgFile } from './map-files.ts'
import { END_TO_END, KIND_LABELS, LINKED_ONLY, topologyForm } from './topology-form.ts'
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
  const filters = new URLSearchParams([...search].filter(([name, value]) => !OWN.has(name) && value !== ''))
  const kinds = kindsIn(search)
  const isEndToEnd = search.has(END_TO_END)
  const isLinkedOnly = search.has(LINKED_ONLY)
  const graph = await readGraph(request, filters, { kinds, isEndToEnd })
  const all = groupGraph(graph, groupingIn(search))
  const grouped = isLinkedOnly ? withLinks(all) : all
  const key = positionsKey(new URLSearchParams([...filters, ['group', grouped.grouping]]))
  const layout = await layoutOf(service, grouped)
  const moved = await savedPositions(request, key)
  const map = await drawnMap(request, grouped, { layout, moved }, isEndToEnd ? CONNECTION_TEXTS : LINK_TEXTS)
  if (format) return exported(format, map)
  const list = pagePathOf(model) ?? '/'
  const drawing: Content =
    map.nodes.length === 0
      ? html`<p class="notice">${translate(all.nodes.length === 0 ? 'No device matches these filters.' : 'None of these devices has a link.')}</p>`
      : html`${topologyMap(map, key)}${legend(kinds)}${topologyTable(map.links, nodeLink)}`
  return {
    title: translate('Topology'),
    styles: ['inputs.css', 'objects.css', 'edit.css', 'topology.css'],
    scripts: ['edit-form.client.ts', 'topology.client.ts'],
    breadcrumbs: [
      { label: shownPlural(model), path: list },
      { label: translate('Topology'), path: TOPOLOGY },
    ],
    body: html`<div class="heading"><h1>${translate('Topology')} <small class="count">${translate('{count} device|{count} devices', { count: graph.devices.length })}</small></h1>${map.nodes.length > 0 && exportLinks(search)}</div>
${await topologyForm(request, { kinds, filters, isEndToEnd, isLinkedOnly })}
${graph.isCut && html`<p class="notice warn">${translate('Only the first {count} devices are shown.', { count: graph.devices.length })}</p>`}
${grouped.grouping !== 'none' && html`<p class="muted">${translate(GROUPED[grouped.grouping])}</p>`}${drawing}`,
  }
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
  return group === 'none' ? 'none' : GROUPINGS.find((each) => each === group)
}

/** The lines of the map, by the kind of link. */
const legend = (kinds: ReadonlySet<LinkKind>): Content =>
  html`<ul class="legend">${[...kinds].map((kind) => html`<li><svg class="map-line" viewBox="0 0 36 8" aria-hidden="true"><g class="link ${kind}"><line x1="0" y1="4" x2="36" y2="4" stroke-width="3"/></g></svg> ${translate(KIND_LABELS[kind])}</li>`)}</ul>`

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
  const isNear = (each: unknown): each is number => typeof each === 'number' && Math.abs(each) < FARTHEST
  return isNear(x) && isNear(y) ? [Math.round(x), Math.round(y)] : undefined
}
