import { behaviour, type EffectFunction, type Normalizer, type Rule } from '../../schema/rule.ts'
import { sql } from '../../sql/fragment.ts'
import { table, updateTable } from '../../sql/table.ts'
import { nodeOf } from '../dcim/cabling/cabled-object.ts'
import { retracePaths } from '../dcim/cabling/retrace.ts'
import { deviceInterface } from '../dcim/interface.ts'
import { isWireless } from '../dcim/interface-kind.ts'
import { distanceNeedsUnit, dropUnitWithoutDistance, refuseNegative } from '../dcim/measures.rules.ts'
import { wirelessLink } from './wireless-link.ts'

type LinkFields = typeof wirelessLink.fields

/**
 * Stores in interfaces the link that ends at them, and clears it when the link moves. Saving a link again reclaims an
 * interface from another link. NetBox 4.6.8 wireless/signals.py.
 */
const tellInterfaces: EffectFunction<LinkFields> = async ({ rows, database, write }) => {
  const linkOf = new Map<number, number>()
  const unlinked: number[] = []
  for (const { next, previous } of rows) {
    if (!next) continue
    for (const end of [previous?.interface_a, previous?.interface_b]) {
      if (end !== undefined && end !== next.interface_a && end !== next.interface_b) unlinked.push(end)
    }
    for (const end of [next.interface_a, next.interface_b]) linkOf.set(end, next.id)
  }
  if (linkOf.size === 0) return
  const links = rows.flatMap(({ next }) => next?.id ?? [])
  const stored = await database.query<{ id: number; link: number | null }>(sql`
    select id, wireless_link_id as link from ${table('dcim.interface')}
    where id = any(${[...linkOf.keys(), ...unlinked]}::bigint[])`)
  const changes = stored.flatMap(({ id, link }) => {
    const expected = linkOf.get(id) ?? (link !== null && links.includes(link) ? null : link)
    return expected === link ? [] : [{ id, wireless_link: expected }]
  })
  if (changes.length > 0) await write.update(deviceInterface, changes)
}

/** Recomputes the paths over wireless links. */
const retraceWirelessLinks: EffectFunction<LinkFields> = ({ rows, database }) => {
  const ends = rows.flatMap(({ next, previous }) =>
    [next ?? [], previous ?? []].flat().flatMap((row) => [row.interface_a, row.interface_b]),
  )
  const links = rows.flatMap(({ next, previous }) => (next ?? previous)?.id ?? [])
  return retracePaths(
    database,
    links.map((id) => nodeOf(wirelessLink.name, id)),
    ends.map((id) => nodeOf(deviceInterface.name, id)),
  )
}

const endsAreWireless: Rule<LinkFields> = async ({ next, read }) => {
  const [a, b] = await Promise.all([
    read.get(deviceInterface, next.interface_a),
    read.get(deviceInterface, next.interface_b),
  ])
  if (!isWireless(a.type)) return { interface_a: `${a.display} is not a wireless interface.` }
  if (!isWireless(b.type)) return { interface_b: `${b.display} is not a wireless interface.` }
  return
}

/** Sets the devices at both ends, for filters. */
const fillDevices: Normalizer<LinkFields> = async ({ next, read }) => {
  const [a, b] = await Promise.all([
    read.get(deviceInterface, next.interface_a),
    read.get(deviceInterface, next.interface_b),
  ])
  return { _interface_a_device: a.device, _interface_b_device: b.device }
}

export const wirelessLinkBehaviour = behaviour(wirelessLink, {
  modelRules: [distanceNeedsUnit, refuseNegative('distance'), endsAreWireless],
  beforeSave: [dropUnitWithoutDistance, fillDevices],
  afterWrite: [tellInterfaces, retraceWirelessLinks],
  rebuild: async (database) => {
    await database.execute(sql`
      ${updateTable('wireless.wirelesslink')} t
      set _interface_a_device_id = a.device_id, _interface_b_device_id = b.device_id
      from ${table('dcim.interface')} a, ${table('dcim.interface')} b
      where a.id = t.interface_a_id and b.id = t.interface_b_id
        and (t._interface_a_device_id, t._interface_b_device_id)
          is distinct from (a.device_id, b.device_id)`)
  },
})
