import { hash } from 'node:crypto'
import type { ScimConfig } from '../../config/auth-providers.ts'
import { SERVICE_ACTOR } from '../../identity/actor.ts'
import type { Authentication } from '../../identity/authenticate.ts'
import { LoginRefusal } from '../../identity/login-refusal.ts'
import { isSameSecret } from '../../identity/session-key.ts'
import { isJsonObject, type JsonObject } from '../../schema/json.ts'
import type { Queryable } from '../../sql/queryable.ts'
import type { WriteContext } from '../../write/context.ts'
import { runWrite } from '../../write/run.ts'
import type { ApiRequest } from '../api-request.ts'
import type { Endpoint, Handler } from '../endpoint.ts'
import { errorResponse } from '../errors.ts'
import { bodyText, type HttpResponse, jsonResponse } from '../response.ts'
import { changeGroup, createGroup, removeGroup } from './groups.ts'
import {
  attributesOf,
  type Change,
  changesOf,
  conditionsOf,
  MOST_RESULTS,
  noResource,
  projected,
  ScimError,
  windowOf,
} from './messages.ts'
import type { ResourceRow, ResourceType, ScimScope } from './resource-type.ts'
import { GROUP, USER } from './resources.ts'
import { changeUser, createUser, removeUser } from './users.ts'

/** Address of the API below the base path. */
export const SCIM_PATH = '/scim/v2'

/** The writes of resources of a type, each by its id. */
interface ResourceWrites {
  create(context: WriteContext, scope: ScimScope, changes: readonly Change[]): Promise<string>
  change(
    context: WriteContext,
    scope: ScimScope,
    id: string,
    changes: readonly Change[],
    isWhole: boolean,
  ): Promise<void>
  remove(context: WriteContext, scope: ScimScope, id: string): Promise<void>
}

/** The SCIM features that this service supports (RFC 7643 §5). */
const SERVICE_PROVIDER_CONFIG: JsonObject = {
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: MOST_RESULTS },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: false },
  authenticationSchemes: [
    { type: 'oauthbearertoken', name: 'Bearer token', description: 'The token of the provider.', primary: true },
  ],
}

type Serve = (request: ApiRequest, scope: ScimScope, id: string | undefined) => Promise<HttpResponse>

const SERVED: ReadonlyMap<string, Serve> = new Map<string, Serve>([
  ['users', serving(USER, { create: createUser, change: changeUser, remove: removeUser })],
  ['groups', serving(GROUP, { create: createGroup, change: changeGroup, remove: removeGroup })],
  ['serviceproviderconfig', async (request, _scope, id) => only(request, id, SERVICE_PROVIDER_CONFIG)],
  ['resourcetypes', async (request, _scope, id) => documents(request, [USER.typeDocument, GROUP.typeDocument], id)],
  ['schemas', async (request, _scope, id) => documents(request, [USER.schemaDocument, GROUP.schemaDocument], id)],
])

/**
 * SCIM 2.0 (RFC 7644): providers manage their users and groups here. A provider's token gives access to nothing else,
 * and no other credentials are accepted.
 */
export function scimEndpoint(authentication: Authentication): Endpoint {
  const handle: Handler = async (request) => {
    const config = providerOf(authentication, request)
    const [type = '', id = '', ...more] = (request.parameters[0] ?? '').split('/')
    const serve = SERVED.get(type.toLowerCase())
    if (!serve || more.length > 0 || !/^[\w:.-]*$/.test(id)) throw noResource()
    const scope = { config, audit: authentication.audit, base: `${request.base}${SCIM_PATH}` }
    return await serve(request, scope, id === '' ? undefined : id)
  }
  return {
    name: 'SCIM',
    description: 'Users and groups that a provider manages here.',
    access: 'public',
    kind: 'file',
    hasNoHistory: true,
    methods: { GET: { handle }, POST: { handle }, PUT: { handle }, PATCH: { handle }, DELETE: { handle } },
    refusal: refusalOf,
  }
}

/** The provider to which the token in the request belongs. Throws ScimError. */
function providerOf({ providers, audit }: Authentication, { headers, address }: ApiRequest): ScimConfig {
  const token = /^bearer\s+(\S+)$/i.exec(headers.authorization?.trim() ?? '')?.[1]
  const digest = hash('sha256', token ?? '')
  const config = providers.scim.find(({ token_sha256 }) =>
    token_sha256.some((tokenDigest) => isSameSecret(digest, tokenDigest)),
  )
  if (token !== undefined && config) return config
  audit({ event: 'tokenRefused', reason: 'no token of a SCIM provider', token: undefined, address })
  throw new ScimError(401, 'The token of a SCIM provider is needed.')
}

