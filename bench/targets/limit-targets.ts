import { type ByCacheMode, mapCacheModes } from '../cache-mode.ts'
import type { ComparedRuns } from '../compared-runs.ts'
import { DETAIL_OF_LIMIT, PAGE_OF_LIMIT } from '../limit/pages.ts'
import type { Verdict } from './target.ts'

/** Lowest share of a bare server's requests per second, by request. */
const TARGETS: readonly (readonly [name: string, least: number])[] = [
  [PAGE_OF_LIMIT, 0.6],
  [DETAIL_OF_LIMIT, 0.5],
]

/** Verdicts on shares of the bare server's requests per second, where it was measured. */
export const limitVerdicts = ({ limit }: ComparedRuns): Verdict<ByCacheMode<number>>[] =>
  TARGETS.map(
    ([name, least]): Verdict<ByCacheMode<number>> => ({
      sentence: `requests/s, share of a bare server's: ${name}`,
      wanted: { least },
      unit: 'share',
      reached: mapCacheModes(limit, (rows) => {
        const row = rows.find((each) => each.name === name)
        return row && row.ours.rate / row.bare.rate
      }),
    }),
  ).filter(({ reached }) => Object.keys(reached).length > 0)
