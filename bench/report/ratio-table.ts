import { isWrite, type Ratio } from '../reference/ratios.ts'
import { ALL_WAYS, WAYS } from '../way.ts'
import { figure, markdownTable } from './figures.ts'

/** What the reference takes for each request, and what we take in each way that was measured. */
export function ratioTable(ratios: readonly Ratio[]): string {
  const ways = ALL_WAYS.filter((way) => ratios.some(({ ours }) => ours[way]))
  return markdownTable(
    ['request', 'reference', ...ways.flatMap((way) => [WAYS[way], 'times sooner'])],
    ratios.map((ratio) => {
      const unit = isWrite(ratio) ? ' ms' : '/s'
      const cells = ways.flatMap((way) => {
        const ours = ratio.ours[way]
        return ours ? [`${figure(ours.figure)}${unit}`, figure(ours.ratio)] : ['', '']
      })
      return [ratio.name, `${figure(ratio.reference)}${unit}`, ...cells]
    }),
  )
}
