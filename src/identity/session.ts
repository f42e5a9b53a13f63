import type { Settings } from '../config/settings.ts'
import { SYSTEM } from '../schema/system-models.ts'
import type { Service } from '../service.ts'
import { sql } from '../sql/fragment.ts'
import { deleteFrom, insertInto, table, updateTable } from '../sql/table.ts'
import type { User } from './actor.ts'
import { ACTOR_CACHING } from './grants.ts'
import { loadUser, type UserRow } from './load-user.ts'
import { digestOf, isSessionKey, newSessionKey } from './session-key.ts'

/** A session of a browser. */
export interface Session {
  readonly id: number
  readonly user: User
  /** Milliseconds since 1970. */
  readonly expires: number
}

/** The browser that logs in. */
interface SessionOrigin {
  /** Key of its previous session. */
  readonly formerKey: string | undefined
  /** `User-Agent`; empty if it sends none. */
  readonly browser: string
  readonly address: string
}

/**
 * Starts a session and ends the browser's previous one. Its key is always new, so that a key planted in the browser
 * opens nothing.
 */
export async function startSession(
  { database, settings, clock }: Service,
  userId: number,
  { formerKey, browser, address }: SessionOrigin,
): Promise<string> {
  const key = newSessionKey()
  const now = new Date(clock.now())
  const expires = endFrom(now.getTime(), settings)
  await database.transaction(async (transaction) => {
    // Each login deletes expired sessions, without waiting for another login that does so.
    await transaction.execute(sql`
      ${deleteFrom(SYSTEM.session)} where id in (
        select id from ${table(SYSTEM.session)} where expires <= ${now}::timestamptz for update skip locked)`)
    if (formerKey !== undefined) {
      await transaction.execute(sql`${deleteFrom(SYSTEM.session)} where digest = ${digestOf(formerKey)}`)
    }
    await transaction.execute(sql`
      ${insertInto(SYSTEM.session)} (digest, user_id, password_digest, created, expires, browser, address)
      select ${digestOf(key)}, u.id, ${PASSWORD_DIGEST}, ${now}::timestamptz, ${expires}::timestamptz,
        left(${browser}::text, 300), left(${address}::text, 64)
      from ${table(SYSTEM.user)} u where u.id = ${userId}::bigint and u.is_active`)
    if (settings.maintenanceMode) return
    await transaction.execute(
      sql`${updateTable(SYSTEM.user)} set last_login = ${now}::timestamptz where id = ${userId}::bigint`,
    )
  })
  return key
}

const endFrom = (now: number, { loginTimeout }: Pick<Settings, 'loginTimeout'>): Date =>
  new Date(now + loginTimeout * 1000)

/**
 * The session with the key; undefined if there is none, if it has expired, or if its user has been deactivated or has
 * changed the password. Comes from the cache, so that a request costs no query.
 */
export async function findSession(service: Service, key: string): Promise<Session | undefined> {
  if (!isSessionKey(key)) return undefined
  const digest = digestOf(key)
  try {
    const session = await service.cache.get(`session ${digest}`, () => loadSession(service, digest), ACTOR_CACHING)
    return session.expires > service.clock.now() ? session : undefined
  } catch (error) {
    if (error instanceof NoSession) return undefined
    throw error
  }
}

/** Thrown rather than returned, because the cache would store a result: forged keys would fill it. */
class NoSession extends Error {}

const PASSWORD_DIGEST = sql`encode(sha256(convert_to(u.password, 'UTF8')), 'hex')`

async function loadSession(service: Service, digest: string): Promise<Session> {
  const [row] = await service.database.query<SessionRow>(sql`
    select s.id as session_id, s.expires, u.id, u.username, u.is_superuser
    from ${table(SYSTEM.session)} s
    join ${table(SYSTEM.user)} u on u.id = s.user_id
    where s.digest = ${digest} and u.is_active and s.password_digest = ${PASSWORD_DIGEST}`)
  if (!row) throw new NoSession()
  return {
    id: row.session_id,
    user: await loadUser(service, row),
    expires: Date.parse(row.expires),
  }
}

interface SessionRow extends UserRow, Record<string, unknown> {
  readonly session_id: number
  readonly expires: string
}

/** Share of the lifetime after which a session is renewed: a write costs more than a lookup. */
const RENEWAL = 0.1

/** Extends a session that is being used, if the configuration says so; true if it did. */
export async function renewSession({ database, settings, clock }: Service, { id, expires }: Session): Promise<boolean> {
  const { loginPersistence, loginTimeout, maintenanceMode } = settings
  const now = clock.now()
  if (!loginPersistence || maintenanceMode) return false
  if (expires - now > loginTimeout * 1000 * (1 - RENEWAL)) return false
  await database.execute(sql`
    ${updateTable(SYSTEM.session)} set expires = ${endFrom(now, settings)}::timestamptz
    where id = ${id}::bigint`)
  return true
}

/** Ends the session with the key, if there is one. */
export async function endSession({ database }: Service, key: string): Promise<void> {
  await database.execute(sql`${deleteFrom(SYSTEM.session)} where digest = ${digestOf(key)}`)
}

/** A session as its user sees it; timestamps are ISO 8601, UTC. */
interface SessionSummary {
  readonly id: number
  readonly created: string
  readonly expires: string
  readonly browser: string
  readonly address: string
  /** Whether it is the session with the key. */
  readonly isCurrent: boolean
}

/** The sessions of a user that have not expired, the newest first. */
export async function sessionsOf(
  { database, clock }: Service,
  user: number,
  key: string | undefined,
): Promise<readonly SessionSummary[]> {
  const now = new Date(clock.now())
  const rows = await database.query<Omit<SessionSummary, 'isCurrent'> & { digest: string }>(sql`
    select id, created, expires, browser, address, digest from ${table(SYSTEM.session)}
    where user_id = ${user}::bigint and expires > ${now}::timestamptz order by created desc limit 100`)
  const current = key === undefined ? undefined : digestOf(key)
  return rows.map(({ digest, ...row }) => ({ ...row, isCurrent: digest === current }))
}

/** Ends the session with the id, if it is the user's. */
export async function endSessionOf({ database }: Service, user: number, id: number): Promise<void> {
  await database.execute(sql`${deleteFrom(SYSTEM.session)} where user_id = ${user}::bigint and id = ${id}::bigint`)
}

/** Ends all sessions of the user except the one with the key. */
export async function endOtherSessions({ database }: Service, user: number, key: string): Promise<void> {
  await database.execute(
    sql`${deleteFrom(SYSTEM.session)} where user_id = ${user}::bigint and digest <> ${digestOf(key)}`,
  )
}
