import type { Json, JsonObject } from '../schema/json.ts'
import type { Registry } from '../schema/registry.ts'
import { SYSTEM } from '../schema/system-models.ts'
import type { Vault } from '../schema/vault.ts'
import { sql } from '../sql/fragment.ts'
import type { Queryable } from '../sql/queryable.ts'
import { updateTable } from '../sql/table.ts'
import type { ExtraFields } from './extra.ts'

const ENDING_LENGTH = 6

/** Sets passwords and tokens of new rows; without them the imported users could not sign in. */
export async function setSecrets(
  queryable: Queryable,
  registry: Registry,
  vault: Vault,
  secrets: ExtraFields,
  added: ReadonlyMap<string, ReadonlySet<number>>,
): Promise<void> {
  const ofNew = function* (name: string): Generator<readonly [number, JsonObject]> {
    for (const [id, fields] of secrets.get(registry.models.get(name)?.path ?? '') ?? []) {
      if (added.get(name)?.has(id)) yield [id, fields]
    }
  }
  for (const [id, { password }] of ofNew(SYSTEM.user)) {
    if (typeof password !== 'string') continue
    const hashed = await vault.hashPassword(password)
    await queryable.execute(sql`
      ${updateTable(registry.model(SYSTEM.user))} set password = ${hashed} where id = ${id}`)
  }
  for (const [id, { token }] of ofNew(SYSTEM.token)) {
    if (typeof token !== 'string') continue
    const { digest, encrypted, _ending } = vault.sealToken(1, token)
    await queryable.execute(sql`
      ${updateTable(registry.model(SYSTEM.token))}
      set digest = ${digest}, encrypted = ${encrypted}, _ending = ${_ending}
      where id = ${id} and version = 1`)
  }
}

/** Last characters of a token, from its display: all that a response shows of a secret. */
export function endingOf(model: string, { version, display }: JsonObject): Json {
  const isHidden = model === SYSTEM.token && version === 1 && typeof display === 'string'
  return isHidden ? display.slice(-ENDING_LENGTH) : null
}
