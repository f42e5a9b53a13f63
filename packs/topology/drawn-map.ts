import { type ApiRequest, isJsonObject, type JsonObject, join, pagePathOf, readerOf, sql, table } from 'cadastre'
import { contextText, type Text, translate, visibleObjects } from 'cadastre/web'
import type { MapGraph, MapLink, MapNode } from './group-graph.ts'
import type { Layout, Point } from './layout.ts'
import { type LinkKind, TOPOLOGY_MODELS } from './topology-links.ts'
import type { DrawnMap, DrawnNode } from './topology-map.ts'

/** What the boxes of devices and circuits show, with the paths of their colors; places show their context. */
const PATHS: Readonly<Partial<Record<MapNode['kind'], readonly string[]>>> = {
  device: ['role', 'role.color'],
  circuit: ['provider'],
  rack: ['role', 'role.color'],
}

const NO_PLACE = {
  rack: 'No rack',
  location: 'No location',
  site: 'No site',
} as const satisfies Readonly<Record<string, Text>>

/** Texts for numbers of links, by their kind. */
export const LINK_TEXTS = {
  network: '{count} cable|{count} cables',
  power: '{count} power cable|{count} power cables',
  console: '{count} console cable|{count} console cables',
  circuits: '{count} circuit|{count} circuits',
  wireless: '{count} wireless link|{count} wireless links',
} as const satisfies Readonly<Record<LinkKind, Text>>

/** The same for links end to end, which may have several cables. */
export const CONNECTION_TEXTS = {
  ...LINK_TEXTS,
  network: '{count} connection|{count} connections',
  power: '{count} power connection|{count} power connections',
  console: '{count} console connection|{count} console connections',
} as const satisfies Readonly<Record<LinkKind, Text>>

/** The graph with the names of its objects: one read for each of their models. `moved`: nodes that the user has moved. */
export async function drawnMap(
  request: ApiRequest,
  graph: MapGraph,
  { layout, moved }: { readonly layout: Layout; readonly moved: ReadonlyMap<string, Point> },
  texts: typeof LINK_TEXTS | typeof CONNECTION_TEXTS,
): Promise<DrawnMap> {
  const frames = framesOf(graph)
  const aside = new Set(layout.aside)
  const [objects, names] = await Promise.all([
    objectsOf(request, [...graph.nodes, ...frames]),
    portNames(request, graph.links),
  ])
  const nodes = new Map(
    graph.nodes.map((node) => {
      const [x, y] = moved.get(node.key) ?? layout.nodes.get(node.key) ?? [0, 0]
      return [
        node.key,
        { ...described(request, node, objects.get(node.key)), frame: aside.has(node.key) ? null : node.frame, x, y },
      ]
    }),
  )
  const links = graph.links.flatMap(({ a, b, kind, count, ports = [] }, index) => {
    const [from, to] = [nodes.get(a), nodes.get(b)]
    const named = ports
      .map(([left, right]) => [names.get(left) ?? '', names.get(right) ?? ''] as const)
      .filter((pair) => pair.some((name) => name !== ''))
    if (!from || !to) return []
    const bends = moved.has(a) || moved.has(b) ? [] : (layout.bends.get(index) ?? [])
    const points: readonly Point[] = [[from.x, from.y], ...bends, [to.x, to.y]]
    return [{ a: from, b: to, kind, count, label: translate(texts[kind], { count }), ports: named, points }]
  })
  const shownFrames = frames.flatMap(({ key }) => {
    // A place that the sender may not view has no frame.
    const frame = objects.get(key)
    return frame ? [{ key, name: String(frame.object.display) }] : []
  })
  return { nodes: [...nodes.values()], links, frames: shownFrames, aside }
}

/** The places of the frames. */
const framesOf = ({ nodes, framing }: MapGraph): readonly Pick<MapNode, 'key' | 'kind' | 'id'>[] =>
  framing === undefined
    ? []
    : [...new Set(nodes.flatMap(({ frame }) => frame ?? []))].map((key) => ({
        ...{ key, kind: framing, id: Number(key.slice(framing.length + 1)) },
      }))

