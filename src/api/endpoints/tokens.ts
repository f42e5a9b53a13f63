import { invalid, type Messages } from '../../base/errors.ts'
import { requireUser } from '../../identity/require-user.ts'
import { refuseTokensForOthers, requireTokenGrant } from '../../identity/token-owners.ts'
import { generateSecret } from '../../identity/vault.ts'
import { isJsonObject, type JsonObject } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'
import type { TokenVersion } from '../../schema/vault.ts'
import type { ApiRequest } from '../api-request.ts'
import { bodyText, type HttpResponse, secretResponse, wholeResponse } from '../response.ts'
import { createFrom } from '../verbs/create.ts'

/** POST /api/users/tokens/: the only response that contains the secrets of new tokens. */
export async function createTokens(request: ApiRequest, model: Model): Promise<HttpResponse> {
  return await createTokensFrom(request, model, await request.body.read(model))
}

/** As `createTokens`, with a parsed body. */
export async function createTokensFrom(request: ApiRequest, model: Model, body: unknown): Promise<HttpResponse> {
  const isList = Array.isArray(body)
  const bodies: readonly unknown[] = isList ? body : [body ?? {}]
  refuseBadSecrets(bodies, isList)
  refuseTokensForOthers(requireUser(request), model, request.service.settings, bodies)
  const prepared = bodies.map(withSecret)
  const response = await createFrom(
    request,
    model,
    isList ? prepared.map(({ body }) => body) : prepared[0]?.body,
    (context, ids) =>
      requireTokenGrant(context.transaction, requireUser(request), model, request.service.settings, ids),
  )
  const created: unknown = JSON.parse(bodyText(await wholeResponse(response)))
  const tokens = isList ? (created as unknown[]) : [created]
  const revealed = tokens.map((token, index) => reveal(token, prepared[index]?.secret))
  return { ...secretResponse(response), body: JSON.stringify(isList ? revealed : revealed[0]) }
}

interface Prepared {
  readonly body: unknown
  readonly secret: string | undefined
}

/** The body with its secret as `key`, if the model's rules expect it. */
function withSecret(body: unknown): Prepared {
  if (!isJsonObject(body)) return { body, secret: undefined }
  const { token: _, ...attributes } = body
  const secret = suppliedSecret(body)?.secret ?? generateSecret(versionOf(body))
  return { body: { ...attributes, key: secret }, secret }
}

const versionOf = ({ version }: JsonObject): TokenVersion => (Number(version) === 2 ? 2 : 1)

/** Secret from the client, as `key` or `token`; undefined if it is blank and has to be generated. */
function suppliedSecret(body: JsonObject): { readonly name: 'key' | 'token'; readonly secret: string } | undefined {
  for (const name of ['key', 'token'] as const) {
    const value = body[name]
    if (value !== undefined && value !== null && value !== '') {
      return { name, secret: typeof value === 'string' ? value : '' }
    }
  }
  return undefined
}

const SECRET = /^[0-9a-zA-Z]{40}$/

/** Whether the text has the form of a token's secret. */
export const isTokenSecret = (text: string): boolean => SECRET.test(text)

function refuseBadSecrets(bodies: readonly unknown[], isList: boolean): void {
  const errors = bodies.map((body): Messages => {
    const supplied = isJsonObject(body) ? suppliedSecret(body) : undefined
    if (!supplied || isTokenSecret(supplied.secret)) return {}
    const field = supplied.name === 'key' ? 'key' : 'plaintext'
    return { [field]: ['The secret of a token is 40 letters and digits.'] }
  })
  if (errors.every((messages) => Object.keys(messages).length === 0)) return
  throw invalid(isList ? errors : (errors[0] ?? {}))
}

/** The response with the secret filled in if it has a field for it. */
function reveal(token: unknown, secret: string | undefined): unknown {
  if (!isJsonObject(token) || secret === undefined) return token
  return {
    ...token,
    ...(token.version === 1 && 'key' in token && { key: secret }),
    ...('token' in token && { token: secret }),
  }
}
