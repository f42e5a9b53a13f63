import { geometricMean } from '../geometric-mean.ts'
import type { TurnRow } from '../turns.ts'
import { figure, markdownTable } from './number-format.ts'

/** Table of two servers that were measured alternately, and the geometric mean of the ratios. */
export function turnTable(rows: readonly TurnRow[]): string {
  const table = markdownTable(
    ['request', 'connections', 'requests/s, first', 'second', 'second to first'],
    rows.map(({ name, connections, varied, first, second, ratio }) => [
      name,
      `${connections}${varied ? '' : ' repeated'}`,
      figure(first),
      figure(second),
      figure(ratio),
    ]),
  )
  return `${table}\n\nGeometric mean of the ratios: ${figure(geometricMean(rows.map(({ ratio }) => ratio)))}.`
}
