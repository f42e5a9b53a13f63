import type { ApiRequest } from '../../api/api-request.ts'
import { mayAct, rowSecurityOf } from '../../identity/permitted-rows.ts'
import { cachedResult } from '../../read/query/cached-column.ts'
import { applyRowSecurity } from '../../read/query/row-security.ts'
import { isJsonObject, type JsonObject } from '../../schema/json.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { panel } from '../components/panel.ts'
import { utilizationCell, utilizationMeter } from '../components/utilization-bar.ts'
import { readList } from '../data/page-objects.ts'
import type { ObjectPart, PageObject, PartContent } from '../frame/object-content.ts'
import { type Content, type Html, html } from '../html.ts'
import { numeral, translate, translateLabel } from '../texts/translate.ts'
import { ELEVATIONS } from './elevation-section.ts'
import { rackModels } from './rack-facts.ts'
import { usedUnits } from './used-units.ts'

/** Maximum number of locations that are listed. */
const MOST = 200

/** The locations of a site, or within a location, with their contents and the utilization of their racks. */
export const floorListPart: ObjectPart = {
  models: ['dcim.site', 'dcim.location'],
  load: floorList,
}

async function floorList({ request, object }: PageObject): Promise<PartContent> {
  const { service, actor } = request
  const { location: model, rack, device } = rackModels(service.registry)
  const mayView = (candidate: Model): boolean => mayAct(actor, 'view', candidate, service.settings)
  // A location belongs to a site; a site is the place itself.
  const isLocation = isJsonObject(object.site)
  const site = isJsonObject(object.site) ? Number(object.site.id) : Number(object.id)
  const [counted, locations] = await Promise.all([
    floorsOf(request, site),
    mayView(model) ? locationsOf(request, site, isLocation ? Number(object.id) : undefined) : [],
  ])
  const floors = new Map(counted.map((floor) => [floor.location, floor]))
  const { basePath } = service.settings
  const elevations = (filter: string) => `${basePath}${ELEVATIONS}?${filter}`
  const sumOf = (id: number, locationIds: readonly number[]): Floor =>
    sumOfFloors(
      id,
      locationIds.flatMap((location) => floors.get(location) ?? []),
    )
  const rows = locations.map(({ id, name, depth, subtree }): FloorRow => {
    const floor = sumOf(id, subtree)
    const href = `${basePath}${pagePathOf(model)}${id}/`
    return { name, depth, href, elevations: elevations(`location_id=${id}`), ...floor }
  })
  const unassigned = isLocation ? undefined : floors.get(null)
  const columns = { hasRacks: mayView(rack), hasDevices: mayView(device) }
  const whole = isLocation
    ? sumOf(Number(object.id), locations.find(({ id }) => id === Number(object.id))?.subtree ?? [])
    : sumOfFloors(null, [...floors.values()])
  const all = elevations(isLocation ? `location_id=${object.id}` : `site_id=${site}`)
  const listed = isLocation ? rows.slice(1) : rows
  return {
    left: html`${mapLink(object)}${
      whole.units > 0 &&
      panel(
        translate('Rack space'),
        html`${utilizationMeter(spaceOfFloor(whole))}<p><a href="${all}">${translate('Elevations')}</a></p>`,
      )
    }`,
    right:
      listed.length > 0 &&
      panel(
        translate('Locations'),
        floorTable(
          [...listed, ...(unassigned ? [{ ...unassigned, name: translate('Without location'), depth: 0 }] : [])],
          columns,
        ),
      ),
    isWide: true,
  }
}

/** A link to a map of the place's coordinates, at another host. */
function mapLink({ latitude, longitude }: JsonObject): Content {
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return undefined
  const href = `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=15/${latitude}/${longitude}`
  return html`<p><a href="${href}" rel="noreferrer">${translate('Show on a map')}</a></p>`
}

const spaceOfFloor = ({ units, occupied, racks }: Floor) => ({
  label: translate('{count} rack|{count} racks', { count: racks }),
  share: occupied / units,
  text: translate('{used} of {all} U', { used: occupied, all: units }),
})

interface ListedLocation {
  readonly id: number
  readonly name: string
  readonly depth: number
  /** Its own id and those of the locations below it. */
  readonly subtree: readonly number[]
}

