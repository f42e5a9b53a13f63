import type { ApiRequest } from '../../api/api-request.ts'
import type { InternalApi } from '../../api/sessions/internal-request.ts'
import { requireUser } from '../../identity/require-user.ts'
import { restrictToOwn } from '../../identity/restrict-to-own.ts'
import { isJsonObject, type JsonObject } from '../../schema/json.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { ShownToken } from './tokens-page.ts'

const COLLECTION = '/api/users/tokens/'

/** The sender's tokens, through the API. All methods throw ApiError as the API does. */
export interface UserTokens {
  /** Newest first. */
  list(offset: number): Promise<TokenPage>
  find(id: string): Promise<ShownToken>
  /** Creates a token and returns its full key. */
  create(wishes: JsonObject): Promise<string>
  change(id: string, body: JsonObject): Promise<void>
  remove(id: string): Promise<void>
}

interface TokenPage {
  readonly tokens: readonly ShownToken[]
  readonly count: number
  readonly hasNext: boolean
}

export function userTokens(api: InternalApi, request: ApiRequest): UserTokens {
  const user = requireUser(request)
  const asOwner: ApiRequest = {
    ...request,
    actor: restrictToOwn(user, SYSTEM.token, request.service.registry),
  }
  const describe = (token: JsonObject) => shownToken(token, request.service.clock.now())
  const pathOf = (id: string): string => `${COLLECTION}${id}/`
  return {
    list: async (offset) => {
      const search = { offset: String(offset) }
      const { results, count, next } = await ask({ method: 'GET', path: COLLECTION, search })
      const objects = Array.isArray(results) ? results.filter(isJsonObject) : []
      return { tokens: objects.map(describe), count: Number(count), hasNext: next !== null }
    },
    find: async (id) => describe(await ask({ method: 'GET', path: pathOf(id), search: { fields: SHOWN } })),
    create: async (wishes) => {
      const body = { ...wishes, user: user.id }
      const { version, key, token } = await ask({ method: 'POST', path: COLLECTION, body })
      return version === 2 ? `nbt_${String(key)}.${String(token)}` : String(token)
    },
    change: async (id, body) => void (await api(asOwner, { method: 'PATCH', path: pathOf(id), body })),
    remove: async (id) => void (await api(asOwner, { method: 'DELETE', path: pathOf(id) })),
  }

  async function ask(call: Parameters<InternalApi>[1]): Promise<JsonObject> {
    const response = await api(asOwner, call)
    if (!isJsonObject(response)) throw new Error(`${call.path} does not return an object`)
    return response
  }
}

/** Fields that the page of a token shows. `api_version` and `plans_only` must be requested by name. */
const SHOWN =
  'id,display,description,version,created,expires,last_used,write_enabled,plans_only,enabled,allowed_ips,api_version'

const shownToken = (token: JsonObject, now: number): ShownToken => ({
  id: Number(token.id),
  display: String(token.display).replace(/^\*+/, '••••'),
  description: String(token.description),
  version: Number(token.version),
  apiVersion: isJsonObject(token.api_version) ? textOrNone(token.api_version.value) : undefined,
  created: String(token.created),
  expires: textOrNone(token.expires),
  lastUsed: textOrNone(token.last_used),
  mayWrite: token.write_enabled === true,
  isForAgent: token.plans_only === true,
  isEnabled: token.enabled === true,
  hasExpired: Date.parse(String(token.expires)) <= now,
  allowedIps: Array.isArray(token.allowed_ips) ? token.allowed_ips.map(String) : [],
})

const textOrNone = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
