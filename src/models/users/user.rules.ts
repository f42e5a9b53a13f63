import type { Audit, ObjectEvent } from '../../schema/audit.ts'
import { type Behaviour, behaviour, type EffectFunction, type Normalizer, type Rule } from '../../schema/rule.ts'
import type { Vault } from '../../schema/vault.ts'
import { sql } from '../../sql/fragment.ts'
import { deleteFrom, table } from '../../sql/table.ts'
import { passwordIsAcceptable } from './password.rules.ts'
import { session } from './session.ts'
import { user } from './user.ts'

type UserEffect = EffectFunction<typeof user.fields>
type UserRow = Parameters<UserEffect>[0]['rows'][number]

const EVENTS: Readonly<Partial<Record<ObjectEvent, (row: UserRow) => boolean>>> = {
  userCreated: ({ previous }) => previous === undefined,
  userDeleted: ({ next }) => next === undefined,
  userActivated: ({ previous, next }) => previous?.is_active === false && next?.is_active === true,
  userDeactivated: ({ previous, next }) => previous?.is_active === true && next?.is_active === false,
  superuserGiven: ({ previous, next }) => previous?.is_superuser !== true && next?.is_superuser === true,
  superuserTaken: ({ previous, next }) => previous?.is_superuser === true && next?.is_superuser === false,
  // Each hash has its own salt, so setting the same password again is reported too.
  passwordChanged: ({ previous, next }) =>
    previous !== undefined && next !== undefined && previous.password !== next.password,
}

/** Reports to the audit log which users may now sign in, and which no longer may. */
const auditUsers =
  (audit: Audit): UserEffect =>
  async ({ rows, origin, afterCommit }) => {
    for (const [event, applies] of Object.entries(EVENTS)) {
      const ids = rows.filter(applies).map(({ next, previous }) => (next ?? previous)?.id ?? 0)
      // The key is one of the table's own.
      if (ids.length > 0) afterCommit(() => audit({ event: event as ObjectEvent, ids, ...origin }))
    }
  }

/**
 * Ends the sessions of users who were deactivated or whose password changed; otherwise they would be valid again once
 * the user is reactivated.
 */
const endSessions: EffectFunction<typeof user.fields> = async ({ rows, database, isModel }) => {
  const ids = rows.flatMap(({ next, previous }) => {
    if (!next || !previous) return []
    return !next.is_active || next.password !== previous.password ? [next.id] : []
  })
  if (ids.length === 0 || !isModel(session.name)) return
  await database.execute(sql`${deleteFrom('users.session')} where user_id = any(${ids}::bigint[])`)
}

type UserRule = Rule<typeof user.fields>
type UserPreparation = Normalizer<typeof user.fields>

const usernameHasPlainCharacters: UserRule = async ({ next, sent }) =>
  sent.has('username') && !/^[\p{L}\p{N}_.@+-]+$/u.test(next.username)
    ? { username: 'A user name may contain only letters, digits and @ . + - _' }
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