function serving<Stored extends ResourceRow, Values>(
  type: ResourceType<Stored, Values>,
  { create, change, remove }: ResourceWrites,
): Serve {
  return async (request, scope, id) => {
    const { method, service, search } = request
    const { database } = service
    const resourceJson = async (queryable: Queryable, resourceId: string): Promise<JsonObject> =>
      projected(type.document(await type.find(queryable, scope, resourceId), scope), search)
    const write = <T>(work: (context: WriteContext) => Promise<T>): Promise<T> =>
      runWrite(service, { actor: SERVICE_ACTOR, requestId: request.id }, work)
    if (method === 'GET' || method === 'HEAD') {
      if (id !== undefined) return scimResponse(200, await resourceJson(database, id))
      const window = windowOf(search)
      const { total, resources } = await type.list(database, scope, conditionsOf(search), window)
      const list = resources.map((resource) => projected(type.document(resource, scope), search))
      return scimResponse(200, listDocument(list, total, window.startIndex))
    }
    if (id === undefined) {
      if (method !== 'POST') throw notAllowed(method)
      const changes = attributesOf(await request.body.read())
      const resource = await write(async (context) =>
        resourceJson(context.transaction, await create(context, scope, changes)),
      )
      return scimResponse(201, resource, locationOf(resource))
    }
    if (method === 'DELETE') {
      await write((context) => remove(context, scope, id))
      return { status: 204 }
    }
    if (method !== 'PUT' && method !== 'PATCH') throw notAllowed(method)
    const body = await request.body.read()
    const changes = method === 'PUT' ? attributesOf(body) : changesOf(body)
    const resource = await write(async (context) => {
      await change(context, scope, id, changes, method === 'PUT')
      return await resourceJson(context.transaction, id)
    })
    return scimResponse(200, resource)
  }
}

const locationOf = ({ meta }: JsonObject): Readonly<Record<string, string>> =>
  isJsonObject(meta) && typeof meta.location === 'string' ? { Location: meta.location } : {}

const notAllowed = (method: string): ScimError => new ScimError(405, `${method} is not supported here.`)

function only({ method }: ApiRequest, id: string | undefined, document: JsonObject): HttpResponse {
  if (method !== 'GET' && method !== 'HEAD') throw notAllowed(method)
  if (id !== undefined) throw noResource()
  return scimResponse(200, document)
}

function documents(request: ApiRequest, all: readonly JsonObject[], id: string | undefined): HttpResponse {
  if (id === undefined) return only(request, id, listDocument(all, all.length, 1))
  const document = all.find((resource) => resource.id === id)
  if (!document) throw noResource()
  return only(request, undefined, document)
}

const listDocument = (resources: readonly JsonObject[], total: number, startIndex: number): JsonObject => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
  ...{ totalResults: total, startIndex, itemsPerPage: resources.length, Resources: [...resources] },
})

function scimResponse(status: number, document: JsonObject, headers: HttpResponse['headers'] = {}): HttpResponse {
  return {
    ...jsonResponse(status, document, { 'Cache-Control': 'no-store', ...headers }),
    type: 'application/scim+json',
  }
}

/** The refusal in SCIM's form (RFC 7644 §3.12); undefined for errors of the service. */
function refusalOf(error: unknown): HttpResponse | undefined {
  const refusal = asScimError(error)
  if (!refusal) return undefined
  const { status, scimType, message } = refusal
  return scimResponse(
    status,
    {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      ...{ status: String(status), ...(scimType && { scimType }), detail: message },
    },
    status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {},
  )
}

function asScimError(error: unknown): ScimError | undefined {
  if (error instanceof ScimError) return error
  // The name belongs to another account here, or no account may be created.
  if (error instanceof LoginRefusal) return new ScimError(409, error.message, 'uniqueness')
  const response = errorResponse(error)
  if (!response) return undefined
  const document: unknown = JSON.parse(bodyText(response))
  const detail =
    isJsonObject(document) && typeof document.detail === 'string' ? document.detail : JSON.stringify(document)
  return new ScimError(response.status, detail, response.status === 400 ? 'invalidValue' : undefined)
}
