import type { Settings } from '../config/settings.ts'
import type { Transaction } from '../db/database.ts'
import { SYSTEM } from '../schema/system-models.ts'
import type { SealedToken } from '../schema/vault.ts'
import { NOW, sql } from '../sql/fragment.ts'
import { insertInto, table } from '../sql/table.ts'
import { generatedPassword, hashPassword } from './password.ts'
import type { TokenVault } from './vault.ts'

/** What a start changes about the superuser. */
export interface SuperuserReport {
  /** A superuser was created. */
  readonly made?: MadeSuperuser & { readonly username: string }
  /** The configured token was added. */
  readonly tokenAdded: boolean
}

/** A new superuser, or an existing user who became a superuser. */
export interface MadeSuperuser {
  readonly existed: boolean
  /** Origin of the password; `user`: the user keeps the previous one. */
  readonly source: 'generated' | 'environment' | 'user'
  /** The password, if it was generated and has to be shown once. */
  readonly password: string | undefined
}

type SuperuserSettings = Pick<Settings, 'superuserName' | 'superuserPassword' | 'superuserApiToken'>

/**
 * Creates a superuser if there is none, and the configured token if it does not exist. An existing user with the
 * configured name becomes the superuser and keeps the password.
 */
export async function ensureSuperuser(
  transaction: Transaction,
  settings: SuperuserSettings,
  vault: TokenVault,
): Promise<SuperuserReport> {
  const { superuserName, superuserApiToken } = settings
  const existing = await findSuperuser(transaction, superuserName)
  const made = existing === undefined ? await makeSuperuser(transaction, settings, 'keepsPassword') : undefined
  const id = existing ?? made?.id
  if (id === undefined) throw new Error('No superuser was found or created')
  const tokenAdded = superuserApiToken !== undefined && (await addToken(transaction, vault, id, superuserApiToken))
  return {
    ...(made && { made: { username: superuserName, ...made } }),
    tokenAdded,
  }
}

/** A superuser with the configured name is preferred. */
async function findSuperuser(transaction: Transaction, name: string): Promise<number | undefined> {
  const [row] = await transaction.query<{ id: number }>(sql`
    select id from ${table(SYSTEM.user)} where is_superuser and is_active
    order by username <> ${name}, id limit 1`)
  return row?.id
}

/**
 * Creates a superuser, or makes the user with the name one. `existing` says whether such a user keeps the password or
 * gets the new one.
 */
export async function makeSuperuser(
  transaction: Transaction,
  { superuserName, superuserPassword }: Omit<SuperuserSettings, 'superuserApiToken'>,
  existing: 'keepsPassword' | 'getsPassword',
): Promise<MadeSuperuser & { readonly id: number }> {
  const password = superuserPassword ?? generatedPassword()
  const hashed = await hashPassword(password)
  // xmax is not 0 for a row that the insert has updated.
  const [row] = await transaction.query<{ id: number; password: string; existed: boolean }>(sql`
    ${insertInto(SYSTEM.user)} as t
      (username, password, first_name, last_name, email, is_active, is_superuser, date_joined)
    values (${superuserName}, ${hashed}, '', '', '', true, true, ${NOW})
    on conflict (username) do update set is_superuser = true, is_active = true,
      password = case when ${existing === 'getsPassword'} then excluded.password else t.password end
    returning id, password, xmax::text <> '0' as existed`)
  if (!row) throw new Error('The superuser was not inserted')
  const { id, existed } = row
  if (row.password !== hashed) return { id, existed, source: 'user', password: undefined }
  return superuserPassword === undefined
    ? { id, existed, source: 'generated', password }
    : { id, existed, source: 'environment', password: undefined }
}

async function addToken(transaction: Transaction, vault: TokenVault, userId: number, secret: string): Promise<boolean> {
  const [stored] = await transaction.query(sql`
    select id from ${table(SYSTEM.token)} where digest = any(${vault.digests(secret)}::text[])`)
  if (stored) return false
  const sealed: SealedToken = vault.sealToken(1, secret)
  await transaction.execute(sql`
    ${insertInto(SYSTEM.token)}
      (version, user_id, description, created, enabled, write_enabled, allowed_ips,
       key, pepper_id, digest, encrypted, _ending)
    values (1, ${userId}::bigint, '', ${NOW}, true, true, '{}',
       null, null, ${sealed.digest}, ${sealed.encrypted}, ${sealed._ending})`)
  return true
}
