import type { Service } from '../service.ts'
import type { User } from './actor.ts'
import { loadGrants } from './grants.ts'

/** What the table of users tells of whoever has proved to be one of them. */
export interface KnownUser {
  readonly id: number
  readonly username: string
  readonly is_superuser: boolean
}

/** The user with all that they may do. A token may allow less. */
export const userOf = async (
  { database, settings }: Service,
  { id, username, is_superuser: isSuperuser }: KnownUser,
): Promise<User> => ({
  kind: 'user',
  id,
  username,
  isSuperuser,
  tokenId: undefined,
  writeEnabled: true,
  grants: isSuperuser ? undefined : await loadGrants(database, id, settings.defaultPermissions),
})
