import type { EffectFunction } from '../../schema/rule.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { nodeOf } from '../dcim/cabling/cabled-object.ts'
import { retracePaths } from '../dcim/cabling/retrace.ts'
import { deviceInterface } from '../dcim/interface.ts'
import { wirelessLink } from './wireless-link.ts'

type LinkFields = typeof wirelessLink.fields

/**
 * Stores in interfaces the link that ends at them, and clears it when the link moves. Saving a link again takes back
 * an interface from another link. NetBox 4.6.8 wireless/signals.py.
 */
export const tellInterfaces: EffectFunction<LinkFields> = async ({ rows, database, write }) => {
  const linkOf = new Map<number, number>()
  const left: number[] = []
  for (const { next, previous } of rows) {
    if (!next) continue
    for (const end of [previous?.interface_a, previous?.interface_b]) {
      if (end !== undefined && end !== next.interface_a && end !== next.interface_b) left.push(end)
    }
    for (const end of [next.interface_a, next.interface_b]) linkOf.set(end, next.id)
  }
  if (linkOf.size === 0) return
  const links = rows.flatMap(({ next }) => next?.id ?? [])
  const stored = await database.query<{ id: number; link: number | null }>(sql`
    select id, wireless_link_id as link from ${table('dcim.interface')}
    where id = any(${[...linkOf.keys(), ...left]}::bigint[])`)
  const changes = stored.flatMap(({ id, link }) => {
    const wanted = linkOf.get(id) ?? (link !== null && links.includes(link) ? null : link)
    return wanted === link ? [] : [{ id, wireless_link: wanted }]
  })
  if (changes.length > 0) await write.update(deviceInterface, changes)
}

/** Recomputes the paths over wireless links. */
export const retraceWirelessLinks: EffectFunction<LinkFields> = ({ rows, database }) => {
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
