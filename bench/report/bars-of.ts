import { ratiosOf } from '../reference/ratios.ts'
import type { ReferenceRow } from '../reference/table.ts'
import type { Result } from '../result.ts'
import type { Bar } from './picture.ts'

/** Requests a second of reads: beside the reference's where there are such, else all of our own. */
export function barsOf(
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
