/** The drawing of a floor plan as SVG, from what the sender may view. */
import { ApiError, type ApiRequest, pagePathOf, readerOf, sql, table } from 'cadastre'
import {
  choiceLabel,
  type Html,
  html,
  numeral,
  racksWithUsage,
  translate,
  translateLabel,
  visibleObjects,
} from 'cadastre/web'

export const PLAN = 'netbox_floorplan.floorplan'
export const TILE = 'netbox_floorplan.floorplantile'
export const IMAGE = 'netbox_floorplan.floorplanimage'

/** Tiles that are drawn; a plan with more is no plan that people can read. */
const MOST = 2_000

/** Units of the drawing for one unit of the plan. */
const SCALE = 100

export interface Tile {
  readonly id: number
  readonly kind: string
  /** In English. */
  readonly kindLabel: string
  readonly label: string
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly rotation: number
  readonly link?: TileLink
}

export interface TileLink {
  readonly type: string
  readonly id: number
  readonly name: string
  /** Path of its page, with the base path. */
  readonly page: string
  /** Interfaces at the other ends of its cables, beyond panels. */
  readonly ends?: readonly Pick<TileLink, 'name' | 'page'>[]
  /** Share of the units of a rack that are used. */
  readonly use?: number
}

export interface Plan {
  readonly id: number
  readonly name: string
  readonly width: number
  readonly height: number
  readonly unit: string
  /** Path of the background, with the base path. */
  readonly image?: string
  readonly tiles: readonly Tile[]
}

/** Models whose objects are in the paths of cables: outlets in a wall are ports of a panel. */
const CABLED: ReadonlySet<string> = new Set(['dcim.interface', 'dcim.frontport', 'dcim.rearport'])
const INTERFACE = 'dcim.interface'

/** The plan with the id. Throws `notFound`. */
export async function readPlan(request: ApiRequest, id: number): Promise<Plan> {
  const { registry, settings } = request.service
  const reader = readerOf(request)
  const [plan] = await reader.objects(PLAN, new URLSearchParams({ id: String(id) }))
  if (!plan) throw new ApiError({ kind: 'notFound', detail: 'No floor plan matches the given query.' })
  const rows = await reader.rows<
    [
      id: number,
      kind: string,
      label: string,
      x: string,
      y: string,
      width: string,
      height: string,
      rotation: string,
      type: string | null,
      object: number | null,
    ]
  >(sql`
    select t.id, t.kind, t.label, t.x, t.y, t.width, t.height, t.rotation, t.object_type, t.object_id
    from ${table(TILE)} t where t.floorplan_id = ${id}::bigint order by t.id limit ${MOST}::integer`)
  const links = await linksOf(
    request,
    rows.flatMap(([, , , , , , , , type, object]) =>
      type !== null && object !== null ? [{ type, id: Number(object) }] : [],
    ),
  )
  const kinds = registry.model(TILE).fields.get('kind')
  const tiles = rows.map(([tile, kind, label, x, y, width, height, rotation, type, object]): Tile => {
    const link = links.get(`${type} ${object}`)
    return {
      ...{ id: Number(tile), kind, kindLabel: choiceLabel(kinds, kind) ?? kind, label, rotation: Number(rotation) },
      ...{ x: Number(x), y: Number(y), width: Number(width), height: Number(height) },
      ...(link && { link }),
    }
  })
  const furthest = (of: (tile: Tile) => number) => Math.max(10, ...tiles.map(of))
  const background = await imageOf(request, plan.assigned_image)
  return {
    ...{ id, name: String(plan.display), unit: String(plan.measurement_unit), tiles },
    width: Number(plan.width) || furthest(({ x, width }) => x + width),
    height: Number(plan.height) || furthest(({ y, height }) => y + height),
    ...(background !== undefined && { image: `${settings.basePath}${background}` }),
  }

  /** Path of the file of the background; pictures of other sites are not loaded. */
  async function imageOf(asked: ApiRequest, image: unknown): Promise<string | undefined> {
    const imageId = typeof image === 'object' && image !== null && 'id' in image ? Number(image.id) : undefined
    if (imageId === undefined) return undefined
    const picture = (await visibleObjects(asked, registry.model(IMAGE), [imageId], ['file'])).get(imageId)
    return typeof picture?.file === 'string' ? picture.file.slice(asked.base.length) : undefined
  }
}

/** The linked objects that the sender may view, by type and id. */
async function linksOf(
  request: ApiRequest,
  targets: readonly { readonly type: string; readonly id: number }[],
): Promise<ReadonlyMap<string, TileLink>> {
  const { registry, settings } = request.service
  const links = new Map<string, TileLink>()
  const byType = Map.groupBy(targets, ({ type }) => type)
  const racks = await racksWithUsage(
    request,
    (byType.get('dcim.rack') ?? []).map(({ id }) => id),
  )
  const use = new Map(racks.map(({ id, space }) => [id, space.occupied / space.units]))
  const cabled = targets.filter(({ type }) => CABLED.has(type)).map(({ type, id }) => `${type}:${id}`)
  const ends = await connectedTo(request, [...new Set(cabled)])
  for (const [type, list] of byType) {
    const model = registry.models.get(type)
    if (!model || model.path === '' || model.definition.page === false) continue
    const objects = await visibleObjects(
      request,
      model,
      list.map(({ id }) => id),
      ['display'],
    )
    for (const [id, object] of objects) {
      const page = `${settings.basePath}${pagePathOf(model)}${id}/`
      const share = use.get(id)
      links.set(`${type} ${id}`, {
        ...{ type, id, name: String(object.display), page },
        ...(CABLED.has(type) && { ends: ends.get(`${type}:${id}`) ?? [] }),
        ...(type === 'dcim.rack' && share !== undefined && { use: share }),
      })
    }
  }
  return links
}

