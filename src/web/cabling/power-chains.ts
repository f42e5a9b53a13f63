import type { ApiRequest } from '../../api/api-request.ts'
import { isJsonObject, type JsonObject, objectsIn } from '../../schema/json.ts'
import { CABLING_MODELS } from './cabling-models.ts'
import { readBy } from './read-by.ts'

/** Maximum number of levels that are followed: a server, its PDU, the unit before it, and so on. */
const MOST_LEVELS = 6

const PORT_FIELDS = [
  'name',
  'device',
  'maximum_draw',
  'allocated_draw',
  'connected_endpoints',
  'cable',
  'mark_connected',
  '_occupied',
]
const OUTLET_FIELDS = ['name', 'device', 'power_port', 'feed_leg', 'connected_endpoints']
const FEED_FIELDS = [
  'name',
  'power_panel',
  'rack',
  'status',
  'type',
  'supply',
  'phase',
  'voltage',
  'amperage',
  'max_utilization',
]

/** The objects on the way from power ports to the panels that supply them, by id. */
export interface PowerSources {
  readonly ports: ReadonlyMap<number, JsonObject>
  readonly outlets: ReadonlyMap<number, JsonObject>
  readonly feeds: ReadonlyMap<number, JsonObject>
}

/** The outlets and feeds that supply these power ports, level by level, with three reads per level. */
export async function powerSources(request: ApiRequest, first: readonly JsonObject[]): Promise<PowerSources> {
  const ports = new Map(byId(first))
  const outlets = new Map<number, JsonObject>()
  const feeds = new Map<number, JsonObject>()
  let level = first
  for (let depth = 0; depth < MOST_LEVELS && level.length > 0; depth += 1) {
    const ends = level.flatMap(farEndsOf)
    const idsAt = (model: string, seen: ReadonlyMap<number, unknown>): readonly number[] =>
      ends
        .filter((end) => isOf(end, model))
        .map(({ id }) => Number(id))
        .filter((id) => !seen.has(id))
    const [outletObjects, feedObjects] = await Promise.all([
      objectsOf(request, CABLING_MODELS.powerOutlet, 'id', idsAt('power-outlets', outlets), OUTLET_FIELDS),
      objectsOf(request, CABLING_MODELS.powerFeed, 'id', idsAt('power-feeds', feeds), FEED_FIELDS),
    ])
    for (const [id, feed] of byId(feedObjects)) feeds.set(id, feed)
    for (const [id, outlet] of byId(outletObjects)) outlets.set(id, outlet)
    const inlets = outletObjects
      .flatMap(({ power_port: port }) => (isJsonObject(port) ? [Number(port.id)] : []))
      .filter((id) => !ports.has(id))
    level = await objectsOf(request, CABLING_MODELS.powerPort, 'id', inlets, PORT_FIELDS)
    for (const [id, port] of byId(level)) ports.set(id, port)
  }
  return { ports, outlets, feeds }
}

/** The power ports of a device, with what they are connected to. */
export const portsOfDevice = (request: ApiRequest, device: number): Promise<readonly JsonObject[]> =>
  objectsOf(request, CABLING_MODELS.powerPort, 'device_id', [device], PORT_FIELDS)

/** The outlets of a device, with what they supply. */
export const outletsOfDevice = (request: ApiRequest, device: number): Promise<readonly JsonObject[]> =>
  objectsOf(request, CABLING_MODELS.powerOutlet, 'device_id', [device], OUTLET_FIELDS)

/** The far ends of an object's path. */
export const farEndsOf = ({ connected_endpoints: ends }: JsonObject): readonly JsonObject[] => objectsIn(ends)

/** Whether the nested object belongs to the collection, by its URL. */
export const isOf = ({ url }: JsonObject, collection: string): boolean => String(url).includes(`/${collection}/`)

const byId = (objects: readonly JsonObject[]): readonly (readonly [number, JsonObject])[] =>
  objects.map((object) => [Number(object.id), object])

const objectsOf = (
  request: ApiRequest,
  model: string,
  parameter: string,
  values: readonly number[],
  fields: readonly string[],
): Promise<readonly JsonObject[]> => readBy(request, { model, parameter, values, fields })
