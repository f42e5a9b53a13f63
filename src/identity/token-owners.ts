import { forbidden } from '../base/errors.ts'
import { isJsonObject } from '../schema/json.ts'
import type { Model } from '../schema/registry.ts'
import { SYSTEM } from '../schema/system-models.ts'
import { sql } from '../sql/fragment.ts'
import type { Queryable } from '../sql/queryable.ts'
import { table } from '../sql/table.ts'
import type { User } from './actor.ts'
import { type AccessSettings, mayAct, permittedRows } from './permitted-rows.ts'

/**
 * Throws `forbidden` if one of the bodies names another user and the caller may not create tokens for other users. It
 * runs before the bodies are resolved, so that the caller cannot find out which users exist.
 */
export function refuseTokensForOthers(
  caller: User,
  model: Model,
  settings: AccessSettings,
  bodies: readonly unknown[],
): void {
  if (mayAct(caller, 'grant', model, settings)) return
  for (const body of bodies) {
    const user = isJsonObject(body) ? body.user : undefined
    if (user !== undefined && user !== null && !mayBeSelf(caller, user)) throw forbidden()
  }
}

/** False for a value that names another user; a value that names no user at all is refused later, on its field. */
const mayBeSelf = (caller: User, user: unknown): boolean =>
  isJsonObject(user)
    ? Object.entries(user).every(([name, value]) =>
        name === 'id' ? mayBeSelf(caller, value) : name === 'username' && value === caller.username,
      )
    : !Number.isSafeInteger(Number(user)) || Number(user) === caller.id

/** Throws `forbidden` if tokens with these ids belong to other users and no permission `grant` covers them. */
export async function requireTokenGrant(
  queryable: Queryable,
  caller: User,
  model: Model,
  settings: AccessSettings,
  ids: readonly number[],
): Promise<void> {
  const foreignTokens = await queryable.query<{ id: number }>(sql`
    select id from ${table(SYSTEM.token)} where id = any(${ids}::bigint[]) and user_id <> ${caller.id}::bigint`)
  if (foreignTokens.length === 0) return
  const permitted = permittedRows(caller, 'grant', model, settings)
  if (permitted === 'all') return
  const granted = await queryable.query(sql`
    select t.id from ${table(SYSTEM.token)} t
    where t.id = any(${foreignTokens.map(({ id }) => id)}::bigint[]) and (${permitted})`)
  if (granted.length !== foreignTokens.length) throw forbidden()
}
