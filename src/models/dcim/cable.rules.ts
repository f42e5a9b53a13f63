import type { Messages } from '../../base/errors.ts'
import { oncePerBatch } from '../../schema/once-per-batch.ts'
import { behaviour, type Change, type Normalizer, type Refusal, type Rule } from '../../schema/rule.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { type CableSide, connect, endsOf, followStatus } from './cable.effects.ts'
import { cable } from './cable.ts'
import { areCompatible, isCableable } from './cabling/cable-end-types.ts'
import type { NamedEnd } from './cabling/cable-ends.ts'
import { wiresOf } from './cabling/cable-wires.ts'
import { type CabledObject, loadCabledObjects, nodeOf } from './cabling/cabled-object.ts'
import { isVirtual, isWireless } from './interface-kind.ts'
import { refuseNegative } from './measures.rules.ts'

type CableRule = Rule<typeof cable.fields>
type CableChange = Change<typeof cable.fields>

const SIDES = ['A', 'B'] as const
const nameOf = (side: CableSide): string => (side === 'A' ? 'a_terminations' : 'b_terminations')

/** Objects named by the bodies of the batch, and the stored ends of its cables. */
const factsOf = oncePerBatch(async ({ batch, read: { database } }: CableChange) => {
  const named = batch.flatMap((row) => SIDES.flatMap((side) => endsOf(row, side) ?? []))
  const stored = await database.query<{
    cable: number
    end: CableSide
    type: string
    id: number
  }>(sql`
    select cable_id as cable, cable_end as end, termination_type as type, termination_id as id
    from ${table('dcim.cabletermination')} where cable_id = any(${batch.map(({ id }) => id)}::bigint[])
    order by cable_id, cable_end, connector, id`)
  const cableable = [...named, ...stored].filter(({ type }) => isCableable(type))
  const objects = await loadCabledObjects(database, new Set(cableable.map(({ type, id }) => nodeOf(type, id))))
  const otherTypes = new Set(named.flatMap(({ type }) => (isCableable(type) ? [] : type)))
  const types =
    otherTypes.size === 0
      ? []
      : await database.query<{ name: string }>(sql`
          select app_label || '.' || model as name from ${table('core.objecttype')}
          where app_label || '.' || model = any(${[...otherTypes]}::text[])`)
  return {
    objects: new Map(objects.map((object) => [object.node, object])),
    types: new Set(types.map(({ name }) => name)),
    stored: Map.groupBy(stored, (end) => `${end.cable} ${end.end}`),
  }
})

/** Ends of the cable on the side after the write. */
async function endsAt(change: CableChange, side: CableSide): Promise<readonly NamedEnd[]> {
  const named = endsOf(change.next, side)
  return named ?? (await factsOf(change)).stored.get(`${change.next.id} ${side}`) ?? []
}

const isConnected = ({ next }: CableChange): boolean => SIDES.some((side) => endsOf(next, side) !== undefined)

const endsExist: CableRule = async (change): Promise<Refusal | undefined> => {
  if (!isConnected(change)) return
  const { read } = change
  const { objects, types, stored } = await factsOf(change)
  const refusals: Record<string, Messages> = {}
  for (const side of SIDES) {
    const complaints = await Promise.all(
      (endsOf(change.next, side) ?? []).map(async ({ type, id }): Promise<Messages> => {
        if (!isCableable(type)) {
          return types.has(type) ? {} : { object_type: [`There is no object type ${type}.`] }
        }
        // Stored ends remain allowed, whatever the writing user may view.
        const kept = stored.get(`${change.next.id} ${side}`) ?? []
        const isKept = kept.some((end) => end.type === type && end.id === id)
        const isThere = objects.has(nodeOf(type, id)) && (isKept || (await read.shows({ name: type }, id)))
        return isThere ? {} : { object_id: [`There is no ${type} with the id ${id}.`] }
      }),
    )
    if (complaints.some((messages) => Object.keys(messages).length > 0)) refusals[nameOf(side)] = complaints
  }
  return refusals
}

