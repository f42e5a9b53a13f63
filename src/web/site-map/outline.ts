import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
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
export async function outlineOf(projection: GeoProjection, region: Region): Promise<string> {
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
