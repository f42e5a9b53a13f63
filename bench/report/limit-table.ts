import { type ByCacheMode, CACHE_MODE_LABELS, CACHE_MODES } from '../cache-mode.ts'
import type { LimitRow } from '../result.ts'
import { figure, markdownTable, percent } from './number-format.ts'

/** Table of requests per second next to those of a bare server, measured alternately in each mode. */
export function limitTable(limit: ByCacheMode<readonly LimitRow[]>): string {
  const modes = CACHE_MODES.filter((mode) => limit[mode])
  const rows = modes.flatMap((mode) => (limit[mode] ?? []).map((row) => ({ mode, row })))
  return markdownTable(
    ['request', 'requests', 'bare server, requests/s', 'ours', 'share'],
    rows.map(({ mode, row: { name, ours, bare } }) => [
      name,
      CACHE_MODE_LABELS[mode],
      figure(bare.rate),
      figure(ours.rate),
      percent(ours.rate / bare.rate),
    ]),
  )
}
