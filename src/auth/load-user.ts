import type { Service } from '../service.ts'
import type { User } from './actor.ts'
import { loadGrants } from './grants.ts'

/** What the table of users tells of whoever has proved to be one of them. */
export interface UserRow {
  readonly id: number
  readonly username: string
  readonly is_superuser: boolean
}

/** The user with all that they may do. A token may allow less. */
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
