import { type ValueType, words } from './value-types.ts'

/** Models that always need a permission (NetBox 4.6.8, auth.md): `*` does not include them. */
export const NEVER_EXEMPT: ReadonlySet<string> = new Set([
  'core.configrevision',
  'users.group',
  'users.groupmapping',
  'users.objectpermission',
  'users.token',
  'users.user',
])

/** Names of models, or `*` for all except those above. */
export const exemptModels: ValueType<readonly string[]> = {
  expects: `models separated by commas, or *; never ${[...NEVER_EXEMPT].join(', ')}`,
  parse: (text) => {
    const names = words.parse(text)?.map((name) => name.toLowerCase())
    return names?.some((name) => NEVER_EXEMPT.has(name)) ? undefined : names
  },
}
