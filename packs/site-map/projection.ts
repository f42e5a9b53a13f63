import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Service } from 'cadastre'
import type { GeoContext, GeoPermissibleObjects, GeoProjection } from 'd3-geo'
import type { feature } from 'topojson-client'

type Topology = Parameters<typeof feature>[0]
type Polygon = Extract<GeoPermissibleObjects, { readonly type: 'Polygon' }>
type Place = readonly [longitude: number, latitude: number]

/** A polygon of a country, within a circle on the globe. */
interface Piece {
  readonly polygon: Polygon
  readonly center: Place
  /** Radians. */
  readonly radius: number
}

/** The part of the globe that a map shows: a circle that contains its frame; radians. */
interface Region {
  readonly center: Place
  readonly radius: number
}

/** The outlines of the package: for the whole world or continents, and for smaller regions. */
const FILES = { coarse: 'world-atlas/countries-110m.json', fine: 'world-atlas/countries-50m.json' } as const
/** Radians; the coarse outline looks angular on maps of smaller regions. */
const LEAST_COARSE = 0.4

const pieces = new Map<keyof typeof FILES, Promise<readonly Piece[]>>()

/** The countries on a map, as data of an SVG path in whole units. The outlines are read when they are first needed. */
async function outlineOf(projection: GeoProjection, region: Region): Promise<string> {
  const detail = region.radius < LEAST_COARSE ? 'fine' : 'coarse'
  const reading = pieces.get(detail) ?? piecesOf(FILES[detail])
  pieces.set(detail, reading)
  const [{ geoDistance, geoPath }, all] = await Promise.all([import('d3-geo'), reading])
  const near = all.filter(
    ({ center, radius }) => geoDistance([...center], [...region.center]) <= radius + region.radius,
  )
  const path = new WholePath()
  geoPath(projection, path)({ type: 'GeometryCollection', geometries: near.map(({ polygon }) => polygon) })
  return path.data
}

async function piecesOf(file: string): Promise<readonly Piece[]> {
  const [{ feature }, { geoCentroid, geoDistance }] = await Promise.all([import('topojson-client'), import('d3-geo')])
  const topology: Topology = JSON.parse(await readFile(fileURLToPath(import.meta.resolve(file)), 'utf8'))
  const { countries } = topology.objects
  const collection = countries && feature(topology, countries)
  const features = collection?.type === 'FeatureCollection' ? collection.features : []
  return features
    .flatMap(({ geometry }) =>
      geometry.type === 'MultiPolygon'
        ? geometry.coordinates
        : geometry.type === 'Polygon'
          ? [geometry.coordinates]
          : [],
    )
    .map((coordinates) => {
      const outer = coordinates[0] ?? []
      const center = geoCentroid({ type: 'MultiPoint', coordinates: outer })
      const radius = outer.reduce((most, [x = 0, y = 0]) => Math.max(most, geoDistance(center, [x, y])), 0)
      return { polygon: { type: 'Polygon', coordinates }, center, radius }
    })
}

/** Data of an SVG path in whole units: a fraction of the size, and no difference on the screen. */
class WholePath implements GeoContext {
  data = ''
  #x = 0
  #y = 0

  beginPath(): void {}

  moveTo(x: number, y: number): void {
    this.#x = Math.round(x)
    this.#y = Math.round(y)
    this.data += `M${this.#x} ${this.#y}`
  }

