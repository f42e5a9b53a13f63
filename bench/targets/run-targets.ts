import { growthOf } from '../growth-of.ts'
import type { Result } from '../result.ts'
import type { Verdict } from './target.ts'

/** Longest time to the first response over existing data, by storage; milliseconds. */
const COLD_STARTS: Readonly<Record<string, number>> = { pglite: 2000, postgres: 1000 }
const MEGABYTES = 600
const GROWTH = 1.5

/** Verdicts on metrics that a run has once, independent of the mode. */
export function runVerdicts({ target, coldStart, memory, growth }: Result): Verdict<number>[] {
  const verdicts: Verdict<number>[] = []
  const longest = COLD_STARTS[target]
  if (coldStart !== null) {
    verdicts.push({
      sentence: 'from the start of the process to the first answer, over existing data',
      wanted: longest === undefined ? undefined : { most: longest },
      unit: 'ms',
      reached: coldStart,
    })
  }
  if (memory !== null) {
    verdicts.push({
      sentence: 'resident memory after all requests',
      wanted: { below: MEGABYTES },
      unit: 'MB',
      reached: memory.server,
    })
  }
  const grown = growth.flatMap((row) => growthOf(row) ?? [])
  if (grown.length > 0) {
    verdicts.push({
      sentence: 'time of a page with the most interfaces, relative to the fewest, worst page',
      wanted: { below: GROWTH },
      unit: 'times',
      reached: Math.max(...grown),
    })
  }
  return verdicts
}
