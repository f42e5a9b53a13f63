import type { LimitRow } from '../result.ts'
import { ALL_WAYS, type ByWay, WAYS } from '../way.ts'
import { figure, markdownTable, percent } from './figures.ts'

/** Requests a second beside those of a bare server; both were measured by turns, in each way anew. */
export function limitTable(limit: ByWay<readonly LimitRow[]>): string {
  const ways = ALL_WAYS.filter((way) => limit[way])
  const rows = ways.flatMap((way) => (limit[way] ?? []).map((row) => ({ way, row })))
  return markdownTable(
    ['request', 'requests', 'bare server, requests/s', 'ours', 'share'],
    rows.map(({ way, row: { name, ours, bare } }) => [
      name,
      WAYS[way],
      figure(bare.rate),
      figure(ours.rate),
      percent(ours.rate / bare.rate),
    ]),
  )
}
