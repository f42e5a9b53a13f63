import type { LimitRow, Measurement, Result } from './result.ts'
import { ALL_WAYS, type ByWay, type Way, wayOf } from './way.ts'

/** What a section of a report is about: a run and, where there is such, the same one with nothing kept. */
export interface Subject {
  readonly result: Result
  readonly measurements: ByWay<readonly Measurement[]>
  readonly limit: ByWay<readonly LimitRow[]>
}

/** Runs with nothing kept join those of the same storage and kind; alone they are subjects of their own. */
export function subjectsOf(results: readonly Result[]): Subject[] {
  const isSecond = (each: Result) =>
    each.nothingKept === true && results.some((other) => isFirstOf(other, each))
  return results
    .filter((each) => !isSecond(each))
    .map((result) => {
      const second = results.find((each) => isSecond(each) && isFirstOf(result, each))
      return subjectOf(result, second)
    })
}

const isFirstOf = (first: Result, second: Result): boolean =>
  !first.nothingKept &&
  first.target === second.target &&
  first.growth.length > 0 === second.growth.length > 0

function subjectOf(result: Result, second: Result | undefined): Subject {
  const runs = second ? [result, second] : [result]
  const measured = runs.flatMap((run) =>
    run.measurements.map((each) => ({ way: wayOf(run, each), each })),
  )
  const limits = runs.flatMap((run) =>
    run.limit.map((each) => ({ way: wayOf(run, each.ours), each })),
  )
  return { result, measurements: byWay(measured), limit: byWay(limits) }
}

function byWay<T>(items: readonly { readonly way: Way; readonly each: T }[]): ByWay<readonly T[]> {
  const groups = Map.groupBy(items, ({ way }) => way)
  const found = ALL_WAYS.flatMap((way) => {
    const group = groups.get(way)
    return group ? [[way, group.map(({ each }) => each)] as const] : []
  })
  return Object.fromEntries(found)
}
