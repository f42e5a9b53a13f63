import { behaviour, type EffectFunction, type Normalizer, type Refusal, type Rule } from '../../schema/rule.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { localContextIsObject } from '../extras/config-context.ts'
import { cluster } from '../virtualization/cluster.ts'
import { followChassisPosition } from './chassis-names.ts'
import { refreshComponentPlaces } from './component-place.effects.ts'
import { device } from './device.ts'
import { devicesInRack, mountedOf } from './device-space.ts'
import { deviceType } from './device-type.ts'
import { Instantiation, KIND_NAMES } from './instantiate.ts'
import { location } from './location.ts'
import { platform } from './platform.ts'
import { whyNotOwnAddress } from './primary-address.rules.ts'
import { rack } from './rack.ts'
import { isFree } from './rack-space.ts'
import { virtualChassis } from './virtual-chassis.ts'

type DeviceEffect = EffectFunction<typeof device.fields>

const isMoved = <Place extends { site: number; location: number | null; rack: number | null }>(
  previous: Place,
  next: Place,
): boolean => previous.site !== next.site || previous.location !== next.location || previous.rack !== next.rack

/** Updates the copies of a device's place in its components. NetBox 4.6.8 dcim/signals.py. */
const passOnDevicePlace: DeviceEffect = async ({ action, rows, database }) => {
  if (action !== 'update') return
  const moved = rows.flatMap(({ previous, next }) => (previous && next && isMoved(previous, next) ? [next.id] : []))
  if (moved.length > 0) await refreshComponentPlaces(database, sql`d.id = any(${moved}::bigint[])`)
}

/** Moves devices in bays along with their parent device. */
const moveChildren: DeviceEffect = async ({ action, rows, database, write }) => {
  if (action !== 'update') return
  const ids = rows.flatMap(({ next }) => next?.id ?? [])
  const children = await database.query<{
    id: number
    site: number
    location: number | null
    rack: number | null
  }>(sql`
    select c.id, p.site_id as site, p.location_id as location, p.rack_id as rack
    from ${table('dcim.devicebay')} b
    join ${table('dcim.device')} p on p.id = b.device_id
    join ${table('dcim.device')} c on c.id = b.installed_device_id
    where p.id = any(${ids}::bigint[])
      and (c.site_id, c.location_id, c.rack_id) is distinct from (p.site_id, p.location_id, p.rack_id)
    order by c.id`)
  if (children.length > 0) await write.update(device, children)
}

/** Creates the components that the types of new devices list. */
const createComponents: EffectFunction<typeof device.fields> = async (effect) => {
  if (effect.action !== 'create') return
  const holders = effect.rows.flatMap(({ next }) =>
    next
      ? {
          type: next.device_type,
          device: next,
          module: null,
          adopts: false,
          replicates: true,
          positions: [],
          chassisPosition: next.virtual_chassis === null ? null : next.vc_position,
        }
      : [],
  )
  await new Instantiation(effect, 'device_type', holders).run(KIND_NAMES)
}

type DeviceRule = Rule<typeof device.fields>
const placeIsConsistent: DeviceRule = async ({ next, read }) => {
  const frame = next.rack === null ? undefined : await read.get(rack, next.rack)
  if (frame && frame.site !== next.site) {
    return { rack: `${frame.display} is in another site.` }
  }
  const place = next.location === null ? undefined : await read.get(location, next.location)
  if (place && place.site !== next.site) {
    return { location: `${place.display} is in another site.` }
  }
  return frame && place && frame.location !== place.id
    ? { rack: `${frame.display} is not in ${place.display}.` }
    : undefined
}

const placementNeedsRack: DeviceRule = ({ next }) => {
  if (next.rack !== null) return
  if (next.face) return { face: 'Cannot set a face without a rack.' }
  return next.position === null ? undefined : { position: 'Cannot set a position without a rack.' }
}

const positionIsHalfUnit: DeviceRule = ({ next }) =>
  next.position !== null && !Number.isInteger(Number(next.position) * 2)
    ? { position: 'Positions must be multiples of half a unit.' }
    : undefined

const positionNeedsFace: DeviceRule = ({ next }) =>
  next.position !== null && !next.face ? { face: 'Cannot set a position without a face.' } : undefined

const typeAllowsPlacement: DeviceRule = async ({ next, read }) => {
  if (next.rack === null || (next.position === null && !next.face)) return
  const type = await read.get(deviceType, next.device_type)
  if (next.position !== null && Number(type.u_height) === 0) {
    return { position: `${type.display} has a height of 0 U, so the device cannot have a position.` }
  }
  if (type.subdevice_role !== 'child') return
  const sentence = 'A child device must be in the same place as its parent device.'
  return next.face ? { face: sentence } : { position: sentence }
}