type Ends = NonNullable<TileLink['ends']>

/** Ends of the paths through a port, at most. */
const MOST_ENDS = 20

/** The interfaces at the ends of the paths through ports (`dcim.rearport:7`), such as the switch port behind an outlet. */
async function connectedTo(request: ApiRequest, nodes: readonly string[]): Promise<ReadonlyMap<string, Ends>> {
  if (nodes.length === 0) return new Map()
  const { registry, settings } = request.service
  const rows = await readerOf(request).rows<[node: string, end: string]>(sql`
    select distinct q.node, n.node from unnest(${nodes}::text[]) q (node)
    join ${table('dcim.cablepath')} p on p._nodes && array[q.node]
    cross join jsonb_array_elements_text((p.path::jsonb -> 0) || (p.path::jsonb -> -1)) n (node)
    where n.node like ${`${INTERFACE}:%`} and n.node <> q.node`)
  const model = registry.model(INTERFACE)
  const idOf = (end: string): number => Number(end.slice(INTERFACE.length + 1))
  const interfaces = await visibleObjects(
    request,
    model,
    rows.map(([, end]) => idOf(end)),
    ['display', 'device'],
  )
  const endOf = (id: number): Ends => {
    const { display, device } = interfaces.get(id) ?? {}
    if (display === undefined) return []
    const owner = typeof device === 'object' && device !== null && 'display' in device ? `${device.display} ` : ''
    return [{ name: `${owner}${display}`, page: `${settings.basePath}${pagePathOf(model)}${id}/` }]
  }
  return new Map(
    [...Map.groupBy(rows, ([node]) => node)].map(([node, ends]) => {
      const ids = ends.map(([, end]) => idOf(end)).sort((a, b) => a - b)
      return [node, ids.slice(0, MOST_ENDS).flatMap(endOf)]
    }),
  )
}

/** Class of a rack by its use. */
const useClass = (use: number): string => (use < 0.5 ? 'use-low' : use < 0.8 ? 'use-middle' : 'use-high')

/** The drawing. `styles`: for a file, which has no style sheet of the pages. */
export function drawingOf(plan: Plan, styles?: string): Html {
  const { width, height, image, tiles, name, unit } = plan
  const [w, h] = [width * SCALE, height * SCALE]
  return html`<svg class="floor-plan" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${w} ${h + 60}" role="group" aria-label="${name}" data-scale="${SCALE}" data-width="${width}" data-height="${height}">${
    styles !== undefined && html`<style>${styles}</style>`
  }<rect class="floor" width="${w}" height="${h}"/>${
    image !== undefined && html`<image href="${image}" width="${w}" height="${h}" preserveAspectRatio="xMidYMid meet"/>`
  }<g class="tiles">${tiles.map(drawTile)}</g><g class="scale-bar" transform="translate(0 ${h + 20})"><path d="M0 0v16M0 8h${SCALE}M${SCALE} 0v16"/><text x="${SCALE + 12}" y="16">1 ${unit}</text></g></svg>`
}

function drawTile({ id, kind, kindLabel, label, x, y, width, height, rotation, link }: Tile): Html {
  const text = label === '' ? (link?.name ?? translateLabel(kindLabel)) : label
  const use =
    link?.use === undefined
      ? undefined
      : translate('{percent} % used', { percent: numeral(Math.round(link.use * 100)) })
  const [w, h] = [width * SCALE, height * SCALE]
  const size = Math.max(6, Math.min(22, Math.min(w, h) * 0.3, (Math.max(w, h) / Math.max(3, text.length)) * 1.6))
  const isTall = h > w
  const shape = html`<title>${[text, use].filter((part) => part !== undefined).join(', ')}</title><rect width="${w}" height="${h}" rx="3"/>${
    kind === 'rack' && html`<path class="front" d="M0 ${h}h${w}"/>`
  }<text transform="translate(${w / 2} ${h / 2})${isTall ? ' rotate(-90)' : ''}" font-size="${size}">${text}</text>`
  const turn = rotation === 0 ? '' : ` rotate(${rotation} ${w / 2} ${h / 2})`
  return html`<g class="tile t-${kind}${link?.use !== undefined && ` ${useClass(link.use)}`}" data-id="${id}" transform="translate(${x * SCALE} ${y * SCALE})${turn}">${
    link ? html`<a href="${link.page}">${shape}</a>` : shape
  }</g>`
}
