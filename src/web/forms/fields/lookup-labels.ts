import { LOOKUPS, type LookupName } from '../../../read/query/lookups.ts'

/** Words of a lookup between a field and a value. */
export const lookupLabel = (name: LookupName) => LOOKUPS[name].label

/** Filter and lookup of a parameter name: `name__ic` becomes `name`, `contains`. */
export function splitLookup(name: string): readonly [base: string, words: string | undefined] {
  const [, base = name, suffix = ''] = /^(.+)__([a-z]+)$/.exec(name) ?? []
  const isLookup = Object.hasOwn(LOOKUPS, suffix)
  // `isLookup` has established that the suffix is a lookup.
  return isLookup ? [base, lookupLabel(suffix as LookupName)] : [name, undefined]
}
