import { type ByCacheMode, CACHE_MODES, type CacheMode, cacheModeOf } from './cache-mode.ts'
import type { LimitRow, Measurement, Result } from './result.ts'

/** One section of a report: a run and, if there is one, the same run with caches off. */
export interface ComparedRuns {
  readonly result: Result
  readonly measurements: ByCacheMode<readonly Measurement[]>
  readonly limit: ByCacheMode<readonly LimitRow[]>
}

/** Joins each run with caches off to the run of the same storage and kind; alone it has a section of its own. */
export function compareRuns(results: readonly Result[]): ComparedRuns[] {
  const isSecond = (each: Result) =>
    each.nothingKept === true && results.some((other) => isFirstOf(other, each))
  return results
    .filter((each) => !isSecond(each))
    .map((result) => {
      const second = results.find((each) => isSecond(each) && isFirstOf(result, each))
      return comparedWith(result, second)
    })
}

const isFirstOf = (first: Result, second: Result): boolean =>
  !first.nothingKept &&
  first.target === second.target &&
  first.growth.length > 0 === second.growth.length > 0

function comparedWith(result: Result, second: Result | undefined): ComparedRuns {
  const runs = second ? [result, second] : [result]
  const measured = runs.flatMap((run) =>
    run.measurements.map((each) => ({ mode: cacheModeOf(run, each), each })),
  )
  const limits = runs.flatMap((run) =>
    run.limit.map((each) => ({ mode: cacheModeOf(run, each.ours), each })),
  )
  return { result, measurements: byCacheMode(measured), limit: byCacheMode(limits) }
}

function byCacheMode<T>(
  items: readonly { readonly mode: CacheMode; readonly each: T }[],
): ByCacheMode<readonly T[]> {
  const groups = Map.groupBy(items, ({ mode }) => mode)
  const found = CACHE_MODES.flatMap((mode) => {
    const group = groups.get(mode)
    return group ? [[mode, group.map(({ each }) => each)] as const] : []
  })
  return Object.fromEntries(found)
}
