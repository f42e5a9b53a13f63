import { consolePort, consoleServerPort, powerOutlet, powerPort } from '../../../models/dcim/components.ts'
import { deviceInterface } from '../../../models/dcim/interface.ts'
import { powerFeed } from '../../../models/dcim/power-feed.ts'
import { lastValue } from '../../../read/query/last-value.ts'
import type { NestedProjection } from '../../../schema/field.ts'
import type { JsonObject } from '../../../schema/json.ts'
import type { Definition } from '../../../schema/model.ts'
import { modelOfUrl, pagePathOf } from '../../../schema/page-path.ts'
import type { ApiRequest } from '../../api-request.ts'
import { okResponse } from '../../response.ts'
import { type Action, listOf } from '../action.ts'
import { findTarget } from '../target.ts'
import { type FollowedPath, followPath, type Segment } from './follow-path.ts'
import { nodeTexts } from './path-nodes.ts'
import { drawTrace } from './trace-drawing.ts'

/** Projection of a link within a trace: more fields than elsewhere, and a status without its label. */
const CABLE: NestedProjection = [
  'id',
  'url',
  'display_url',
  'type',
  ['status', 'bare'],
  'label',
  'color',
  'length',
  ['length_unit', 'bare'],
  'description',
]
const WIRELESS: NestedProjection = [
  'id',
  'url',
  'display_url',
  ['status', 'bare'],
  'ssid',
  'distance',
  ['distance_unit', 'bare'],
  'description',
]
const PROJECTIONS: Readonly<Record<string, NestedProjection>> = {
  'dcim.cable': CABLE,
  'wireless.wirelesslink': WIRELESS,
}

const DEFAULT_WIDTH = 400
const SVG = 'image/svg+xml'

/** Models at which paths start. */
const ENDPOINTS = [
  consolePort,
  consoleServerPort,
  deviceInterface,
  powerFeed,
  powerOutlet,
  powerPort,
] as readonly Definition[]

/** GET …/trace/: the path from an endpoint, segment by segment, as data or as a drawing. */
export const traceActions: readonly Action[] = ENDPOINTS.map(({ name, path = '', labels }) => ({
  path: `${path}/:id/trace`,
  title: labels[0].replace(/(^| )\p{L}/gu, (initial) => initial.toUpperCase()),
  description: 'Trace a complete cable path and return each segment.',
  methods: {
    GET: {
      permission: { view: name },
      parameters: [
        { in: 'query', name: 'render', schema: { type: 'string', enum: ['svg'] } },
        { in: 'query', name: 'width', schema: { type: 'integer', default: DEFAULT_WIDTH } },
      ],
      answer: listOf(listOf({})),
      otherTypes: [SVG],
      verb: 'retrieve',
      handle: (request) => trace(request, name),
    },
  },
}))

/** A path with the JSON of the objects on it that the user may view, by `app.model:id`. */
export interface TracedPath extends FollowedPath {
  readonly texts: ReadonlyMap<string, string>
}

/** The path from the object of that type and id. The caller checks that the user may view the object. */
export async function tracedPathFrom(
  request: Pick<ApiRequest, 'service' | 'actor' | 'base'>,
  type: string,
  id: number,
): Promise<TracedPath> {
  const path = await followPath(request.service.database, `${type}:${id}`)
  return { ...path, texts: await segmentTexts(request, path.segments) }
}

/** The JSON of the objects in the segments that the user may view, by `app.model:id`. */
export const segmentTexts = (
  request: Pick<ApiRequest, 'service' | 'actor' | 'base'>,
  segments: readonly Segment[],
): Promise<TracedPath['texts']> => nodeTexts(request, segments.flat(2), PROJECTIONS)

async function trace(request: ApiRequest, type: string) {
  const { search } = request
  const { id } = await findTarget(request, type)
  const { segments, texts } = await tracedPathFrom(request, type, id)
  if (lastValue(search, 'render') === 'svg') {
    const width = Number(lastValue(search, 'width') ?? DEFAULT_WIDTH)
    const pixels = Number.isInteger(width) ? width : DEFAULT_WIDTH
    const body = drawPath(request, { segments, texts }, pixels)
    return { status: 200, body, type: SVG }
  }
  return okResponse(
    `[${connectedPart(segments)
      .map((segment) => segmentText(segment, texts))
      .join()}]`,
  )
}

/** The path as an SVG document of that width in pixels, whose parts are links to the pages of their objects. */
export const drawPath = (
  request: Pick<ApiRequest, 'service' | 'base'>,
  { segments, texts }: Pick<TracedPath, 'segments' | 'texts'>,
  width: number,
): string => drawTrace(segments, texts, width, (object) => pageAddress(request, object))

/** Address of the page of an object. */
function pageAddress({ service, base }: Pick<ApiRequest, 'service' | 'base'>, { url }: JsonObject): string | undefined {
  const model = typeof url === 'string' ? modelOfUrl(service.registry, url) : undefined
  const page = model && pagePathOf(model)
  const id = /(\d+)\/$/.exec(String(url))?.[1]
  return page === undefined ? undefined : `${base}${page}${id}/`
}

/** Segments up to the first gap. */
function connectedPart(segments: readonly Segment[]): readonly Segment[] {
  const gap = segments.findIndex(([near]) => near.length === 0)
  return gap === -1 ? segments : segments.slice(0, gap)
}

function segmentText([near, link, far]: Segment, texts: ReadonlyMap<string, string>): string {
  const list = (nodes: readonly string[]) => `[${nodes.flatMap((node) => texts.get(node) ?? []).join()}]`
  const [first] = link
  return `[${list(near)},${first === undefined ? '[]' : linkText(first, texts)},${list(far)}]`
}

/** A wireless link is shown with the fields of a cable. */
function linkText(node: string, texts: ReadonlyMap<string, string>): string {
  const text = texts.get(node) ?? '[]'
  if (!node.startsWith('wireless.')) return text
  const link = JSON.parse(text)
  const { id, url, display_url, status, description } = link
  const label = link.ssid
  const [length, length_unit] = [link.distance, link.distance_unit]
  return JSON.stringify({
    id,
    url,
    display_url,
    type: null,
    status,
    label,
    color: '',
    length,
    length_unit,
    description,
  })
}
