import type { Service } from '../service.ts'
import type { User } from './actor.ts'
import { loadGrants } from './grants.ts'

/** Columns of a user who has been authenticated. */
export interface UserRow {
  readonly id: number
  readonly username: string
  readonly is_superuser: boolean
}

/** The user with all permissions. A token may allow less. */
export const loadUser = async (
  { database, settings }: Service,
  { id, username, is_superuser: isSuperuser }: UserRow,
): Promise<User> => ({
  kind: 'user',
  id,
  username,
  isSuperuser,
  tokenId: undefined,
  writeEnabled: true,
  grants: isSuperuser ? undefined : await loadGrants(database, id, settings.defaultPermissions),
})
