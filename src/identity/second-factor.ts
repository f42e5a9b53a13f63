import { randomBytes } from 'node:crypto'
import { ApiError } from '../base/errors.ts'
import { SYSTEM } from '../schema/system-models.ts'
import { sql } from '../sql/fragment.ts'
import { deleteFrom, insertInto, table, updateTable } from '../sql/table.ts'
import type { Authentication } from './authenticate.ts'
import { checkThrottle, noteFailure, noteSuccess } from './login-throttle.ts'
import { digestOf } from './session-key.ts'
import { base32, matchingStep, newTotpSecret } from './totp.ts'

/** A user whose password, or session, has been checked. */
export interface FactorOwner {
  readonly id: number
  readonly username: string
  readonly is_superuser: boolean
}

/** What a login by password still needs. */
type FactorState = 'none' | 'set' | 'required'

/** Whether the user has a second factor, or must set one up because of the settings. */
export async function factorState({ service }: Authentication, user: FactorOwner): Promise<FactorState> {
  const [row] = await service.database.query(sql`
    select id from ${table(SYSTEM.secondFactor)} where user_id = ${user.id}::bigint and confirmed`)
  if (row) return 'set'
  return isRequired(service.settings.secondFactorRequired, user) ? 'required' : 'none'
}

/** Whether the settings require a second factor of the user. */
export const isRequired = (whose: 'none' | 'superusers' | 'all', user: Pick<FactorOwner, 'is_superuser'>): boolean =>
  whose === 'all' || (whose === 'superusers' && user.is_superuser)

/**
 * Secret for a new application; the same one until it is confirmed, so that the page may be reloaded. Undefined for a
 * user who has already confirmed one.
 */
export async function beginFactor(
  authentication: Pick<Authentication, 'service' | 'vault'>,
  userId: number,
): Promise<string | undefined> {
  const { service, vault } = authentication
  const sealed = vault.encryptText(newTotpSecret())
  // One writing statement, because a replica could answer a select after it.
  const [row] = await service.database.query<Factor>(sql`
    ${insertInto(SYSTEM.secondFactor)} (user_id, secret, confirmed, last_step, recovery)
    values (${userId}::bigint, ${sealed}, false, 0, '')
    on conflict (user_id) do update set user_id = excluded.user_id returning secret, confirmed`)
  if (!row || row.confirmed) return undefined
  const secret = vault.reveal(row.secret)
  if (secret !== undefined) return secret
  // Encrypted with a key that no longer exists.
  await removeFactor(authentication, userId)
  return await beginFactor(authentication, userId)
}

const RECOVERY_CODES = 10
/** They have 80 bits, so they need no slow digest. */
const RECOVERY_BYTES = 10

/** Recovery codes of the application, which this confirms; undefined if the code is wrong. Throws `throttled`. */
export async function confirmFactor(
  authentication: Authentication,
  user: FactorOwner,
  code: string,
  address: string | undefined,
): Promise<readonly string[] | undefined> {
  const { service, audit } = authentication
  const attempt = attemptOf(user, address)
  await checkThrottle(authentication, attempt)
  const factor = await readFactor(authentication, user.id)
  const step = factor && !factor.confirmed ? matchingStep(factor.secret, code, service.clock.now()) : undefined
  if (step === undefined) {
    await noteFailure(authentication, attempt)
    return undefined
  }
  const codes = Array.from({ length: RECOVERY_CODES }, () => base32(randomBytes(RECOVERY_BYTES)))
  const rows = await service.database.query(sql`
    ${updateTable(SYSTEM.secondFactor)} set confirmed = true, last_step = ${step},
      recovery = ${codes.map(digestOf).join(' ')}
    where user_id = ${user.id}::bigint and not confirmed returning id`)
  if (rows.length === 0) return undefined
  await noteSuccess(authentication, attempt)
  audit({ event: 'secondFactorSet', user: user.username, address })
  return codes
}

/**
 * Checks a code of the application, or a recovery code; each is valid once. Throws `forbidden` for a wrong code, and
 * `throttled`. Returns which kind it was.
 */
export async function checkFactor(
  authentication: Authentication,
  user: FactorOwner,
  typed: string,
  address: string | undefined,
): Promise<'code' | 'recoveryCode'> {
  const attempt = attemptOf(user, address)
  await checkThrottle(authentication, attempt)
  const kind = await useCode(authentication, user.id, typed.replace(/[\s-]/g, '').toUpperCase())
  if (kind === undefined) {
    authentication.audit({ event: 'loginFailed', reason: 'wrong code', user: user.username, address })
    await noteFailure(authentication, attempt)
    throw new ApiError({ kind: 'forbidden', detail: 'The code is wrong, or it has been used already.' })
  }
  await noteSuccess(authentication, attempt)
  return kind
}

/** Counted separately from passwords: a right password must not reset the count of wrong codes. */
const attemptOf = ({ username }: FactorOwner, address: string | undefined) => ({
  username: `second factor of ${username}`,
  address,
})

async function useCode(
  authentication: Authentication,
  userId: number,
  code: string,
): Promise<'code' | 'recoveryCode' | undefined> {
  const { database, clock } = authentication.service
  const factor = await readFactor(authentication, userId)
  if (!factor?.confirmed) return undefined
  const step = matchingStep(factor.secret, code, clock.now())
  if (step !== undefined) {
    // Of two requests with one code, only one changes the row.
    const rows = await database.query(sql`
      ${updateTable(SYSTEM.secondFactor)} set last_step = ${step}
      where user_id = ${userId}::bigint and last_step < ${step} returning id`)
    return rows.length > 0 ? 'code' : undefined
  }
  const digest = digestOf(code)
  const rows = await database.query(sql`
    ${updateTable(SYSTEM.secondFactor)}
    set recovery = array_to_string(array_remove(string_to_array(recovery, ' '), ${digest}), ' ')
    where user_id = ${userId}::bigint and ${digest} = any(string_to_array(recovery, ' ')) returning id`)
  return rows.length > 0 ? 'recoveryCode' : undefined
}

interface Factor extends Record<string, unknown> {
  readonly secret: string
  readonly confirmed: boolean
}

async function readFactor({ service, vault }: Authentication, userId: number): Promise<Factor | undefined> {
  const [row] = await service.database.query<Factor>(sql`
    select secret, confirmed from ${table(SYSTEM.secondFactor)} where user_id = ${userId}::bigint`)
  const secret = row && vault.reveal(row.secret)
  return row && secret !== undefined ? { secret, confirmed: row.confirmed } : undefined
}

/** Removes the user's second factor, confirmed or not. */
export async function removeFactor({ service }: Pick<Authentication, 'service'>, userId: number): Promise<void> {
  await service.database.execute(sql`${deleteFrom(SYSTEM.secondFactor)} where user_id = ${userId}::bigint`)
}
