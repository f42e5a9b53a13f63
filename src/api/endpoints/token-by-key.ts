import { ownTokensByKey } from '../../identity/token-by-key.ts'
import type { TokenVault } from '../../identity/vault.ts'
import type { ApiRequest } from '../api-request.ts'
import { isTokenSecret } from './tokens.ts'

/** An id that no object has. */
const NO_ID = '0'

/**
 * The request with `key=<secret>` replaced by the ids of the user's own version 1 tokens with that secret: only
 * digests of secrets are stored, which no filter on a column can compare. Other values of `key` stay as they are.
 */
export async function withKeyResolved(request: ApiRequest, vault: TokenVault): Promise<ApiRequest> {
  const { service, actor } = request
  const keys = request.search.getAll('key').filter((key) => key !== '')
  if (actor.kind !== 'user' || keys.length === 0 || !keys.every(isTokenSecret)) return request
  const idsOfKeys = (await ownTokensByKey(service.database, vault, actor.id, keys)).map(String)
  const requested = request.search.getAll('id')
  const ids = requested.length === 0 ? idsOfKeys : idsOfKeys.filter((id) => requested.includes(id))
  const search = new URLSearchParams(request.search)
  search.delete('key')
  search.delete('id')
  for (const id of ids.length > 0 ? ids : [NO_ID]) search.append('id', id)
  return { ...request, search }
}
