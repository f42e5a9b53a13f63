import type { LookupName } from '../../query/lookups.ts'

/** What lookups are called between a field and a value. */
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
} as const satisfies Record<LookupName, string>

/** A parameter's name as its filter and its lookup: `name__ic` is `name`, `contains`. */
export function splitLookup(name: string): readonly [base: string, words: string | undefined] {
  const [, base = name, suffix = ''] = /^(.+)__([a-z]+)$/.exec(name) ?? []
  const isLookup = suffix in LOOKUP_LABELS
  // The name of a lookup, as has just been found.
  return isLookup ? [base, LOOKUP_LABELS[suffix as LookupName]] : [name, undefined]
}