/** The visible locations of a site as a tree, or the subtree of one location. */
async function locationsOf(
  request: ApiRequest,
  site: number,
  top: number | undefined,
): Promise<readonly ListedLocation[]> {
  const { location } = rackModels(request.service.registry)
  const locationsBy = async (filter: string, id: number): Promise<readonly JsonObject[]> => {
    const query = new URLSearchParams({ [filter]: String(id), limit: String(MOST) })
    const paths = ['id', 'display', 'parent', '_depth']
    return (await readList(request, location, { query, paths, count: null })).objects
  }
  const all =
    top === undefined
      ? await locationsBy('site_id', site)
      : [...(await locationsBy('id', top)), ...(await locationsBy('ancestor_id', top))]
  const least = Math.min(...all.map((object) => Number(object._depth)))
  const parents = new Map(
    all.map((object) => [Number(object.id), isJsonObject(object.parent) ? Number(object.parent.id) : undefined]),
  )
  const isWithin = (id: number, ancestor: number): boolean => {
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
      if (at === ancestor) return true
    }
    return false
  }
  return all.map((object) => ({
    id: Number(object.id),
    name: String(object.display),
    depth: Number(object._depth) - least - (top === undefined ? 0 : 1),
    subtree: [...parents.keys()].filter((id) => isWithin(id, Number(object.id))),
  }))
}

/** A location with its contents, including those of its descendants; or the contents without a location. */
interface FloorRow extends Floor {
  readonly name: string
  /** 0 for the first level. */
  readonly depth: number
  readonly href?: string
  /** URL of its racks side by side. */
  readonly elevations?: string
}

/** The figures that the user may see. */
interface Columns {
  readonly hasRacks: boolean
  readonly hasDevices: boolean
}

/** The locations of a place as a table, each below its parent. */
const floorTable = (rows: readonly FloorRow[], columns: Columns): Html =>
  html`<div class="scroll objects-table" tabindex="0" role="region" aria-label="${translate('Locations')}"><table><thead><tr><th scope="col">${translateLabel('Location')}</th>${columns.hasRacks && html`<th scope="col" class="num">${translate('Racks')}</th>`}${columns.hasDevices && html`<th scope="col" class="num">${translateLabel('Devices')}</th>`}${columns.hasRacks && html`<th scope="col">${translate('Space')}</th>`}</tr></thead><tbody>${rows.map((row) => rowOf(row, columns))}</tbody></table></div>`

const rowOf = (row: FloorRow, { hasRacks, hasDevices }: Columns): Html => {
  const { name, depth, href, elevations, racks, devices, units, occupied } = row
  const share = units > 0 ? occupied / units : undefined
  const number =
    racks > 0 && elevations !== undefined ? html`<a href="${elevations}">${numeral(racks)}</a>` : numeral(racks)
  return html`<tr><th scope="row" class="depth-${Math.min(Math.max(depth, 0), 8)}">${href === undefined ? name : html`<a href="${href}">${name}</a>`}</th>${hasRacks && html`<td class="num">${number}</td>`}${hasDevices && html`<td class="num">${numeral(devices)}</td>`}${hasRacks && html`<td>${share !== undefined && utilizationCell(translate('Space of {name}', { name }), share)}</td>`}</tr>`
}

/** Racks and devices that the user may view, directly in a location, which may be hidden. */
interface Floor {
  /** Null: in the site, in no location. */
  readonly location: number | null
  readonly racks: number
  readonly devices: number
  /** Units of the racks. */
  readonly units: number
  /** Units that devices occupy. */
  readonly occupied: number
}

/** Racks and devices in each location of a site, and how full the racks are. */
async function floorsOf(
  { service, actor }: Pick<ApiRequest, 'service' | 'actor'>,
  site: number,
): Promise<readonly Floor[]> {
  const rack = table('dcim.rack')
  const device = table('dcim.device')
  // A visible rack in a hidden location is not one without a location.
  const sums = {
    used: usedUnits(sql`k.site_id = ${site}::bigint`),
    rack_places: sql`select k.id, k.location_id from ${rack} k where k.site_id = ${site}::bigint`,
    device_places: sql`select d.id, d.location_id from ${device} d where d.site_id = ${site}::bigint`,
  }
  const statement = sql`
    select location, sum(racks) as racks, sum(devices) as devices, sum(units) as units, sum(occupied) as occupied
    from (
      select p.location_id as location, 1 as racks, 0 as devices, t.u_height as units, coalesce(used.units, 0) as occupied
      from ${rack} t join rack_places p on p.id = t.id left join used on used.rack_id = t.id
      union all
      select p.location_id, 0, 1, 0, 0 from ${device} t join device_places p on p.id = t.id
    ) parts group by location`
  const security = rowSecurityOf(actor, service.registry, service.settings)
  const rows = await cachedResult(service, applyRowSecurity(security, statement, sums))
  return rows.map(([location, racks, devices, units, occupied]) => ({
    location: location === null ? null : Number(location),
    racks: Number(racks),
    devices: Number(devices),
    units: Number(units),
    occupied: Number(occupied),
  }))
}

/** The sum of floors. */
const sumOfFloors = (location: number | null, floors: readonly Floor[]): Floor => ({
  location,
  racks: floors.reduce((sum, floor) => sum + floor.racks, 0),
  devices: floors.reduce((sum, floor) => sum + floor.devices, 0),
  units: floors.reduce((sum, floor) => sum + floor.units, 0),
  occupied: floors.reduce((sum, floor) => sum + floor.occupied, 0),
})
