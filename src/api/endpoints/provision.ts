import { invalid, type Messages } from '../../base/errors.ts'
import type { Authentication } from '../../identity/authenticate.ts'
import { signIn } from '../../identity/sign-in.ts'
import { isJsonObject, type JsonObject } from '../../schema/json.ts'
import type { Registry } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { ApiRequest } from '../api-request.ts'
import type { Endpoint } from '../endpoint.ts'
import { bodyText, wholeResponse } from '../response.ts'
import { createTokensFrom } from './tokens.ts'

/** Fields of the response, in order. */
const SHOWN = [
  'id',
  'url',
  'display_url',
  'display',
  'version',
  'user',
  'key',
  'created',
  'expires',
  'last_used',
  'enabled',
  'write_enabled',
  'description',
  'allowed_ips',
  'token',
]

/** POST /api/users/tokens/provision/: creates a token in exchange for a user's name and password. */
export const provision = (registry: Registry, authentication: Authentication): Endpoint => ({
  name: 'Token Provision',
  description: 'Creates an API token for the user with this name and password.',
  access: 'public',
  methods: {
    POST: {
      handle: async (request) => {
        const body = (await request.body.read()) ?? {}
        const { username, password, ...wishes } = readBody(body)
        const actor = await signIn(authentication, {
          username,
          password,
          address: request.address,
          requestId: request.id,
        })
        const asUser: ApiRequest = { ...request, search: new URLSearchParams(), actor }
        const wishedToken = { ...wishes, user: actor.id }
        const response = await createTokensFrom(asUser, registry.model(SYSTEM.token), wishedToken)
        const token: Record<string, unknown> = JSON.parse(bodyText(await wholeResponse(response)))
        const entries = SHOWN.map((name) => [name, token[name]])
        return { ...response, body: JSON.stringify(Object.fromEntries(entries)) }
      },
    },
  },
})

function readBody(body: unknown): JsonObject & { username: string; password: string } {
  if (!isJsonObject(body)) {
    throw invalid({ non_field_errors: ['Expected an object with a user name and a password.'] })
  }
  const { username, password } = body
  const errors: Record<string, Messages> = {}
  for (const [name, value] of Object.entries({ username, password })) {
    if (value === undefined) errors[name] = ['This field is required.']
    else if (typeof value !== 'string' || value === '') errors[name] = ['Expected a text.']
  }
  if (typeof username !== 'string' || typeof password !== 'string' || Object.keys(errors).length > 0) {
    throw invalid(errors)
  }
  return { ...body, username, password }
}
