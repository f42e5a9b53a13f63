import type { CacheMode } from '../cache-mode.ts'
import type { ComparedRuns } from '../compared-runs.ts'
import { isWrite, ratiosOf } from '../reference/ratios.ts'
import type { ReferenceRow } from '../reference/table.ts'
import { titleOf } from './markdown.ts'
import { type Bar, barPicture } from './picture.ts'

/** Bars of requests per second in one mode: next to the reference's, or all of our own without it. */
function barsOf(
  runs: ComparedRuns,
  mode: CacheMode,
  reference: readonly ReferenceRow[] | undefined,
): readonly Bar[] {
  const ratios = reference ? ratiosOf(reference, runs) : []
  if (ratios.length > 0) {
    return ratios.flatMap((ratio): Bar[] => {
      const ours = ratio.ours[mode]?.figure
      if (ours === undefined) return []
      const { name, reference: theirs } = ratio
      return isWrite(ratio)
        ? [{ name, ours: 1000 / ours, reference: 1000 / theirs }]
        : [{ name, ours, reference: theirs }]
    })
  }
  const measurements = runs.measurements[mode] ?? []
  const most = Math.max(...measurements.map(({ connections }) => connections))
  return measurements
    .filter(({ connections }) => connections === most)
    .map(({ name, rate }) => ({ name, ours: rate }))
}

/** SVG bar chart of a run; undefined without bars. */
export function pictureOf(
  runs: ComparedRuns,
  reference: readonly ReferenceRow[] | undefined,
): string | undefined {
  const { result } = runs
  const mode = result.nothingKept ? 'nothingKept' : 'varied'
  const bars = barsOf(runs, mode, reference)
  if (bars.length === 0) return undefined
  const words = bars.some((bar) => bar.reference !== undefined) ? ', ours above the reference' : ''
  return barPicture(
    `${titleOf(result)}: requests per second, distinct requests${words} (logarithmic)`,
    bars,
  )
}
