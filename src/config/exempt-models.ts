import { type ValueType, words } from './value-types.ts'

/** Models that nobody reads without permission (NetBox 4.6.8, auth.md): `*` leaves them out. */
export const NEVER_EXEMPT: ReadonlySet<string> = new Set([
  'core.configrevision',
  'users.group',
  'users.objectpermission',
  'users.token',
  'users.user',
])

/** Names of models, or `*` for all but those above. */
export const exemptModels: ValueType<readonly string[]> = {
  expects: `models between commas, or *; never ${[...NEVER_EXEMPT].join(', ')}`,
  parse: (text) => {
    const names = words.parse(text)?.map((name) => name.toLowerCase())
    return names?.some((name) => NEVER_EXEMPT.has(name)) ? undefined : names
  },
}
