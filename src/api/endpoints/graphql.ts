import { setImmediate as otherWork } from 'node:timers/promises'
import type { Registry } from '../../schema/registry.ts'
import type { ApiRequest } from '../api-request.ts'
import type { Endpoint } from '../endpoint.ts'
import type { HttpResponse } from '../response.ts'
import { prefersPage } from '../transport/negotiate.ts'
import { graphiql } from './graphiql.ts'

/** GET and POST /graphql/: queries over all models, in the language of the GraphQL specification. */
export const graphql: Endpoint = {
  name: 'GraphQL',
  description: 'Queries that choose objects, relations and fields.',
  access: 'open',
  kind: 'other',
  otherMethods: 'GraphQL only supports GET and POST requests.',
  methods: {
    GET: {
      handle: async (request) =>
        asksForPage(request) ? await page(request) : await (await queries()).respondToGet(request),
    },
    POST: {
      handle: async (request) => await (await queries()).respondToPost(request),
      isReading: true,
      takesReadingTokens: true,
    },
  },
}

/** Loaded after the start: it is a tenth of all modules, and no start has to wait for it. */
const queries = () => import('./graphql-query.ts')

/**
 * Builds the schema, which takes a fifth of a second, in steps of a few milliseconds, so that requests are answered in
 * between.
 */
export async function prepareQueries(registry: Registry): Promise<void> {
  const { schemaSteps } = await queries()
  for (const _ of schemaSteps(registry)) await otherWork()
}

/** A browser that opens the address gets the editor. */
const asksForPage = ({ search, headers, service }: ApiRequest): boolean =>
  !search.has('query') &&
  !search.has('extensions') &&
  service.settings.graphqlEnabled &&
  prefersPage(headers.accept, undefined)

async function page({ service, actor, url }: ApiRequest): Promise<HttpResponse> {
  const { loginRequired, basePath } = service.settings
  if (!loginRequired || actor.kind === 'user') return graphiql.page()
  const next = encodeURIComponent(url.pathname)
  return { status: 302, headers: { Location: `${basePath}/login/?next=${next}` } }
}