const positionIsFree: DeviceRule = async ({ next, previous, read, batch }) => {
  if (next.rack === null || next.position === null) return
  const type = await read.get(deviceType, next.device_type)
  const ids = batch.map(({ id }) => id)
  // If two devices of one request conflict, the later one is refused.
  const earlier = batch.slice(0, batch.indexOf(next)).filter((device) => device.rack === next.rack)
  const [frame, stored, mounted] = await Promise.all([
    read.get(rack, next.rack),
    devicesInRack(read, next.rack, previous ? ids : []),
    mountedOf(read, earlier),
  ])
  const space = {
    position: Number(next.position),
    height: Number(type.u_height),
    face: type.is_full_depth ? null : next.face,
  }
  if (isFree(frame, space, [...stored, ...mounted])) return undefined
  const [bottom, top] = [Number(frame.starting_unit), Number(frame.starting_unit) + Number(frame.u_height) - 1]
  if (!isFree(frame, space, [])) {
    const height = space.height === 1 ? '' : `, and the device needs ${space.height} of them`
    return { position: `U${space.position} does not fit: the rack has the units ${bottom} to ${top}${height}.` }
  }
  return {
    position:
      space.height === 1
        ? `U${space.position} is occupied.`
        : `U${space.position} is occupied, or there are fewer than ${space.height} free units above it.`,
  }
}

const addressesAreOwn: DeviceRule = async ({ next, read }): Promise<Refusal | undefined> => {
  const names = ['primary_ip4', 'primary_ip6', 'oob_ip'] as const
  const families = { primary_ip4: 4, primary_ip6: 6, oob_ip: undefined } as const
  for (const name of names) {
    const id = next[name]
    if (id === null) continue
    const family = families[name]
    const options = family ? { family, translated: true } : { translated: true }
    const reason = await whyNotOwnAddress(read, next, id, options)
    if (reason) return { [name]: reason }
  }
  return
}

const platformFitsMaker: DeviceRule = async ({ next, read }) => {
  if (next.platform === null) return
  const [software, type] = await Promise.all([
    read.get(platform, next.platform),
    read.get(deviceType, next.device_type),
  ])
  return software.manufacturer !== null && software.manufacturer !== type.manufacturer
    ? { platform: `${software.display} is for device types of another manufacturer.` }
    : undefined
}

const clusterIsHere: DeviceRule = async ({ next, read }) => {
  if (next.cluster === null) return
  const { _site: site, _location: place, display } = await read.get(cluster, next.cluster)
  if (site !== null && site !== next.site) return { cluster: `${display} is in another site.` }
  return place !== null && place !== next.location ? { cluster: `${display} is in another location.` } : undefined
}

const memberHasPosition: DeviceRule = ({ next }) =>
  next.virtual_chassis !== null && next.vc_position === null
    ? { vc_position: 'A member of a virtual chassis needs a position.' }
    : undefined

const masterStays: DeviceRule = async ({ next, previous, read }) => {
  if (!previous || previous.virtual_chassis === next.virtual_chassis) return
  const chassis = await read.find(virtualChassis, { master: next.id })
  return chassis && chassis.id !== next.virtual_chassis
    ? { virtual_chassis: `This device is the master of ${chassis.display}.` }
    : undefined
}

const inheritFromType: Normalizer<typeof device.fields> = async ({ next, previous, read }) => {
  if (previous || (next.airflow && next.cooling_method && next.platform !== null)) return
  const type = await read.get(deviceType, next.device_type)
  return {
    ...(next.airflow ? {} : { airflow: type.airflow }),
    ...(next.cooling_method ? {} : { cooling_method: type.cooling_method }),
    ...(next.platform === null ? { platform: type.default_platform } : {}),
  }
}

const inheritLocation: Normalizer<typeof device.fields> = async ({ next, read }) => {
  if (next.rack === null) return
  const { location: place } = await read.get(rack, next.rack)
  return place === null ? undefined : { location: place }
}
// In the order of the checks of NetBox 4.6.8: only the first error is reported.
export const deviceBehaviour = behaviour(device, {
  modelRules: [
    localContextIsObject,
    placeIsConsistent,
    placementNeedsRack,
    positionIsHalfUnit,
    positionNeedsFace,
    typeAllowsPlacement,
    positionIsFree,
    addressesAreOwn,
    platformFitsMaker,
    clusterIsHere,
    memberHasPosition,
    masterStays,
  ],
  beforeSave: [inheritFromType, inheritLocation],
  afterWrite: [createComponents, passOnDevicePlace, moveChildren, followChassisPosition],
  rebuild: (database) => refreshComponentPlaces(database, sql`true`),
})
