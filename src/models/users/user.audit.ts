import type { Audit, ObjectEvent } from '../../schema/audit.ts'
import type { EffectFunction } from '../../schema/rule.ts'
import type { user } from './user.ts'

type UserEffect = EffectFunction<typeof user.fields>
type UserRow = Parameters<UserEffect>[0]['rows'][number]

const EVENTS: Readonly<Partial<Record<ObjectEvent, (row: UserRow) => boolean>>> = {
  userCreated: ({ previous }) => previous === undefined,
  userDeleted: ({ next }) => next === undefined,
  userActivated: ({ previous, next }) => previous?.is_active === false && next?.is_active === true,
  userDeactivated: ({ previous, next }) =>
    previous?.is_active === true && next?.is_active === false,
  superuserGiven: ({ previous, next }) =>
    previous?.is_superuser !== true && next?.is_superuser === true,
  superuserTaken: ({ previous, next }) =>
    previous?.is_superuser === true && next?.is_superuser === false,
  // Each hash has its own salt, so setting the same password again is reported too.
  passwordChanged: ({ previous, next }) =>
    previous !== undefined && next !== undefined && previous.password !== next.password,
}

/** Reports to the audit log which users may sign in from now on, and which no longer may. */
export const auditUsers =
  (audit: Audit): UserEffect =>
  async ({ rows, origin, afterCommit }) => {
    for (const [event, applies] of Object.entries(EVENTS)) {
      const ids = rows.filter(applies).map(({ next, previous }) => (next ?? previous)?.id ?? 0)
      // The key is one of the table's own.
      if (ids.length > 0) afterCommit(() => audit({ event: event as ObjectEvent, ids, ...origin }))
    }
  }
