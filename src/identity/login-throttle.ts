import { ApiError } from '../base/errors.ts'
import { formatInterface, networkOf } from '../schema/net/ip.ts'
import { SYSTEM } from '../schema/system-models.ts'
import { NOW, sql } from '../sql/fragment.ts'
import { deleteFrom, insertInto, table } from '../sql/table.ts'
import type { Authentication } from './authenticate.ts'
import { parseClientAddress } from './client-address.ts'

/** Seconds for which failures are counted, from the first wrong password. */
const FAILURE_WINDOW = 900

/** An attempt to sign in with a name and a password. */
export interface LoginAttempt {
  readonly username: string
  /** Entries of directories that the name stands for: a directory may find one entry by several names. */
  readonly entries?: readonly string[]
  /** The client's; undefined when unknown. */
  readonly address: string | undefined
}

/**
 * Throws `throttled` after too many failures for the account or from the address. To be called before a password is
 * checked, and again if it was right: of many simultaneous guesses, only those within the limit may succeed.
 */
export async function checkThrottle(authentication: Authentication, attempt: LoginAttempt): Promise<void> {
  const limits = limitsOf(authentication, attempt)
  const rows = await authentication.service.database.query<Failures>(sql`
    select key, failures, ${SECONDS_LEFT} as seconds from ${table(SYSTEM.loginFailures)} t
    where key = any(${[...limits.keys()]}::text[]) and ends > ${NOW}`)
  const beyond = rows.filter(({ key, failures }) => failures >= (limits.get(key) ?? Infinity))
  refuse(authentication, attempt, beyond)
}

/** Counts a wrong name or password. Throws `throttled` if the limit is exceeded. */
export async function noteFailure(authentication: Authentication, attempt: LoginAttempt): Promise<void> {
  const limits = limitsOf(authentication, attempt)
  const { database } = authentication.service
  // Locked in the order of the keys, so that two attempts cannot deadlock.
  const rows = await database.query<Failures>(sql`
    ${insertInto(SYSTEM.loginFailures)} as t (key, failures, ends)
    select key, 1, ${NOW} + make_interval(secs => ${FAILURE_WINDOW}::int)
    from unnest(${[...limits.keys()].sort()}::text[]) as key
    on conflict (key) do update set
      failures = case when t.ends > ${NOW} then t.failures + 1 else 1 end,
      ends = case when t.ends > ${NOW} then t.ends else excluded.ends end
    returning key, failures, ${SECONDS_LEFT} as seconds`)
  await database.execute(sql`
    ${deleteFrom(SYSTEM.loginFailures)} where id in (
      select id from ${table(SYSTEM.loginFailures)} where ends <= ${NOW} for update skip locked)`)
  const beyond = rows.filter(({ key, failures }) => failures > (limits.get(key) ?? Infinity))
  refuse(authentication, attempt, beyond)
}

/**
 * Deletes the account's failures. Failures of the address remain: a successful login to one account does not reset
 * guesses at other accounts.
 */
export async function noteSuccess(authentication: Authentication, attempt: LoginAttempt): Promise<void> {
  const keys = accountKeys(authentication, attempt)
  await authentication.service.database.execute(
    sql`${deleteFrom(SYSTEM.loginFailures)} where key = any(${keys}::text[])`,
  )
}

interface Failures extends Record<string, unknown> {
  readonly key: string
  readonly failures: number
  /** Seconds until the failures expire. */
  readonly seconds: number
}

const SECONDS_LEFT = sql`ceil(extract(epoch from t.ends - ${NOW}))::int`

function refuse({ audit }: Authentication, { address }: LoginAttempt, beyond: readonly Failures[]): void {
  if (beyond.length === 0) return
  audit({ event: 'loginFailed', reason: 'throttled', user: undefined, address })
  const retryAfterSeconds = Math.max(1, ...beyond.map(({ seconds }) => seconds))
  throw new ApiError({ kind: 'throttled', retryAfterSeconds })
}

/** Keys that are counted for the attempt, with their limits. */
function limitsOf(authentication: Authentication, attempt: LoginAttempt): ReadonlyMap<string, number> {
  const { loginFailureLimit, loginFailureAddressLimit } = authentication.service.settings
  const limits = new Map(accountKeys(authentication, attempt).map((key) => [key, loginFailureLimit]))
  if (attempt.address !== undefined) {
    const key = authentication.vault.fingerprint(`address ${neighbourhood(attempt.address)}`)
    limits.set(key, loginFailureAddressLimit)
  }
  return limits
}

const accountKeys = ({ vault }: Authentication, { username, entries = [] }: LoginAttempt): readonly string[] => [
  vault.fingerprint(`account ${prepared(username)}`),
  ...entries.map((entry) => vault.fingerprint(`entry ${prepared(entry)}`)),
]

/** Characters that comparisons of a directory ignore (RFC 4518 §2.2). */
const IGNORED = /[\p{Default_Ignorable_Code_Point}\p{Cf}\ufffc]|(?![\t-\r\u0085])\p{Cc}/gu

/**
 * A name in the form in which a directory compares it (RFC 4518 §2), so that ` bob` and `BOB` are not further guesses.
 * No two local names differ only in case either.
 */
const prepared = (name: string): string =>
  name
    .replace(IGNORED, '')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s\u0085]+/g, ' ')
    .trim()

/** A client with one IPv6 address usually has its whole subnet (RFC 4291 §2.5.1). */
const SUBNET = 64

function neighbourhood(address: string): string {
  const ip = parseClientAddress(address)
  if (!ip) return address
  return formatInterface(networkOf({ ...ip, length: ip.family === 6 ? SUBNET : 32 }))
}