/** Names of the ports that the sender may view, by `app.model:id`: one query for all of their models. */
async function portNames(request: ApiRequest, links: readonly MapLink[]): Promise<ReadonlyMap<string, string>> {
  const nodes = new Set(links.flatMap(({ ports = [] }) => ports.flat()))
  if (nodes.size === 0) return new Map()
  const byModel = Map.groupBy([...nodes], (node) => node.slice(0, node.indexOf(':')))
  const selects = [...byModel].map(([model, list]) => {
    const ids = list.map((node) => Number(node.slice(model.length + 1)))
    const name = request.service.registry.model(model).fields.has('term_side') ? sql`t.term_side` : sql`t.name`
    return sql`select ${`${model}:`}::text || t.id, ${name} from ${table(model)} t where t.id = any(${ids}::bigint[])`
  })
  const rows = await readerOf(request).rows(join(selects, ' union all '))
  return new Map(rows.map(([node, name]) => [String(node), String(name)]))
}

/** The object of a node, and the text that distinguishes it from other objects of the same name. */
interface NodeObject {
  readonly object: JsonObject
  readonly color: unknown
  readonly context: string
}

async function objectsOf(
  request: ApiRequest,
  nodes: readonly Pick<MapNode, 'kind' | 'id'>[],
): Promise<ReadonlyMap<string, NodeObject>> {
  const byKind = Map.groupBy(nodes, ({ kind }) => kind)
  const entries = await Promise.all(
    [...byKind].map(async ([kind, list]) => {
      const model = request.service.registry.model(TOPOLOGY_MODELS[kind])
      const ids = list.flatMap(({ id }) => id ?? [])
      const { context = [] } = request.service.registry.view(model)
      const objects = await visibleObjects(request, model, ids, ['id', 'display', ...context, ...(PATHS[kind] ?? [])])
      return [...objects].map(
        ([id, object]) =>
          [`${kind}:${id}`, { object, color: object['role.color'], context: contextText(context, object) }] as const,
      )
    }),
  )
  return new Map(entries.flat())
}

function described(
  request: ApiRequest,
  { key, kind, id, size }: MapNode,
  nodeObject: NodeObject | undefined,
): Omit<DrawnNode, 'x' | 'y' | 'frame'> {
  const { object, color, context = '' } = nodeObject ?? {}
  const isCircuit = kind === 'circuit' || kind === 'provider'
  const isPlace = kind !== 'device' && !isCircuit
  const isHex = typeof color === 'string' && /^[0-9a-f]{6}$/i.test(color)
  return {
    key,
    name: nameOf(kind, object),
    context: isPlace ? context : '',
    about: aboutOf(kind, size, object),
    href: hrefOf(request, kind, id),
    color: isHex ? color : undefined,
    shape: isPlace ? 'group' : kind,
  }
}

/** The name of an object; a place that the sender may not view counts as missing. */
const nameOf = (kind: MapNode['kind'], object: JsonObject | undefined): string =>
  object
    ? String(object.display)
    : kind === 'device' || kind === 'circuit' || kind === 'provider'
      ? ''
      : translate(NO_PLACE[kind])

function aboutOf(kind: MapNode['kind'], count: number, object: JsonObject | undefined): string {
  if (kind === 'device') return isJsonObject(object?.role) ? String(object.role.display) : ''
  if (kind === 'circuit') return isJsonObject(object?.provider) ? String(object.provider.display) : ''
  if (kind === 'provider') return translate(LINK_TEXTS.circuits, { count })
  return translate('{count} device|{count} devices', { count })
}

/** A device, a circuit and a provider lead to their pages, a place to the map of its devices. */
function hrefOf({ service, search, url }: ApiRequest, kind: MapNode['kind'], id: number | null): string {
  if (kind === 'device' || kind === 'circuit' || kind === 'provider') {
    const page = pagePathOf(service.registry.model(TOPOLOGY_MODELS[kind]))
    return `${service.settings.basePath}${page}${id}/`
  }
  const query = new URLSearchParams(search)
  query.delete('group')
  query.set(`${kind}_id`, id === null ? 'null' : String(id))
  return `${url.pathname}?${query}`
}
