import type { ApiRequest } from '../../api/api-request.ts'
import { mayAct, rowSecurityOf } from '../../identity/permitted-rows.ts'
import { cachedResult } from '../../read/query/cached-column.ts'
import { compileFilters } from '../../read/query/compile-filters.ts'
import { applyRowSecurity } from '../../read/query/row-security.ts'
import type { Sql } from '../../sql/fragment.ts'
import { visibleIds } from '../lists/visible-objects.ts'
import {
  cablesBetween,
  cablesToCircuits,
  kindOfPort,
  type LinkKind,
  placesOfDevices,
  TOPOLOGY_MODELS,
  wirelessBetween,
} from './topology-links.ts'

/** Devices that one topology covers at most. */
export const MOST_DEVICES = 5_000

/** A device with its place. */
export interface PlacedDevice {
  readonly id: number
  readonly site: number | null
  readonly location: number | null
  readonly rack: number | null
}

/** A link between two devices, or between a device and a circuit. */
export interface DeviceLink {
  readonly kind: LinkKind
  readonly a: string
  readonly b: string
}

/** Devices and links that the sender may view; ends of links are `device:1`, `circuit:7`. */
export interface DeviceGraph {
  readonly devices: readonly PlacedDevice[]
  readonly links: readonly DeviceLink[]
  /** There are more devices than a topology covers. */
  readonly isCut: boolean
}

/** The devices that the filters select, with the links of these kinds. Throws `invalid` for filters that cannot be used. */
export async function readGraph(
  request: ApiRequest,
  filters: URLSearchParams,
  kinds: ReadonlySet<LinkKind>,
): Promise<DeviceGraph> {
  const { service, actor } = request
  const { registry, settings } = service
  const model = registry.model(TOPOLOGY_MODELS.device)
  const security = rowSecurityOf(actor, registry, settings)
  const user = actor.kind === 'user' ? actor.id : undefined
  const where = await compileFilters(service, model, filters, security.visibleRows, user)
  const statement = placesOfDevices(where, MOST_DEVICES + 1)
  const rows = (await cachedResult(service, applyRowSecurity(security, statement))) as Place[]
  const devices = rows.slice(0, MOST_DEVICES).map(([id, site, location, rack]) => ({ id, site, location, rack }))
  const ids = devices.map(({ id }) => id)
  const [cables, circuits, wireless] = await Promise.all([
    cableLinks(request, ids, kinds),
    kinds.has('circuits') ? circuitLinks(request, ids) : [],
    kinds.has('wireless') ? wirelessLinks(request, ids) : [],
  ])
  return {
    devices,
    links: [...cables, ...circuits, ...wireless],
    isCut: rows.length > MOST_DEVICES,
  }
}

type Place = [id: number, site: number | null, location: number | null, rack: number | null]

/** Key of a device, or of a circuit, in a graph. */
export const keyOf = (kind: 'device' | 'circuit', id: number): string => `${kind}:${id}`

async function cableLinks(
  request: ApiRequest,
  ids: readonly number[],
  kinds: ReadonlySet<LinkKind>,
): Promise<readonly DeviceLink[]> {
  const rows = (await resultOf(request, cablesBetween(ids))) as [number, number, number, string][]
  const wanted = rows.filter(([, , , type]) => kinds.has(kindOfPort(type)))
  const visible = await visibleOf(
    request,
    TOPOLOGY_MODELS.cable,
    wanted.map(([, , cable]) => cable),
  )
  return wanted.flatMap(([a, b, cable, type]) =>
    visible.has(cable) ? [{ kind: kindOfPort(type), a: keyOf('device', a), b: keyOf('device', b) }] : [],
  )
}

async function circuitLinks(request: ApiRequest, ids: readonly number[]): Promise<readonly DeviceLink[]> {
  const rows = (await resultOf(request, cablesToCircuits(ids))) as [number, number, number][]
  const [cables, circuits] = await Promise.all([
    visibleOf(
      request,
      TOPOLOGY_MODELS.cable,
      rows.map(([, , cable]) => cable),
    ),
    visibleOf(
      request,
      TOPOLOGY_MODELS.circuit,
      rows.map(([, circuit]) => circuit),
    ),
  ])
  return rows.flatMap(([device, circuit, cable]) =>
    cables.has(cable) && circuits.has(circuit)
      ? [{ kind: 'circuits' as const, a: keyOf('device', device), b: keyOf('circuit', circuit) }]
      : [],
  )
}

async function wirelessLinks(request: ApiRequest, ids: readonly number[]): Promise<readonly DeviceLink[]> {
  const rows = (await resultOf(request, wirelessBetween(ids))) as [number, number, number][]
  const visible = await visibleOf(
    request,
    TOPOLOGY_MODELS.wirelessLink,
    rows.map(([, , link]) => link),
  )
  return rows.flatMap(([a, b, link]) =>
    visible.has(link) ? [{ kind: 'wireless' as const, a: keyOf('device', a), b: keyOf('device', b) }] : [],
  )
}

const resultOf = ({ service }: ApiRequest, statement: Sql): Promise<unknown[][]> => cachedResult(service, statement)

/** Those of the ids whose objects the sender may view. */
async function visibleOf(request: ApiRequest, name: string, ids: readonly number[]): Promise<ReadonlySet<number>> {
  const { actor, service } = request
  const model = service.registry.model(name)
  if (ids.length === 0 || !mayAct(actor, 'view', model, service.settings)) return new Set()
  return new Set(await visibleIds(request, model, [...new Set(ids)]))
}
