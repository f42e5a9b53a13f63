import type { Audit } from '../../schema/audit.ts'
import { type Behaviour, behaviour, type Normalizer, type Rule } from '../../schema/rule.ts'
import type { Vault } from '../../schema/vault.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { endSessions } from './end-sessions.ts'
import { passwordIsAcceptable } from './password.rules.ts'
import { auditUsers } from './user.audit.ts'
import { user } from './user.ts'

type UserRule = Rule<typeof user.fields>
type UserPreparation = Normalizer<typeof user.fields>

const usernameHasPlainCharacters: UserRule = async ({ next, sent }) =>
  sent.has('username') && !/^[\p{L}\p{N}_.@+-]+$/u.test(next.username)
    ? { username: 'A user name holds letters, digits and @ . + - _ only.' }
    : undefined

/** User names that differ only in case are easily confused. */
const usernameIsFree: UserRule = async ({ next, previous, read }) => {
  if (previous?.username === next.username) return
  const [duplicate] = await read.database.query<{ id: number }>(sql`
    select id from ${table('users.user')}
    where lower(username) = lower(${next.username}) and id <> ${next.id}::bigint limit 1`)
  if (!duplicate) return
  const isShown = await read.shows(user, duplicate.id)
  return {
    username: isShown ? 'user with this username already exists.' : 'This value cannot be used.',
  }
}

/** The host of an address is case-insensitive, the part before the @ may not be. */
const lowerHostOfEmail: UserPreparation = ({ next }) => ({
  email: next.email.replace(/@[^@]*$/, (host) => host.toLowerCase()),
})

const hashPassword =
  (vault: Vault): UserPreparation =>
  async ({ next, sent }) =>
    sent.has('password') ? { password: await vault.hashPassword(next.password) } : undefined

/** Behaviour of users, whose passwords are never stored. */
export const userBehaviour = (vault: Vault, audit: Audit): Behaviour =>
  behaviour(user, {
    serializerRules: [passwordIsAcceptable],
    normalize: [lowerHostOfEmail],
    modelRules: [usernameHasPlainCharacters, usernameIsFree],
    beforeSave: [hashPassword(vault)],
    afterWrite: [endSessions, auditUsers(audit)],
  })
