import type { LookupName } from '../../../read/query/lookups.ts'
import type { PlainText } from '../../texts/dictionaries.ts'

/** Label of each lookup between a field and a value. */
export const LOOKUP_LABELS = {
  exact: 'is',
  n: 'is not',
  ic: 'contains',
  nic: 'does not contain',
  isw: 'starts with',
  nisw: 'does not start with',
  iew: 'ends with',
  niew: 'does not end with',
  ie: 'is (any case)',
  nie: 'is not (any case)',
  regex: 'matches',
  iregex: 'matches (any case)',
  empty: 'is empty',
  lt: 'less than',
  lte: 'at most',
  gt: 'more than',
  gte: 'at least',
  any: 'any of',
} as const satisfies Record<LookupName, PlainText>

/** Filter and lookup of a parameter name: `name__ic` becomes `name`, `contains`. */
export function splitLookup(name: string): readonly [base: string, words: string | undefined] {
  const [, base = name, suffix = ''] = /^(.+)__([a-z]+)$/.exec(name) ?? []
  const isLookup = suffix in LOOKUP_LABELS
  // `isLookup` has established that the suffix is a lookup.
  return isLookup ? [base, LOOKUP_LABELS[suffix as LookupName]] : [name, undefined]
}
