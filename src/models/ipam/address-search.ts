import { parseInterface, parseIp } from '../../net/ip.ts'
import type { SearchTerm } from '../../schema/model.ts'
import { join, sql } from '../../sql/fragment.ts'

/** One of the addresses is that host, whatever its mask. */
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

/** One of the addresses is the value, which counts as a single host without a mask. */
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

/** The network contains or is the value's network, or its text contains the value. */
export const containsNetwork =
  (path: string): SearchTerm =>
  (column, value) => {
    const text = value.trim()
    const named = sql`${column(path)}::text ilike ${`%${text.replaceAll(/[\\%_]/g, '\\$&')}%`}`
    return parseInterface(text) || parseIp(text)
      ? sql`(${named} or ${column(path)} >>= network(${text}::inet))`
      : named
  }
