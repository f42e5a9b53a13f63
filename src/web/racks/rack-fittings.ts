import { displayInText, nestedDevices } from '../../api/actions/dcim/device-texts.ts'
import type { ApiRequest } from '../../api/api-request.ts'
import { rowSecurityOf } from '../../identity/permitted-rows.ts'
import { applyRowSecurity } from '../../read/query/row-security.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'

/** A device without units of its own. */
export interface FittedDevice {
  readonly id: number
  readonly label: string
  readonly type: string
  /** Six hexadecimal digits, or empty. */
  readonly color: string
}

/** A bay of a mounted device, with what is in it. */
export interface Bay {
  readonly name: string
  readonly device: FittedDevice | undefined
}

/** What racks hold beside the devices that have units. */
interface RackFittings {
  /** By the mounted device that has them, such as a shelf or a blade enclosure. */
  readonly bays: ReadonlyMap<number, readonly Bay[]>
  /** By rack: devices of 0 U that are in no bay, such as vertical PDUs. */
  readonly beside: ReadonlyMap<number, readonly FittedDevice[]>
}

interface Row {
  readonly [column: string]: unknown
  readonly rack: number
  readonly shelf: number | null
  readonly bay: string
  readonly id: number | null
  readonly type: string
  readonly color: string
}

/** The bays in the racks, and the devices of 0 U, as far as the user may view them. */
export async function rackFittings(
  request: Pick<ApiRequest, 'service' | 'actor' | 'base'>,
  racks: readonly number[],
): Promise<RackFittings> {
  const { service, actor } = request
  const device = table('dcim.device')
  const statement = sql`
    select s.rack_id as rack, b.device_id as shelf, b.name as bay, t.id, coalesce(y.model, '') as type,
      coalesce(r.color, '') as color
    from ${table('dcim.devicebay')} b
    join ${device} s on s.id = b.device_id
    left join ${device} t on t.id = b.installed_device_id
    left join ${table('dcim.devicetype')} y on y.id = t.device_type_id
    left join ${table('dcim.devicerole')} r on r.id = t.role_id
    where s.rack_id = any(${racks}::bigint[]) and s.position > 0
    union all
    select t.rack_id, null, coalesce(t.name, ''), t.id, y.model, coalesce(r.color, '')
    from ${device} t
    join ${table('dcim.devicetype')} y on y.id = t.device_type_id
    left join ${table('dcim.devicerole')} r on r.id = t.role_id
    where t.rack_id = any(${racks}::bigint[]) and y.u_height = 0 and y.subdevice_role is distinct from 'child'
    order by shelf, bay, id`
  const security = rowSecurityOf(actor, service.registry, service.settings)
  const rows = await service.database.query<Row>(applyRowSecurity(security, statement))
  const texts = await nestedDevices(
    request,
    rows.flatMap(({ id }) => id ?? []),
  )
  const deviceOf = ({ id, type, color }: Row): FittedDevice | undefined =>
    id === null ? undefined : { id, type, color, label: displayInText(texts.get(id) ?? 'null') ?? '' }
  const [inBays, others] = [rows.filter(({ shelf }) => shelf !== null), rows.filter(({ shelf }) => shelf === null)]
  return {
    bays: new Map(
      [...Map.groupBy(inBays, ({ shelf }) => Number(shelf))].map(([shelf, bays]) => [
        shelf,
        bays.map((row) => ({ name: row.bay, device: deviceOf(row) })),
      ]),
    ),
    beside: new Map(
      [...Map.groupBy(others, ({ rack }) => Number(rack))].map(([rack, devices]) => [
        rack,
        devices.flatMap((row) => deviceOf(row) ?? []),
      ]),
    ),
  }
}
