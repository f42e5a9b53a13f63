import type { TokenVault } from '../../identity/vault.ts'
import { isJsonObject, type Json } from '../../schema/json.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { table } from '../../sql/table.ts'
import { bodyText, type HttpResponse, secretResponse, wholeResponse } from '../response.ts'

/**
 * Fills in the keys of version 1 tokens in a response, from their encrypted copies. Only for services whose
 * configuration allows tokens to be retrieved.
 */
export async function withRetrievedKeys(
  response: HttpResponse,
  queryable: Queryable,
  vault: TokenVault,
): Promise<HttpResponse> {
  if (response.status !== 200) return response
  const body = JSON.parse(bodyText(await wholeResponse(response))) as Json // the JSON was produced by this process
  const values = isJsonObject(body) && Array.isArray(body.results) ? body.results : [body].flat()
  const tokens = values.filter((token) => isJsonObject(token))
  const ids = tokens.filter(isSealed).map(({ id }) => Number(id))
  if (ids.length === 0) return response
  const rows = await queryable.query<{ id: number; encrypted: string }>(sql`
    select id, encrypted from ${table(SYSTEM.token)}
    where id = any(${ids}::bigint[]) and encrypted is not null and version = 1`)
  const keys = new Map(rows.map(({ id, encrypted }) => [id, vault.reveal(encrypted) ?? null]))
  const replace = (value: Json): Json =>
    isJsonObject(value) && isSealed(value) ? { ...value, key: keys.get(Number(value.id)) ?? null } : value
  const replaced = isJsonObject(body)
    ? Array.isArray(body.results)
      ? { ...body, results: body.results.map(replace) }
      : replace(body)
    : Array.isArray(body)
      ? body.map(replace)
      : body
  return { ...secretResponse(response), body: JSON.stringify(replaced) }
}

const isSealed = (token: Readonly<Record<string, Json>>): boolean =>
  'id' in token && 'key' in token && token.key === null
