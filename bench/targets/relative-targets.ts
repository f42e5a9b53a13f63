import { type ByCacheMode, mapCacheModes } from '../cache-mode.ts'
import type { ComparedRuns } from '../compared-runs.ts'
import type { Measurement } from '../result.ts'
import { READS } from '../shapes/reads.ts'
import { dryRunName, pastName } from '../shapes/shape.ts'
import { WRITES } from '../shapes/writes.ts'
import type { Verdict } from './target.ts'

/** Requests that are measured in two forms, and how much slower the second may be at most. */
const RELATIONS = [
  {
    sentence: 'time of a page as of a time in the past, relative to the page of now: slowest',
    names: READS.filter(({ hasPast }) => hasPast).map(({ name }) => name),
    nameOfSecond: pastName,
    most: 3,
  },
  {
    sentence: 'time of a dry run, relative to the write: slowest',
    names: WRITES.flatMap(({ steps }) => steps.map(({ name }) => name)),
    nameOfSecond: dryRunName,
    most: 1,
  },
] as const

/** Two forms of one request over one connection. */
export interface RelatedRow {
  readonly name: string
  readonly first: Measurement
  readonly second: Measurement
}

/** The requests as of a time in the past, and those of now. */
export const pastRows = (measurements: readonly Measurement[]): RelatedRow[] =>
  relatedRows(measurements, RELATIONS[0])

/** Verdicts on requests that were measured in both forms: the slowest of the medians over one connection. */
export const relativeVerdicts = ({
  measurements,
}: Pick<ComparedRuns, 'measurements'>): Verdict<ByCacheMode<number>>[] =>
  RELATIONS.map(
    (relation): Verdict<ByCacheMode<number>> => ({
      sentence: relation.sentence,
      wanted: { most: relation.most },
      unit: 'times',
      reached: mapCacheModes(measurements, (rows) => {
        const ratios = relatedRows(rows, relation).map(
          ({ first, second }) => second.median / first.median,
        )
        return ratios.length === 0 ? undefined : Math.max(...ratios)
      }),
    }),
  ).filter(({ reached }) => Object.keys(reached).length > 0)

function relatedRows(
  measurements: readonly Measurement[],
  { names, nameOfSecond }: (typeof RELATIONS)[number],
): RelatedRow[] {
  const alone = measurements.filter(({ connections }) => connections === 1)
  const named = new Map(alone.map((each) => [each.name, each]))
  return [...new Set(names)].flatMap((name) => {
    const [first, second] = [named.get(name), named.get(nameOfSecond(name))]
    return first && second ? [{ name, first, second }] : []
  })
}
