import { timingSafeEqual } from 'node:crypto'
import { SYSTEM } from '../schema/system-models.ts'
import { sql } from '../sql/fragment.ts'
import type { Queryable } from '../sql/queryable.ts'
import { table } from '../sql/table.ts'
import type { TokenVault } from './vault.ts'

/**
 * Ids of the user's own version 1 tokens whose secret is one of `secrets`. Digests are compared in constant time; tokens of
 * other users are never found, so that a secret cannot be tried on them.
 */
export async function ownTokensByKey(
  queryable: Queryable,
  vault: TokenVault,
  user: number,
  secrets: readonly string[],
): Promise<readonly number[]> {
  const digests = secrets.flatMap(vault.digests).map((digest) => Buffer.from(digest))
  const tokens = await queryable.query<{ id: number; digest: string }>(sql`
    select id, digest from ${table(SYSTEM.token)}
    where user_id = ${user}::bigint and version = 1 and digest is not null order by id`)
  return tokens.flatMap(({ id, digest }) => {
    const stored = Buffer.from(digest)
    const matching = digests.filter(
      (candidate) => candidate.length === stored.length && timingSafeEqual(candidate, stored),
    )
    return matching.length > 0 ? [id] : []
  })
}
