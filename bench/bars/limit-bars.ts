import { DETAIL_OF_LIMIT, PAGE_OF_LIMIT } from '../limit/pages.ts'
import type { Subject } from '../subject.ts'
import { type ByWay, eachWay } from '../way.ts'
import type { Verdict } from './bar.ts'

/** Least share of a bare server's requests a second, by request. */
const BARS: readonly (readonly [name: string, least: number])[] = [
  [PAGE_OF_LIMIT, 0.6],
  [DETAIL_OF_LIMIT, 0.5],
]

/** The bars over shares of the bare server's requests a second, where it was measured. */
export const limitVerdicts = ({ limit }: Subject): Verdict<ByWay<number>>[] =>
  BARS.map(
    ([name, least]): Verdict<ByWay<number>> => ({
      sentence: `requests/s, share of a bare server's: ${name}`,
      wanted: { least },
      unit: 'share',
      reached: eachWay(limit, (rows) => {
        const row = rows.find((each) => each.name === name)
        return row && row.ours.rate / row.bare.rate
      }),
    }),
  ).filter(({ reached }) => Object.keys(reached).length > 0)