  lineTo(x: number, y: number): void {
    const [right, down] = [Math.round(x) - this.#x, Math.round(y) - this.#y]
    if (right === 0 && down === 0) return
    this.#x += right
    this.#y += down
    this.data += `l${right} ${down}`
  }

  closePath(): void {
    this.data += 'Z'
  }

  /** For points, which outlines do not have. */
  arc(): void {}
}

/** Size of a map in the units of its outline. */
export const FRAME = { width: 1600, height: 800 } as const
/** Units between the outermost sites and the border. */
const MARGIN = 150

/** Radians around the middle of the sites: beyond them the map shows the whole world. */
const FARTHEST = 1
/** Radians from top to bottom: a single place needs surroundings by which it is recognized. */
const LEAST_HEIGHT = { place: 0.08, places: 0.016 } as const
/** Radians: sites within this distance of their middle are one place. */
const SAME_PLACE = 0.001

/** Degrees. */
export interface Coordinates {
  readonly latitude: number
  readonly longitude: number
}

/** The part of the world that contains some coordinates. */
export interface Projection {
  /** Countries, as data of an SVG path in the units of the frame. */
  readonly outline: string
  /** Position in the frame, as shares of its width and height. */
  readonly positionOf: (place: Coordinates) => readonly [x: number, y: number]
}

/** A projection of the region around the coordinates, or of the whole world if they are spread. */
export async function projectionOf(service: Service, places: readonly Coordinates[]): Promise<Projection> {
  const region = await regionAround(places)
  const outline = region && (await cachedOutline(service, region))
  // A region without land looks like no map at all.
  if (!outline) {
    const world = await partOfWorld(places)
    return { outline: await cachedOutline(service, world), positionOf: positionsIn(world) }
  }
  return { outline, positionOf: positionsIn(region) }
}

const positionsIn =
  ({ projection }: Fitted): Projection['positionOf'] =>
  ({ longitude, latitude }) => {
    const [x, y] = projection([longitude, latitude]) ?? [0, 0]
    return [x / FRAME.width, y / FRAME.height]
  }

async function cachedOutline(service: Service, { projection, center, radius }: Fitted): Promise<string> {
  const parameters = [projection.rotate(), projection.scale(), projection.translate(), radius]
  const key = `outline ${JSON.stringify(parameters)}`
  return await service.cache.get(key, () => outlineOf(projection, { center, radius }), { bytes: (text) => text.length })
}

interface Fitted {
  readonly projection: GeoProjection
  /** The circle on the globe that contains the frame; its radius in radians. */
  readonly center: [number, number]
  readonly radius: number
}

/** How much larger than the whole world a part of it is shown: a single point would be infinitely large. */
const MOST_ENLARGED = 8

/** The map of the world, or the part of it with the places. */
async function partOfWorld(places: readonly Coordinates[]): Promise<Fitted> {
  const { geoNaturalEarth1 } = await import('d3-geo')
  const points = {
    type: 'MultiPoint' as const,
    coordinates: places.map(({ longitude, latitude }): [number, number] => [longitude, latitude]),
  }
  const world = geoNaturalEarth1().fitExtent(inset(25), { type: 'Sphere' })
  const part = geoNaturalEarth1().fitExtent(inset(MARGIN), points)
  const isPart = part.scale() > world.scale() && part.scale() < world.scale() * MOST_ENLARGED
  const projection = isPart ? part : world
  clip(projection)
  return { projection, center: [0, 0], radius: Math.PI }
}

/** Leaves out what is not in the frame. */
function clip(projection: GeoProjection): void {
  const beyond = 20
  projection.clipExtent([
    [-beyond, -beyond],
    [FRAME.width + beyond, FRAME.height + beyond],
  ])
}

/** The region that contains the places; undefined if they are far apart. */
async function regionAround(places: readonly Coordinates[]): Promise<Fitted | undefined> {
  const { geoAzimuthalEqualArea, geoCentroid, geoDistance, geoPath } = await import('d3-geo')
  const coordinates = places.map(({ longitude, latitude }): [number, number] => [longitude, latitude])
  const points = { type: 'MultiPoint' as const, coordinates }
  const center = geoCentroid(points)
  const spread = coordinates.reduce((most, place) => Math.max(most, geoDistance(center, place)), 0)
  const { width, height } = FRAME
  // Opposite places have no middle.
  if (!(spread <= FARTHEST)) return undefined
  const projection = geoAzimuthalEqualArea().rotate([-center[0], -center[1]])
  const least = spread < SAME_PLACE ? LEAST_HEIGHT.place : LEAST_HEIGHT.places
  const scale = Math.min(projection.fitExtent(inset(MARGIN), points).scale(), height / least)
  const [[left, top], [right, bottom]] = geoPath(projection.scale(scale).translate([0, 0])).bounds(points)
  projection.translate([(width - left - right) / 2, (height - top - bottom) / 2])
  const radius = Math.max(
    ...[0, width].flatMap((x) => [0, height].map((y) => geoDistance(center, projection.invert?.([x, y]) ?? center))),
  )
  clip(projection)
  return { projection, center, radius: Number.isNaN(radius) ? Math.PI : radius }
}

const inset = (margin: number): [[number, number], [number, number]] => [
  [margin, margin],
  [FRAME.width - margin, FRAME.height - margin],
]
