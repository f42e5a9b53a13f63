import { parseInterface, parseIp } from '../../net/ip.ts'
import type { SearchTerm } from '../../schema/model.ts'
import { join, sql } from '../../sql/fragment.ts'

/** Whether one of the addresses is that host, whatever its mask. */
export const equalsHost =
  (...paths: readonly string[]): SearchTerm =>
  (column, value) => {
    const text = value.trim()
    const host = parseIp(text) ? text : undefined
    if (host === undefined) return sql`false`
    return sql`(${join(
      paths.map((path) => sql`host(${column(path)}) = host(${host}::inet)`),
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
    return parseInterface(text) || parseIp(text)
      ? sql`(${named} or ${column(path)} >>= network(${text}::inet))`
      : named
  }
