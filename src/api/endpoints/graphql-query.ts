import { createHash } from 'node:crypto'
import { ApiError } from '../../base/errors.ts'
import { credentialsMissing } from '../../identity/require-user.ts'
import { lastValue } from '../../read/query/last-value.ts'
import type { ApiRequest } from '../api-request.ts'
import { cachedResponse } from '../cached-response.ts'
import { UnknownOperation } from '../graphql/documents.ts'
import { QueryRefused, refusalText } from '../graphql/errors.ts'
import { type GraphQuery, graphqlResponse } from '../graphql/graphql-response.ts'
import { persistedQuery } from '../graphql/persisted-queries.ts'
import { type HttpResponse, JSON_TYPE, okResponse } from '../response.ts'

export { schemaSteps } from '../graphql/catalogue.ts'

/** The response to a query in the URL. */
export const respondToGet = (request: ApiRequest): Promise<HttpResponse> => respond(request, queryOfAddress)

/** The response to a query in the body. */
export const respondToPost = (request: ApiRequest): Promise<HttpResponse> => respond(request, queryOfBody)

type ReadQuery = (request: ApiRequest) => Promise<GraphQuery | string>

async function respond(request: ApiRequest, read: ReadQuery): Promise<HttpResponse> {
  const { service, actor } = request
  if (!service.settings.graphqlEnabled) return plain(404, 'The GraphQL API is not enabled.')
  if (service.settings.loginRequired && actor.kind !== 'user') throw credentialsMissing()
  try {
    const query = await read(request)
    if (typeof query === 'string') return plain(400, query)
    const respond = async (): Promise<HttpResponse> => ({
      ...okResponse(await graphqlResponse(service, actor, query)),
      type: JSON_TYPE,
    })
    return await cachedResponse(request, respond, digestOf(query))
  } catch (error) {
    if (error instanceof UnknownOperation) return plain(400, error.message)
    if (error instanceof QueryRefused) {
      return { ...okResponse(refusalText(error.problems)), type: JSON_TYPE }
    }
    throw error
  }
}

/** Digest of the query with everything that affects its response. */
const digestOf = ({ query, variables, operationName }: GraphQuery): string =>
  createHash('sha256')
    .update(JSON.stringify([query, variables ?? null, operationName ?? null]))
    .digest('base64')

const plain = (status: number, body: string): HttpResponse => ({ status, type: 'text/plain', body })

const NO_QUERY = 'No GraphQL query found in the request'

async function queryOfAddress({ search }: ApiRequest): Promise<GraphQuery | string> {
  const variables = lastValue(search, 'variables')
  const extensions = lastValue(search, 'extensions')
  let parsed: { readonly variables: unknown; readonly extensions: unknown }
  try {
    parsed = {
      variables: variables === undefined ? undefined : JSON.parse(variables),
      extensions: extensions === undefined ? undefined : JSON.parse(extensions),
    }
  } catch {
    return 'Unable to parse the variables as JSON'
  }
  return checked({
    query: lastValue(search, 'query'),
    ...parsed,
    operationName: lastValue(search, 'operationName'),
  })
}

async function queryOfBody({ body, headers }: ApiRequest): Promise<GraphQuery | string> {
  const mediaType = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase()
  if (mediaType !== JSON_TYPE) return 'Unsupported content type'
  let document: unknown
  try {
    document = await body.read()
  } catch (error) {
    if (error instanceof ApiError && error.reason.kind === 'malformed') return UNREADABLE
    throw error
  }
  if (document === undefined) return UNREADABLE
  if (Array.isArray(document)) return 'Batching is not enabled'
  return checked(document)
}

const UNREADABLE = 'Unable to parse request body as JSON'

function checked(document: unknown): GraphQuery | string {
  if (typeof document !== 'object' || document === null) return NO_QUERY
  const { query: text, variables, operationName, extensions } = document as Record<string, unknown>
  const query = persistedQuery(text, extensions)
  if (query === undefined || query === null || query === '') return NO_QUERY
  if (typeof query !== 'string') {
    return "The GraphQL operation's `query` must be a string or null, if provided."
  }
  const isObject = typeof variables === 'object' && !Array.isArray(variables)
  if (variables !== undefined && !isObject) {
    return "The GraphQL operation's `variables` must be an object or null, if provided."
  }
  return {
    query,
    variables: (variables ?? undefined) as GraphQuery['variables'],
    operationName: typeof operationName === 'string' ? operationName : undefined,
  }
}
