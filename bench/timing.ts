/** What was measured of one request shape: milliseconds seen by the client, connection kept open. */
export interface Timing {
  readonly name: string
  readonly requests: number
  readonly median: number
  readonly p95: number
  readonly fastest: number
}

/** Value below which the share `part` (0–1) of the sorted values lies. */
function quantile(sorted: readonly number[], part: number): number {
  const index = Math.min(sorted.length - 1, Math.floor(sorted.length * part))
  return sorted[index] ?? Number.NaN
}

/** Runs `request` a few times unmeasured, then `times` times one after another. */
export async function measure(
  name: string,
  times: number,
  request: (turn: number) => Promise<void>,
  warmUp = 10,
): Promise<Timing> {
  for (let turn = 0; turn < warmUp; turn++) await request(-1 - turn)
  const spent: number[] = []
  for (let turn = 0; turn < times; turn++) {
    const start = performance.now()
    await request(turn)
    spent.push(performance.now() - start)
  }
  spent.sort((a, b) => a - b)
  return {
    name,
    requests: times,
    median: quantile(spent, 0.5),
    p95: quantile(spent, 0.95),
    fastest: quantile(spent, 0),
  }
}

const number = (value: number): string => value.toFixed(2).padStart(10)

/** A line of the table: name, median, p95 and fastest in milliseconds. */
export const timingLine = ({ name, median, p95, fastest, requests }: Timing): string =>
  `${name.padEnd(36)}${number(median)}${number(p95)}${number(fastest)}${String(requests).padStart(8)}`

export const TIMING_HEADER = `${'milliseconds'.padEnd(36)}${['median', 'p95', 'fastest']
  .map((word) => word.padStart(10))
  .join('')}${'n'.padStart(8)}`
