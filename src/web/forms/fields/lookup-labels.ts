import { LOOKUPS, type LookupName } from '../../../read/query/lookups.ts'

/** Words of a lookup between a field and a value. */
export const lookupLabel = (name: LookupName) => LOOKUPS[name].label

/** Filter of a parameter name: `name__ic` becomes `name`. */
export function filterName(parameter: string): string {
  const [, base = parameter, suffix = ''] = /^(.+)__([a-z]+)$/.exec(parameter) ?? []
  return Object.hasOwn(LOOKUPS, suffix) ? base : parameter
}
