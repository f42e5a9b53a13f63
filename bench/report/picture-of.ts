import { isWrite, ratiosOf } from '../reference/ratios.ts'
import type { ReferenceRow } from '../reference/table.ts'
import type { Subject } from '../subject.ts'
import type { Way } from '../way.ts'
import { titleOf } from './markdown.ts'
import { type Bar, barPicture } from './picture.ts'

/** Requests a second in one way: beside the reference's where there are such, else those of all our own. */
function barsOf(
  subject: Subject,
  way: Way,
  reference: readonly ReferenceRow[] | undefined,
): readonly Bar[] {
  const ratios = reference ? ratiosOf(reference, subject) : []
  if (ratios.length > 0) {
    return ratios.flatMap((ratio): Bar[] => {
      const ours = ratio.ours[way]?.figure
      if (ours === undefined) return []
      const { name, reference: theirs } = ratio
      return isWrite(ratio)
        ? [{ name, ours: 1000 / ours, reference: 1000 / theirs }]
        : [{ name, ours, reference: theirs }]
    })
  }
  const measurements = subject.measurements[way] ?? []
  const most = Math.max(...measurements.map(({ connections }) => connections))
  return measurements
    .filter(({ connections }) => connections === most)
    .map(({ name, rate }) => ({ name, ours: rate }))
}

/** The bars of a subject as an SVG document; undefined for one that has none. */
export function pictureOf(
  subject: Subject,
  reference: readonly ReferenceRow[] | undefined,
): string | undefined {
  const { result } = subject
  const way = result.nothingKept ? 'nothingKept' : 'varied'
  const bars = barsOf(subject, way, reference)
  if (bars.length === 0) return undefined
  const words = bars.some((bar) => bar.reference !== undefined) ? ', ours above the reference' : ''
  return barPicture(
    `${titleOf(result)}: requests a second, each another${words} (logarithmic)`,
    bars,
  )
}
