import type { GeoProjection } from 'd3-geo'
import type { Service } from '../../service.ts'
import { outlineOf } from './outline.ts'

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
    const world = await wholeWorld()
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

async function wholeWorld(): Promise<Fitted> {
  const { geoNaturalEarth1 } = await import('d3-geo')
  const projection = geoNaturalEarth1().fitExtent(inset(25), { type: 'Sphere' })
  return { projection, center: [0, 0], radius: Math.PI }
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
  const beyond = 20
  projection.clipExtent([
    [-beyond, -beyond],
    [width + beyond, height + beyond],
  ])
  return { projection, center, radius: Number.isNaN(radius) ? Math.PI : radius }
}

const inset = (margin: number): [[number, number], [number, number]] => [
  [margin, margin],
  [FRAME.width - margin, FRAME.height - margin],
]
