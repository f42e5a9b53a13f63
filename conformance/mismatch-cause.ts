import type { Mismatch } from './compare.ts'
import type { Difference } from './difference.ts'
import { short } from './json.ts'

const VERBS: Readonly<Record<Mismatch['kind'], string>> = {
  missing: 'is missing',
  extra: 'should not be there',
  value: 'differs',
  order: 'holds other objects or another order',
}

/** The path with every list index as `*`: `results.*.site.name`. Empty for the document itself. */
export function placeOf(mismatch: Mismatch): string {
  return mismatch.path.map((part) => (typeof part === 'number' ? '*' : part)).join('.')
}

/** A mismatch as text for the report: `field results.*.name differs`. */
export function differenceOf(mismatch: Mismatch): Difference {
  const place = placeOf(mismatch)
  return {
    cause: `${place === '' ? 'the document' : `field ${place}`} ${VERBS[mismatch.kind]}`,
    expected: short(mismatch.expected),
    actual: short(mismatch.actual),
  }
}

/** Mismatches as differences, one per cause: a field that is wrong in fifty rows is reported once. */
export function differencesOf(mismatches: readonly Mismatch[]): Difference[] {
  const byCause = new Map<string, Difference>()
  for (const mismatch of mismatches) {
    const difference = differenceOf(mismatch)
    if (!byCause.has(difference.cause)) byCause.set(difference.cause, difference)
  }
  return [...byCause.values()]
}
