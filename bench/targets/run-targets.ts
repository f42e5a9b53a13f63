import { growthOf } from '../growth-of.ts'
import type { Result } from '../result.ts'
import { HAND_MADE_PAGES } from '../shapes/hand-made-pages.ts'
import type { PageShape } from '../shapes/page-shape.ts'
import { PAGES_OF_MODELS } from '../shapes/pages.ts'
import type { Verdict } from './target.ts'

/** Longest time to the first response over existing data, by storage; milliseconds. */
const COLD_STARTS: Readonly<Record<string, number>> = { pglite: 2000, postgres: 1000 }
const MEGABYTES = 600
const GROWTH = 1.5

/** Pages for people with the longest time of each, in milliseconds at the 95th percentile. */
const PAGE_TARGETS: readonly {
  readonly sentence: string
  readonly pages: readonly PageShape[]
  readonly most: number
}[] = [
  {
    sentence: 'page for people (list of 50, object, form), 95th percentile of the slowest',
    pages: PAGES_OF_MODELS,
    most: 20,
  },
  {
    sentence: 'page made by hand (racks, connections, maps, …), 95th percentile of the slowest',
    pages: HAND_MADE_PAGES,
    most: 50,
  },
]

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
  for (const { sentence, pages, most } of PAGE_TARGETS) {
    const names = new Set(pages.map(({ name }) => name))
    const times = measurements.flatMap(({ name, p95 }) => (names.has(name) ? [p95] : []))
    if (times.length === 0) continue
    verdicts.push({ sentence, wanted: { most }, unit: 'ms', reached: Math.max(...times) })
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
