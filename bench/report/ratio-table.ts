import { CACHE_MODE_LABELS, CACHE_MODES } from '../cache-mode.ts'
import { isWrite, type Ratio } from '../reference/ratios.ts'
import { figure, markdownTable } from './number-format.ts'

/** Table of the reference's time for each request and ours, in each mode that was measured. */
export function ratioTable(ratios: readonly Ratio[]): string {
  const modes = CACHE_MODES.filter((mode) => ratios.some(({ ours }) => ours[mode]))
  return markdownTable(
    ['request', 'reference', ...modes.flatMap((mode) => [CACHE_MODE_LABELS[mode], 'times faster'])],
    ratios.map((ratio) => {
      const unit = isWrite(ratio) ? ' ms' : '/s'
      const cells = modes.flatMap((mode) => {
        const ours = ratio.ours[mode]
        return ours ? [`${figure(ours.figure)}${unit}`, figure(ours.ratio)] : ['', '']
      })
      return [ratio.name, `${figure(ratio.reference)}${unit}`, ...cells]
    }),
  )
}
