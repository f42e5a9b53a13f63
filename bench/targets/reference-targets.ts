import { type ByCacheMode, CACHE_MODES, type CacheMode } from '../cache-mode.ts'
import { geometricMean } from '../geometric-mean.ts'
import type { Ratio, RowKind } from '../reference/ratios.ts'
import type { Verdict } from './target.ts'

interface Bar {
  readonly sentence: string
  readonly least: number
  readonly measure: (numbers: readonly number[]) => number
  readonly of: (ratio: Ratio) => boolean
}

const lowest = (numbers: readonly number[]): number => Math.min(...numbers)

const isKind =
  (wanted: RowKind) =>
  ({ kind }: Ratio): boolean =>
    kind === wanted

/** How many times faster than the reference the service has to be. */
const TARGETS: readonly Bar[] = [
  {
    sentence: 'lists and details, geometric mean',
    least: 100,
    measure: geometricMean,
    of: isKind('read'),
  },
  { sentence: 'slowest of lists and details', least: 30, measure: lowest, of: isKind('read') },
  { sentence: 'API root', least: 10, measure: lowest, of: isKind('root') },
  { sentence: 'slowest of single writes', least: 15, measure: lowest, of: isKind('write') },
  {
    sentence: 'bulk writes, geometric mean',
    least: 50,
    measure: geometricMean,
    of: isKind('bulk write'),
  },
  {
    sentence: 'slower of creating and deleting devices with components',
    least: 100,
    measure: lowest,
    of: ({ name }) => /^bulk (create|delete) .*devices/.test(name),
  },
]

/** Verdicts on the ratios to the reference; targets without any row are left out. PGlite has no targets. */
export const referenceVerdicts = (
  ratios: readonly Ratio[],
  target: string,
): Verdict<ByCacheMode<number>>[] =>
  TARGETS.flatMap(({ sentence, least, measure, of }) => {
    const rows = ratios.filter(of)
    if (rows.length === 0) return []
    const reached = CACHE_MODES.flatMap((mode): [CacheMode, number][] => {
      const numbers = rows.flatMap(({ ours }) => ours[mode]?.ratio ?? [])
      return numbers.length === 0 ? [] : [[mode, measure(numbers)]]
    })
    return [
      {
        sentence: `times faster than the reference: ${sentence}`,
        wanted: target === 'pglite' ? undefined : { least },
        unit: 'times',
        reached: Object.fromEntries(reached),
      },
    ]
  })
