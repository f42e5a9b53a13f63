import { behaviour, type Change, type EffectFunction, type Normalizer, type Rule } from '../../schema/rule.ts'
import { sql } from '../../sql/fragment.ts'
import { table, updateTable } from '../../sql/table.ts'
import { refreshComponentPlaces } from './component-place.effects.ts'
import { device } from './device.ts'
import { deviceType } from './device-type.ts'
import { location } from './location.ts'
import {
  dropUnusedUnit,
  maximumWeightNeedsUnit,
  outerDimensionNeedsUnit,
  refuseNegative,
  weightNeedsUnit,
} from './measures.rules.ts'
import { rack } from './rack.ts'
import type { Frame } from './rack-space.ts'
import { rackType, takenFromType } from './rack-type.ts'

/** Moves devices along with their rack. NetBox 4.6.8 dcim/signals.py, handle_rack_site_change. */
const passOnRackPlace: EffectFunction<typeof rack.fields> = async ({ action, rows, database }) => {
  if (action !== 'update') return
  const moved = rows.flatMap(({ previous, next }) =>
    previous && next && (previous.site !== next.site || previous.location !== next.location) ? [next.id] : [],
  )
  if (moved.length === 0) return
  const ids = sql`${moved}::bigint[]`
  await database.execute(sql`
    ${updateTable('dcim.device')} t set site_id = r.site_id, location_id = r.location_id
    from ${table('dcim.rack')} r where t.rack_id = r.id and r.id = any(${ids})`)
  await database.execute(sql`
    ${updateTable('dcim.cabletermination')} t set _site_id = r.site_id, _location_id = r.location_id
    from ${table('dcim.rack')} r where t._rack_id = r.id and r.id = any(${ids})`)
  await refreshComponentPlaces(database, sql`d.rack_id = any(${ids})`)
}

type RackRule = Rule<typeof rack.fields>
type RackChange = Change<typeof rack.fields>

const locationIsInSite: RackRule = async ({ next, read }) => {
  if (next.location === null) return
  const place = await read.get(location, next.location)
  return place.site === next.site ? undefined : { __all__: `${place.display} is a location of another site.` }
}

/** Units of the rack: those of its type, if it has one. */
const frameOf = ({ next, read }: RackChange): Promise<Frame> | Frame =>
  next.rack_type === null ? next : read.get(rackType, next.rack_type)

/** Refuses a smaller rack or another numbering that leaves devices outside. */
const housesItsDevices: RackRule = async (change) => {
  const { next, previous, read } = change
  if (!previous) return
  const mounted = (await read.all(device, { rack: previous.id })).filter(({ position }) => position !== null)
  if (mounted.length === 0) return
  const frame = await frameOf(change)
  const types = await read.getMany(
    deviceType,
    mounted.map((device) => device.device_type),
  )
  const heights = new Map(types.map((type) => [type.id, Number(type.u_height)]))
  const positions = mounted.map(({ position }) => Number(position))
  const tops = mounted.map((device) => Number(device.position) + (heights.get(device.device_type) ?? 0))
  const needed = Math.max(...tops) - frame.starting_unit
  if (frame.u_height < needed) {
    const field = next.rack_type === null ? 'u_height' : 'rack_type'
    return { [field]: `The devices in the rack need ${needed} units.` }
  }
  const lowest = Math.min(...positions)
  if (frame.starting_unit > lowest) {
    const field = next.rack_type === null ? 'starting_unit' : 'rack_type'
    return { [field]: `There is a device in unit ${lowest}, so the numbering cannot start above it.` }
  }
  return
}

const takeDimensionsFromType: Normalizer<typeof rack.fields> = async ({ next, read }) =>
  next.rack_type === null ? undefined : takenFromType(await read.get(rackType, next.rack_type))

export const rackBehaviour = behaviour(rack, {
  modelRules: [
    weightNeedsUnit,
    refuseNegative('weight'),
    locationIsInSite,
    outerDimensionNeedsUnit,
    maximumWeightNeedsUnit,
    housesItsDevices,
  ],
  beforeSave: [takeDimensionsFromType, dropUnusedUnit],
  afterWrite: [passOnRackPlace],
})
