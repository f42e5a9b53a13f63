import { type Rule, rulesFor } from '../../schema/rule.ts'
import { rack } from './rack.ts'
import { rackReservation } from './rack-reservation.ts'

type ReservationRule = Rule<typeof rackReservation.fields>

const unitsExist: ReservationRule = async ({ next, read }) => {
  const { starting_unit: first, u_height: height } = await read.get(rack, next.rack)
  const strange = next.units.filter((unit) => unit < first || unit >= first + height)
  return strange.length > 0
    ? { units: `The rack has no unit ${strange.join(', ')}; it has ${height} units.` }
    : undefined
}

const unitsAreFree: ReservationRule = async ({ next, previous, read, batch }) => {
  const ids = new Set(batch.map(({ id }) => id))
  const stored = (await read.all(rackReservation, { rack: next.rack })).filter(
    ({ id }) => id !== previous?.id && !ids.has(id),
  )
  // If two reservations of one request conflict, the later one is refused.
  const earlier = batch.slice(0, batch.indexOf(next)).filter((each) => each.rack === next.rack)
  const taken = new Set([...stored, ...earlier].flatMap(({ units }) => units))
  const double = next.units.filter((unit) => taken.has(unit))
  return double.length > 0 ? { units: `Reserved already: ${double.join(', ')}.` } : undefined
}

export const rackReservationBehaviour = rulesFor(rackReservation, unitsExist, unitsAreFree)
