import { displayInText, nestedDevices } from '../../api/actions/dcim/device-texts.ts'
import {
  devicesInRacks,
  type MountedDevice,
  type Reservation,
  reservationsIn,
} from '../../api/actions/dcim/rack-contents.ts'
import { halfUnitsOf, type Numbering } from '../../api/actions/dcim/rack-units.ts'
import type { ApiRequest } from '../../api/api-request.ts'
import { permittedRowsOrNone } from '../../identity/permitted-rows.ts'
import type { Registry } from '../../schema/registry.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { type Bay, type FittedDevice, rackFittings } from './rack-fittings.ts'
import { type RackLoad, rackLoads } from './rack-loads.ts'

/** The models that a drawing of a rack shows. */
export const rackModels = (registry: Registry) => ({
  location: registry.model('dcim.location'),
  rack: registry.model('dcim.rack'),
  device: registry.model('dcim.device'),
  reservation: registry.model('dcim.rackreservation'),
})

/** A rack and how much of it is used. */
interface RackWithUsage {
  readonly id: number
  readonly name: string
  readonly site: number
  readonly location: number | null
  readonly numbering: Numbering
  /** From the lowest up. */
  readonly devices: readonly MountedDevice[]
  readonly reservations: readonly Reservation[]
  readonly load: RackLoad
  readonly space: RackSpace
}

/** A rack with the names of its contents. */
export interface RackWithContents extends RackWithUsage {
  /** Devices that the user may not view have no label. */
  readonly devices: readonly (MountedDevice & { readonly label: string; readonly bays: readonly Bay[] })[]
  /** Devices of 0 U that are in no bay. */
  readonly beside: readonly FittedDevice[]
}

/** Units of a rack by use, in half-unit steps. */
interface RackSpace {
  readonly units: number
  readonly occupied: number
  /** Reserved and not occupied. */
  readonly reserved: number
}

interface RackRow extends Numbering {
  readonly [column: string]: unknown
  readonly id: number
  readonly name: string
  readonly site_id: number
  readonly location_id: number | null
}

/** The racks that the user may view, with their contents, in the order of the ids. */
export async function racksWithContents(
  request: Pick<ApiRequest, 'service' | 'actor' | 'base'>,
  ids: readonly number[],
): Promise<readonly RackWithContents[]> {
  const racks = await racksWithUsage(request, ids)
  const visible = racks.flatMap(({ devices }) => devices).filter(({ isVisible }) => isVisible)
  const [texts, fittings] = await Promise.all([
    nestedDevices(
      request,
      visible.map(({ id }) => id),
    ),
    rackFittings(
      request,
      racks.map(({ id }) => id),
    ),
  ])
  return racks.map((rack) => ({
    ...rack,
    devices: rack.devices.map((device) => ({
      ...device,
      label: displayInText(texts.get(device.id) ?? 'null') ?? '',
      bays: fittings.bays.get(device.id) ?? [],
    })),
    beside: fittings.beside.get(rack.id) ?? [],
  }))
}

/** The racks that the user may view, with their usage, in the order of the ids. */
export async function racksWithUsage(
  request: Pick<ApiRequest, 'service' | 'actor'>,
  ids: readonly number[],
): Promise<readonly RackWithUsage[]> {
  const { service, actor } = request
  const model = service.registry.model('dcim.rack')
  const permitted = permittedRowsOrNone(actor, 'view', model, service.settings)
  const rows = await service.database.query<RackRow>(sql`
    select t.id, t.name, t.site_id, t.location_id, t.starting_unit, t.u_height, t.desc_units
    from ${table(model)} t where t.id = any(${ids}::bigint[])
    ${permitted === 'all' ? sql`` : sql`and (${permitted})`}`)
  const visible = rows.map(({ id }) => Number(id))
  const [devices, reservations, loads] = await Promise.all([
    devicesInRacks(request, visible),
    reservationsIn(request, visible),
    rackLoads(service, visible),
  ])
  const devicesOf = Map.groupBy(devices, ({ rack }) => rack)
  const byId = new Map(rows.map((row) => [Number(row.id), row]))
  return ids.flatMap((id): readonly RackWithUsage[] => {
    const row = byId.get(id)
    const load = loads.get(id)
    if (!row || !load) return []
    const { name, starting_unit, u_height, desc_units } = row
    const numbering = { starting_unit, u_height, desc_units }
    const mounted = devicesOf.get(id) ?? []
    const reserved = reservations.filter(({ rack }) => Number(rack) === id)
    return [
      {
        ...{ id, name, numbering, load, devices: mounted, reservations: reserved },
        site: Number(row.site_id),
        location: row.location_id === null ? null : Number(row.location_id),
        space: spaceOf(numbering, mounted, reserved),
      },
    ]
  })
}

/** Space in use. Devices whose type is excluded from the utilization count as free space. */
function spaceOf(
  { starting_unit: first, u_height: units }: Numbering,
  devices: readonly Pick<MountedDevice, 'position' | 'height' | 'isUncounted'>[],
  reservations: readonly Pick<Reservation, 'units'>[],
): RackSpace {
  const isInside = (unit: number): boolean => unit >= first && unit < first + units
  const occupied = new Set(
    devices
      .filter(({ isUncounted }) => !isUncounted)
      .flatMap(halfUnitsOf)
      .filter(isInside),
  )
  const reserved = new Set(
    reservations
      .flatMap((reservation) => reservation.units)
      .flatMap((unit) => [unit, unit + 0.5])
      .filter((unit) => isInside(unit) && !occupied.has(unit)),
  )
  return { units, occupied: occupied.size / 2, reserved: reserved.size / 2 }
}
