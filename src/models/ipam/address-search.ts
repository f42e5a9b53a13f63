import type { SearchTerm } from '../../schema/model.ts'
import { parseInterface, parseIp } from '../../schema/net/ip.ts'
import { join, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'

/** Whether one of the relations leads to an address of that host, whatever its mask. */
export const leadsToHost =
  (...relations: readonly string[]): SearchTerm =>
  (column, value) => {
    const host = value.trim()
    if (!parseIp(host)) return sql`false`
    const ids = sql`select a.id from ${table('ipam.ipaddress')} a where a._host = ${host}::inet`
    return sql`(${join(
      relations.map((relation) => sql`${column(relation)} = any(array(${ids}))`),
      ' or ',
    )})`
  }

/** Whether one of the addresses equals the value; a value without a mask is a single host. */
export const equalsAddress =
  (...paths: readonly string[]): SearchTerm =>
  (column, value) => {
    const text = value.trim()
    if (!parseInterface(text) && !parseIp(text)) return sql`false`
    return sql`(${join(
      paths.map((path) => sql`${column(path)} = ${text}::inet`),
      ' or ',
    )})`
  }

/** Whether the network contains or is the value's network, or its text contains the value. */
export const containsNetwork =
  (path: string): SearchTerm =>
  (column, value) => {
    const text = value.trim()
    const named = sql`${column(path)}::text ilike ${`%${text.replaceAll(/[\\%_]/g, '\\$&')}%`}`
    return parseInterface(text) || parseIp(text) ? sql`(${named} or ${column(path)} >>= network(${text}::inet))` : named
  }

/** Possible beginnings of the text of an IPv4 address: octets, the last of which may be incomplete. */
const BEGINNING_OF_IPV4 = /^(?:\d{1,3}\.){0,3}\d{0,3}(?:\/\d{0,2})?$/
/** The same for an IPv6 address. */
const BEGINNING_OF_IPV6 = /^[\da-f]*:[\da-f:./]*$/i

/**
 * Whether the text of the address begins with the value. `host`: the address without its mask; addresses are found by
 * its ranges.
 */
export const addressStartsWith =
  (path: string, host: string): SearchTerm =>
  (column, value) => {
    const text = sql`${column(path)}::text ilike ${`${value}%`}`
    if (BEGINNING_OF_IPV6.test(value)) return text
    if (!BEGINNING_OF_IPV4.test(value)) return sql`false`
    const ranges = rangesOf(value.split('/')[0] ?? '')
    if (ranges.length === 0) return sql`false`
    const isWithin = ranges.map(
      ([first, last]) => sql`${column(host)} >= ${first}::inet and ${column(host)} <= ${last}::inet and ${text}`,
    )
    return sql`(${join(isWithin, ' or ')})`
  }

/** First and last IPv4 addresses of the ranges whose texts begin with the octets: `10.5` is 10.5.0.0/16 and 10.50.0.0 to 10.59.255.255. */
function rangesOf(beginning: string): readonly (readonly [string, string])[] {
  const octets = beginning.split('.')
  const last = octets.pop() ?? ''
  if (octets.some((octet) => Number(octet) > 255)) return []
  const matching = Array.from({ length: 256 }, (_, octet) => octet).filter((octet) => String(octet).startsWith(last))
  const missingOctets = 3 - octets.length
  const addressOf = (octet: number, filling: number): string =>
    [...octets, octet, ...Array<number>(missingOctets).fill(filling)].join('.')
  return matching.flatMap((octet, index) => {
    if (matching[index - 1] === octet - 1) return []
    let end = octet
    while (matching.includes(end + 1)) end += 1
    return [[addressOf(octet, 0), addressOf(end, 255)] as const]
  })
}
