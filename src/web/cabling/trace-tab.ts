import type { Segment } from '../../api/actions/dcim/follow-path.ts'
import { drawPath, type TracedPath, tracedPathFrom } from '../../api/actions/dcim/trace.ts'
import type { ApiRequest } from '../../api/api-request.ts'
import { bodyText } from '../../api/response.ts'
import { isJsonObject, type Json, type JsonObject, objectsIn } from '../../schema/json.ts'
import { componentList } from '../components/component-link.ts'
import { type Attribute, attributesPanel, panel } from '../components/panel.ts'
import { linkToObject } from '../components/value.ts'
import { askApi } from '../data/ask-api.ts'
import { displayOptionsOf } from '../data/display-options.ts'
import { visibleObjects } from '../data/page-objects.ts'
import type { ObjectPart, ObjectTab } from '../frame/object-content.ts'
import { type Content, html, trusted } from '../html.ts'
import { translate } from '../texts/translate.ts'
import { CABLING_MODELS } from './cabling-models.ts'
import { readBy } from './read-by.ts'

/** Width of the drawing in pixels; narrower windows shrink it. */
const WIDTH = 460

/** The path from the object as a drawing whose parts are links, and as a table. */
export const traceTab: ObjectTab = {
  models: ({ fields }) => fields.has('connected_endpoints'),
  path: 'trace',
  label: () => translate('Trace'),
  load: async ({ request, model, object }) => {
    const isConnected = object.cable !== null || object.wireless_link != null
    const path = await tracedPathFrom(request, model.name, Number(object.id))
    const content =
      isConnected && path.segments.length > 0
        ? await pathPanels(request, path)
        : html`<p class="notice">${translate('Nothing is connected.')}</p>`
    return { content, styles: ['drawings.css', 'cabling.css'] }
  },
}

async function pathPanels(request: ApiRequest, path: TracedPath): Promise<Content> {
  const [table, split, circuits] = await Promise.all([
    segmentsTable(request, path),
    splitPanel(request, path),
    circuitsOn(request, path),
  ])
  return html`<div class="trace"><div>${inlineDrawing(drawPath(request, path, WIDTH))}</div>
<div>${attributesPanel(translate('Path'), summaryOf(path, circuits))}${split}${panel(translate('Segments'), table)}</div></div>`
}

/** The circuits that the path leads through, with their lengths. */
async function circuitsOn(request: ApiRequest, path: TracedPath): Promise<readonly JsonObject[]> {
  const model = request.service.registry.model(CABLING_MODELS.circuit)
  const ids = objectsAt(path, path.segments.flat(2)).flatMap(({ circuit }) =>
    isJsonObject(circuit) ? [Number(circuit.id)] : [],
  )
  const fields = ['id', 'distance', 'distance_unit']
  return [...(await visibleObjects(request, model, ids, fields)).values()]
}

/** How the path ends, its cables, and their lengths together with those of the circuits. */
function summaryOf(path: TracedPath, circuits: readonly JsonObject[]): readonly Attribute[] {
  const links = objectsAt(
    path,
    path.segments.flatMap(([, link]) => link),
  )
  const meters = [...links, ...circuits].map(metersOf)
  const total = meters.reduce<number>((sum, length) => sum + (length ?? 0), 0)
  return [
    {
      label: translate('State'),
      value: html`<span class="badge ${stateOf(path)[1]}">${stateOf(path)[0]}</span>`,
    },
    { label: translate('Links'), value: links.length },
    ...(total > 0 ? [{ label: translate('Length'), value: lengthText(total, meters) }] : []),
  ]
}

function stateOf({ isComplete, isSplit, isActive }: TracedPath): readonly [text: string, colour: string] {
  if (isSplit) return [translate('Splits'), 'orange']
  if (!isComplete) return [translate('Open end'), 'orange']
  return isActive ? [translate('Connected end to end'), 'green'] : [translate('Not connected end to end'), 'red']
}

const METERS: Readonly<Record<string, number>> = {
  ...{ km: 1000, m: 1, cm: 0.01, mi: 1609.344, ft: 0.3048, in: 0.0254 },
}

function metersOf(link: JsonObject): number | undefined {
  const length = link.length ?? link.distance
  const unit = link.length_unit ?? link.distance_unit
  const factor = METERS[String(isJsonObject(unit) ? unit.value : unit)]
  return typeof length === 'number' && factor !== undefined ? length * factor : undefined
}

const lengthText = (total: number, parts: readonly (number | undefined)[]): string => {
  const [size, unit] = total < 1000 ? [total, 'm'] : [total / 1000, 'km']
  const text = `${Math.round(size * 100) / 100} ${unit}`
  return parts.includes(undefined) ? translate('{length}, and links of unknown length', { length: text }) : text
}

