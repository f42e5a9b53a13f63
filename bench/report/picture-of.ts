import { ratiosOf } from '../reference/ratios.ts'
import type { ReferenceRow } from '../reference/table.ts'
import type { Result } from '../result.ts'
import { type Bar, barPicture } from './picture.ts'

/** Requests a second: beside the reference's where there are such, else those of all our own reads. */
function barsOf(
  { measurements }: Result,
  reference: readonly ReferenceRow[] | undefined,
): readonly Bar[] {
  const ratios = reference ? ratiosOf(reference, measurements) : []
  if (ratios.length > 0) {
    return ratios.map(({ name, kind, reference, varied: ours }) => {
      const isTime = kind === 'write' || kind === 'bulk write'
      return isTime
        ? { name, ours: 1000 / ours, reference: 1000 / reference }
        : { name, ours, reference }
    })
  }
  const most = Math.max(...measurements.map(({ connections }) => connections))
  return measurements
    .filter(({ connections, varied }) => connections === most && varied)
    .map(({ name, rate }) => ({ name, ours: rate }))
}

/** The bars of a result as an SVG document; undefined for a result that has none. */
export function pictureOf(
  result: Result,
  reference: readonly ReferenceRow[] | undefined,
): string | undefined {
  const bars = barsOf(result, reference)
  if (bars.length === 0) return undefined
  const words = bars.some((bar) => bar.reference !== undefined) ? ', ours above the reference' : ''
  return barPicture(`${result.target}: requests a second, each another${words} (logarithmic)`, bars)
}
