import { mayAct, permittedRows } from '../../../identity/permitted-rows.ts'
import { cachedObjects } from '../../../read/query/cached-column.ts'
import { NO_ROWS } from '../../../read/query/row-predicate.ts'
import { sql } from '../../../sql/fragment.ts'
import { table } from '../../../sql/table.ts'
import type { ApiRequest } from '../../api-request.ts'
import type { RackOccupant } from './rack-units.ts'

export type Face = 'front' | 'rear'

/** A device with a position in a rack. */
export interface MountedDevice extends RackOccupant {
  readonly id: number
  readonly rack: number
  readonly face: Face | ''
  readonly is_full_depth: boolean
  /** The units count as free in the utilization of the rack. */
  readonly isUncounted: boolean
  /** False: the user may only know that the units are occupied. */
  readonly isVisible: boolean
  /** Six hexadecimal digits. */
  readonly color: string
  readonly role: string
  readonly type: string
  readonly status: string
  readonly serial: string
  readonly asset_tag: string | null
  /** Path of the front or rear image below /media/; '' without one. */
  readonly front_image: string
  readonly rear_image: string
}

/** Devices with a position in the rack, except one, from the lowest up. */
export const devicesIn = async (
  request: Pick<ApiRequest, 'service' | 'actor'>,
  rack: number,
  exclude: number | undefined,
): Promise<MountedDevice[]> => (await devicesInRacks(request, [rack])).filter(({ id }) => id !== exclude)

/** Devices with a position in one of the racks, from the lowest up. */
export async function devicesInRacks(
  { service, actor }: Pick<ApiRequest, 'service' | 'actor'>,
  racks: readonly number[],
): Promise<MountedDevice[]> {
  const model = service.registry.model('dcim.device')
  const maySee = mayAct(actor, 'view', model, service.settings)
  const permitted = maySee ? permittedRows(actor, 'view', model, service.settings) : NO_ROWS
  const statement = sql`
    select t.id, t.rack_id as rack, t.position, coalesce(t.face, '') as face, t.status, t.serial, t.asset_tag,
      y.u_height as height, y.is_full_depth, y.exclude_from_utilization as "isUncounted",
      y.front_image, y.rear_image,
      r.name as role, r.color, m.name || ' ' || y.model as type,
      ${permitted === 'all' ? sql`true` : sql`(${permitted})`} as "isVisible"
    from ${table('dcim.device')} t
    join ${table('dcim.devicetype')} y on y.id = t.device_type_id
    join ${table('dcim.manufacturer')} m on m.id = y.manufacturer_id
    join ${table('dcim.devicerole')} r on r.id = t.role_id
    where t.rack_id = any(${racks}::bigint[]) and t.position > 0 and y.u_height > 0
    order by t.position, t.id`
  const rows = await cachedObjects<Omit<MountedDevice, 'position' | 'height'> & { position: string; height: string }>(
    service,
    statement,
  )
  return rows.map((row) => ({
    ...row,
    rack: Number(row.rack),
    position: Number(row.position),
    height: Number(row.height),
  }))
}

/** True if a device that the user may view occupies that face. */
export const isAt = (device: MountedDevice, face: Face): boolean => device.face === face || device.is_full_depth

export interface Reservation {
  readonly id: number
  readonly rack: number
  readonly units: readonly number[]
  readonly description: string
  readonly user: string
}

/** Reservations of the racks that the user may view. */
export async function reservationsIn(
  { service, actor }: Pick<ApiRequest, 'service' | 'actor'>,
  racks: readonly number[],
): Promise<readonly Reservation[]> {
  const model = service.registry.model('dcim.rackreservation')
  if (!mayAct(actor, 'view', model, service.settings)) return []
  const permitted = permittedRows(actor, 'view', model, service.settings)
  const statement = sql`
    select t.id, t.rack_id as rack, t.units, t.description, u.username as user
    from ${table('dcim.rackreservation')} t join ${table('users.user')} u on u.id = t.user_id
    where t.rack_id = any(${racks}::bigint[]) ${permitted === 'all' ? sql`` : sql`and (${permitted})`}
    order by t.id`
  return await cachedObjects<Reservation & Record<string, unknown>>(service, statement)
}
