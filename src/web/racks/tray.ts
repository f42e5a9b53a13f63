import { displayInText, nestedDevices } from '../../api/actions/dcim/device-texts.ts'
import type { ApiRequest } from '../../api/api-request.ts'
import { rowSecurityOf } from '../../identity/permitted-rows.ts'
import { lastValue } from '../../read/query/last-value.ts'
import { applyRowSecurity } from '../../read/query/row-security.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import { empty, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { permittedIds } from '../data/page-objects.ts'
import { translate } from '../texts/translate.ts'
import type { Tray } from './elevation-section.ts'
import { type RackWithContents, rackModels } from './rack-facts.ts'

const SHOWN = 30
/** Parameter of the page: text in the names of the listed devices. */
const WORDS = 'tray'

/** The devices that could be mounted in these racks; undefined if the racks belong to several sites. */
export async function trayOf(request: ApiRequest, racks: readonly RackWithContents[]): Promise<Tray | undefined> {
  const sites = new Set(racks.map(({ site }) => site))
  const [site] = sites
  if (site === undefined || sites.size > 1) return undefined
  const words = (lastValue(request.search, WORDS) ?? '').trim()
  const { devices, count } = await unmountedDevices(request, {
    site,
    racks: racks.map(({ id }) => id),
    words,
    limit: SHOWN,
  })
  const { settings, registry } = request.service
  const model = rackModels(registry).device
  const page = `${settings.basePath}${pagePathOf(model)}`
  const ids = devices.map(({ id }) => id)
  const changeable = new Set(await permittedIds(request, 'change', model, ids))
  const returnTo = encodeURIComponent(`${request.url.pathname}${request.url.search}`)
  return {
    words,
    count,
    kept: [...request.search].filter(([name]) => name !== WORDS),
    devices: devices.map(({ isInRack, ...device }) => ({
      ...device,
      href: `${page}${device.id}/${changeable.has(device.id) ? `edit/?return_url=${returnTo}` : ''}`,
      type: [
        device.type,
        translate('{height} U', { height: device.height }),
        ...(isInRack ? [translate('in this rack')] : []),
      ].join(' · '),
      title: `${device.label}, ${device.type}`,
      color: /^[0-9a-f]{6}$/i.test(device.color) ? device.color : '',
      isPlanned: false,
      position: undefined,
      face: '',
    })),
  }
}

/** A device that has no position in a rack. */
interface UnmountedDevice {
  readonly id: number
  readonly label: string
  readonly type: string
  /** Units. */
  readonly height: number
  readonly isFullDepth: boolean
  /** Six hexadecimal digits. */
  readonly color: string
  /** In the rack, on a shelf or beside it. */
  readonly isInRack: boolean
}

/** Where to search for unmounted devices. */
interface UnmountedSearch {
  readonly site: number
  /** Racks whose own devices without a position are listed too, before all others. */
  readonly racks: readonly number[]
  /** Text in the name. */
  readonly words: string
  readonly limit: number
}

/** Devices of the site that could be mounted but are not, and that the user may view; `count`: all of them. */
async function unmountedDevices(
  request: Pick<ApiRequest, 'service' | 'actor' | 'base'>,
  { site, racks, words, limit }: UnmountedSearch,
): Promise<{ readonly devices: readonly UnmountedDevice[]; readonly count: number }> {
  const { service, actor } = request
  const named = words === '' ? empty : sql`and position(lower(${words}) in lower(coalesce(t.name, ''))) > 0`
  const statement = sql`
    select t.id, y.u_height as height, y.is_full_depth as "isFullDepth", coalesce(r.color, '') as color,
      y.model as type, t.rack_id is not null as "isInRack", count(*) over () as count
    from ${table('dcim.device')} t
    join ${table('dcim.devicetype')} y on y.id = t.device_type_id
    left join ${table('dcim.devicerole')} r on r.id = t.role_id
    where t.site_id = ${site}::bigint and t.position is null and y.u_height > 0
      and (t.rack_id is null or t.rack_id = any(${racks}::bigint[]))
      and y.subdevice_role is distinct from 'child' ${named}
    order by t.rack_id nulls last, t.name, t.id limit ${limit}::int`
  const security = rowSecurityOf(actor, service.registry, service.settings)
  const rows = await service.database.query<
    Omit<UnmountedDevice, 'label' | 'height'> & { readonly height: string; readonly count: number }
  >(applyRowSecurity(security, statement))
  const texts = await nestedDevices(
    request,
    rows.map(({ id }) => id),
  )
  return {
    count: Number(rows[0]?.count ?? 0),
    devices: rows.map(({ count: _count, ...row }) => ({
      ...row,
      height: Number(row.height),
      label: displayInText(texts.get(row.id) ?? 'null') ?? '',
    })),
  }
}
