import { isJsonObject, type Json } from '../../schema/json.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { sql, volatile } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { insertInto, table } from '../../sql/table.ts'
import type { WholeResponse } from '../response.ts'

/** Milliseconds for which responses are stored. */
export const STORED_FOR = 86_400_000

/** A request of a user that may be repeated. */
export interface KeyedRequest {
  readonly user: number
  readonly key: string
  /** Digest of the request. */
  readonly fingerprint: string
}

/** A stored response, with the digest of its request. */
export interface StoredResponse {
  readonly fingerprint: string
  readonly response: WholeResponse
}

/** The response to the user's request with the key, unless it is older than `since`. */
export async function findResponse(
  queryable: Queryable,
  { user, key }: KeyedRequest,
  since: Date,
): Promise<StoredResponse | undefined> {
  const [row] = await queryable.query<{
    fingerprint: string
    status: number
    headers: string | null
    body: string | null
  }>(sql`
    select fingerprint, status, headers, body from ${table(SYSTEM.idempotencyKey)}
    where user_id = ${user}::bigint and key = ${key} and created > ${since}::timestamptz`)
  if (!row) return undefined
  const headers = row.headers === null ? null : (JSON.parse(row.headers) as Json) // a JSON column
  return {
    fingerprint: row.fingerprint,
    response: {
      status: row.status,
      ...(row.body !== null && { body: row.body }),
      ...(isJsonObject(headers) && {
        headers: Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, String(text)])),
      }),
    },
  }
}

/** Stores the response, replacing an expired one. */
export async function storeResponse(
  queryable: Queryable,
  { user, key, fingerprint }: KeyedRequest,
  { status, body, headers }: Omit<WholeResponse, 'body'> & { readonly body?: string },
  now: Date,
): Promise<void> {
  await queryable.execute(sql`
    ${insertInto(SYSTEM.idempotencyKey)} (user_id, key, fingerprint, created, status, headers, body)
    values (${user}::bigint, ${key}, ${fingerprint}, ${now}::timestamptz, ${status}::smallint,
      ${headers ? JSON.stringify(headers) : null}::jsonb, ${body ?? null}::text)
    on conflict (user_id, key) do update set fingerprint = excluded.fingerprint, created = excluded.created,
      status = excluded.status, headers = excluded.headers, body = excluded.body`)
}

/** Waits for other requests of the user with the same key, until the end of the transaction. */
export async function lockKey(transaction: Queryable, { user, key }: KeyedRequest): Promise<void> {
  await transaction.query(volatile`select pg_advisory_xact_lock(hashtextextended(${`cadastre key ${user} ${key}`}, 0))`)
}