const lengthNeedsUnit: CableRule = ({ next }) =>
  next.length !== null && !next.length_unit ? { __all__: 'A length needs a unit.' } : undefined

const newHasTwoEnds: CableRule = async (change) => {
  if (change.previous) return
  for (const side of SIDES) {
    if ((await endsAt(change, side)).length === 0) {
      return { __all__: 'A new cable needs a termination on both ends.' }
    }
  }
  return
}

const profileHasConnectors: CableRule = async (change) => {
  const wires = wiresOf(change.next.profile)
  if (!wires) return
  for (const side of SIDES) {
    const most = wires.connectors[side].length
    if ((await endsAt(change, side)).length > most) {
      return { [nameOf(side)]: `The profile has ${most} connectors on side ${side}.` }
    }
  }
  return
}

const endsAreCompatible: CableRule = async (change) => {
  if (!isConnected(change)) return
  const [a, b] = [await endsAt(change, 'A'), await endsAt(change, 'B')]
  for (const ends of [a, b]) {
    if (new Set(ends.map(({ type }) => type)).size > 1) {
      return { __all__: 'All terminations on one end of a cable must have the same type.' }
    }
  }
  const [typeA, typeB] = [a[0]?.type, b[0]?.type]
  for (const type of [typeA, typeB]) {
    if (type !== undefined && !isCableable(type)) {
      return { __all__: `A cable cannot end at a ${type}.` }
    }
  }
  if (typeA === undefined || typeB === undefined) return
  if (!areCompatible(typeA, typeB)) {
    return { __all__: `A ${typeA} cannot be connected to a ${typeB}.` }
  }
  return typeA === typeB && a.some(({ id }) => b.some((end) => end.id === id))
    ? { __all__: 'A cable cannot end at the same object on both sides.' }
    : undefined
}

function whyNotCabled(
  { markConnected, cable: taken, kind, channelOf, landing, type, id }: CabledObject,
  cableId: number,
  showsCable: boolean,
): string | undefined {
  const name = `${type} ${id}`
  if (channelOf !== null) return `${name} is a channel. Connect its parent interface instead.`
  if (markConnected) return `${name} is marked as connected.`
  if (taken !== null && taken !== cableId) {
    return `${name} is connected ${showsCable ? `to cable #${taken} ` : ''}already.`
  }
  if (kind !== null && (isVirtual(kind) || isWireless(kind))) {
    return `${name} is an interface without a connector.`
  }
  return landing?.startsWith('circuits.providernetwork:') ? `${name} ends in a provider's network.` : undefined
}

const endsAreFree: CableRule = async (change) => {
  if (!isConnected(change)) return
  const { next, batch, read } = change
  const { objects } = await factsOf(change)
  const keyOf = ({ type, id }: NamedEnd) => nodeOf(type, id)
  const earlier = new Set(
    batch.slice(0, batch.indexOf(next)).flatMap((row) => SIDES.flatMap((side) => (endsOf(row, side) ?? []).map(keyOf))),
  )
  for (const side of SIDES) {
    const seen = new Set<string>()
    for (const end of await endsAt(change, side)) {
      const object = objects.get(keyOf(end))
      const taken = object?.cable ?? null
      const showsCable = taken !== null && (await read.shows(cable, taken))
      const reason = object && whyNotCabled(object, next.id, showsCable)
      if (reason) return { __all__: reason }
      if (earlier.has(keyOf(end)) || seen.has(keyOf(end))) {
        return { __all__: `${end.type} ${end.id} is named twice.` }
      }
      seen.add(keyOf(end))
    }
  }
  return
}

/** Clears a unit without a length. */
const dropUnusedUnit: Normalizer<typeof cable.fields> = ({ next }) =>
  next.length === null ? { length_unit: null } : undefined

export const cableBehaviour = behaviour(cable, {
  serializerRules: [endsExist],
  modelRules: [
    lengthNeedsUnit,
    refuseNegative('length'),
    newHasTwoEnds,
    profileHasConnectors,
    endsAreCompatible,
    endsAreFree,
  ],
  beforeSave: [dropUnusedUnit],
  beforeChangeRecord: [connect],
  afterWrite: [followStatus],
})