/** The objects of these steps that the user may view. */
const objectsAt = ({ texts }: TracedPath, nodes: readonly string[]): readonly JsonObject[] =>
  objectsIn(nodes.map((node) => JSON.parse(texts.get(node) ?? 'null') as Json)) // produced by this process

async function segmentsTable(request: ApiRequest, path: TracedPath): Promise<Content> {
  const options = await displayOptionsOf(request, [])
  const objects = (nodes: readonly string[]) => objectsAt(path, nodes)
  const row = ([near, link, far]: Segment): Content =>
    html`<tr><td><div class="wrap">${componentList(objects(near), options)}</div></td><td>${objects(link).map((object) => html`<div>${linkToObject(nameOf(object), options)}</div>`)}</td><td><div class="wrap">${far.length === 0 ? html`<span class="muted">${translate('Not connected')}</span>` : componentList(objects(far), options)}</div></td></tr>`
  return html`<div class="scroll objects-table" tabindex="0" role="region" aria-label="${translate('Segments')}"><table><thead><tr><th scope="col">${translate('From')}</th><th scope="col">${translate('Link')}</th><th scope="col">${translate('To')}</th></tr></thead><tbody>${path.segments.map(row)}</tbody></table></div>`
}

/** A link under the name that people use: its label, its network, its number. */
const nameOf = (link: JsonObject): JsonObject => ({
  ...link,
  display: String(link.label || link.ssid || `#${link.id}`),
})

/**
 * A drawing of the API within a page: the page's own style sheet colours it, so that it follows the theme, and its
 * links form a group, not an image.
 */
export const inlineDrawing = (svg: string) => {
  const drawing = svg.replace(/<style>.*?<\/style>/s, '').replace(' role="img"', ' role="group"')
  return html`<div class="drawing scroll" tabindex="0" role="region" aria-label="${translate('Drawing')}">${trusted(drawing)}</div>`
}

/** The path from a port as a drawing: what is connected to it, and through what. */
export const portPathPart: ObjectPart = {
  models: traceTab.models,
  load: async ({ request, model, object }) => {
    if (object.cable == null && object.wireless_link == null) return {}
    const path = await tracedPathFrom(request, model.name, Number(object.id))
    if (path.segments.length === 0) return {}
    return { right: panel(translate('Path'), inlineDrawing(drawPath(request, path, WIDTH))), styles: ['drawings.css'] }
  },
}

/** The path through a cable, from the first of its ends at which a path can start. */
export const cablePathPart: ObjectPart = {
  models: ({ fields }) => fields.has('a_terminations'),
  load: async ({ routes, request, object }) => {
    const ends = [...objectsIn(object.a_terminations), ...objectsIn(object.b_terminations)]
    for (const end of ends) {
      const url = isJsonObject(end.object) ? String(end.object.url) : ''
      const path = `${url.slice(request.base.length + '/api/'.length)}trace/`
      if (url === '' || !routes.find(`/api/${path}`)?.endpoint.isTrace) continue
      const query = new URLSearchParams({ render: 'svg', width: '480' })
      const drawing = bodyText(await askApi(routes, request, { path, query }))
      return { right: panel(translate('Path'), inlineDrawing(drawing)), styles: ['drawings.css'] }
    }
    return {}
  },
}

/** The ports from which a split path continues, each with what is connected to it. */
async function splitPanel(request: ApiRequest, { isSplit, segments }: TracedPath): Promise<Content> {
  if (!isSplit) return undefined
  const last = segments.flat().findLast((nodes) => nodes.length > 0) ?? []
  const rear = `${CABLING_MODELS.rearPort}:`
  const values = last.filter((node) => node.startsWith(rear)).map((node) => Number(node.slice(rear.length)))
  if (values.length === 0) return undefined
  const objects = await readBy(request, {
    model: CABLING_MODELS.frontPort,
    parameter: 'rear_port_id',
    values,
    fields: ['link_peers'],
  })
  const options = await displayOptionsOf(request, [])
  return panel(
    translate('The path splits'),
    html`<div class="scroll objects-table" tabindex="0" role="region" aria-label="${translate('The path splits')}"><table><thead><tr><th scope="col">${translate('From')}</th><th scope="col">${translate('To')}</th></tr></thead><tbody>${objects.map(
      (port) =>
        html`<tr><td>${linkToObject(port, options)}</td><td>${objectsIn(port.link_peers).length === 0 ? html`<span class="muted">${translate('Not connected')}</span>` : componentList(objectsIn(port.link_peers), options)}</td></tr>`,
    )}</tbody></table></div>`,
  )
}
