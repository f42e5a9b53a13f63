import { growthOf } from '../growth-of.ts'
import type { Result } from '../result.ts'
import { PAGES } from '../shapes/pages.ts'
import type { Verdict } from './target.ts'

/** Longest time to the first response over existing data, by storage; milliseconds. */
const COLD_STARTS: Readonly<Record<string, number>> = { pglite: 2000, postgres: 1000 }
const MEGABYTES = 600
const GROWTH = 1.5
/** Milliseconds of a page for people, at the 95th percentile. */
const PAGE = 20

const PAGE_NAMES: ReadonlySet<string> = new Set(PAGES.map(({ name }) => name))

/** Verdicts on metrics that a run has once, independent of the mode. */
export function runVerdicts(result: Result): Verdict<number>[] {
  const { target, coldStart, memory, growth, measurements } = result
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
  const pages = measurements.filter(({ name }) => PAGE_NAMES.has(name))
  if (pages.length > 0) {
    verdicts.push({
      sentence: 'page for people (list of 50, object, form), 95th percentile of the slowest',
      wanted: { most: PAGE },
      unit: 'ms',
      reached: Math.max(...pages.map(({ p95 }) => p95)),
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
