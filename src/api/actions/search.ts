import { rowSecurityOf } from '../../identity/permitted-rows.ts'
import { sliceLinks } from '../../read/query/slice-links.ts'
import { completeSearchIndex } from '../../read/search/complete-index.ts'
import { SEARCH_LOOKUPS } from '../../read/search/matching-entries.ts'
import { LONGEST, parseSearch } from '../../read/search/parse-search.ts'
import { findObjects, type Match, type Search, type SearchOutcome } from '../../read/search/search.ts'
import { projectionOf } from '../../read/serialise/projection.ts'
import { fetchObjects } from '../../read/serialise/read-objects.ts'
import { committedData } from '../../read/serialise/read-source.ts'
import type { JsonObject } from '../../schema/json.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import type { Service } from '../../service.ts'
import type { ApiRequest } from '../api-request.ts'
import { type HttpResponse, okResponse } from '../response.ts'
import { action, listOf, queryParameter, schema } from './action.ts'

/** GET /api/search/: objects of every type that have a matching value. */
async function search(request: ApiRequest): Promise<HttpResponse> {
  const { service, url } = request
  const query = await parseSearch(service, request.search)
  const { count, outcome, results } = await searchObjects(request, query)
  const length = outcome.matches.length
  const head = {
    count,
    is_complete: outcome.isComplete,
    ...sliceLinks(url, query, { count, length }),
    groups: groupsOf(service.registry, outcome),
  }
  const texts = results.map(({ match, object }) => resultText(match, object))
  return okResponse(`${JSON.stringify(head).slice(0, -1)},"results":[${texts.join(',')}]}`)
}

/** Results of a search with their objects. */
export interface SearchResults {
  readonly outcome: SearchOutcome
  /** Number of objects of all types. */
  readonly count: number
  /** `object`: JSON of the brief form, and of the fields that are shown next to a match. */
  readonly results: readonly { readonly match: Match; readonly object: string }[]
}

/** Carries out a search for the sender of the request. */
export async function searchObjects(
  { service, actor, base }: Pick<ApiRequest, 'service' | 'actor' | 'base'>,
  query: Search,
): Promise<SearchResults> {
  const security = rowSecurityOf(actor, service.registry, service.settings)
  await completeSearchIndex(service.database, service.registry)
  const outcome = await findObjects(service.database, security, query)
  const objects = await objectsOf(service, outcome.matches, base)
  const results = outcome.matches.flatMap((match) => {
    const object = objects.get(match.type)?.get(match.id)
    return object === undefined ? [] : [{ match, object }]
  })
  const count = [...outcome.counts.values()].reduce((sum, number) => sum + number, 0)
  return { outcome, count, results }
}

const resultText = ({ type, field, value, weight }: Match, object: string): string =>
  `${JSON.stringify({ object_type: type, field, value, weight }).slice(0, -1)},"object":${object}}`

/** Number of objects of each type, in the order of the models. */
const groupsOf = (registry: Registry, { counts }: SearchOutcome): readonly JsonObject[] =>
  [...registry.models.values()].flatMap(({ name, definition }) => {
    const count = counts.get(name)
    return count === undefined ? [] : [{ object_type: name, name: definition.labels[count === 1 ? 0 : 1], count }]
  })

type ObjectTexts = ReadonlyMap<string, ReadonlyMap<number, string>>

/**
 * JSON texts of the matching objects by type and id: their brief fields, and those that the view shows next to a match.
 */
async function objectsOf(service: Service, matches: readonly Match[], base: string): Promise<ObjectTexts> {
  const byType = Map.groupBy(matches, ({ type }) => type)
  const texts = [...byType].map(async ([type, list]) => {
    const model = service.registry.model(type)
    const ids = list.map(({ id }) => id)
    const projection = projectionOf(service, model, {
      fields: shownFields(service.registry, model),
      brief: false,
      excludeContext: true,
    })
    return [type, await fetchObjects(committedData(service), ids, projection, base)] as const
  })
  return new Map(await Promise.all(texts))
}

function shownFields(registry: Registry, model: Model): readonly string[] {
  const { search: view, context = [] } = registry.view(model)
  const paths = [...context, ...(view?.shown ?? [])].map((path) => path.split('.')[0] ?? path)
  return [...model.definition.brief, 'display_url', ...paths]
}

const RESULT: JsonObject = {
  type: 'object',
  required: ['object_type', 'field', 'value', 'weight', 'object'],
  properties: {
    object_type: { type: 'string', description: 'app.model' },
    field: { type: 'string', description: 'The field that matches' },
    value: { type: 'string' },
    weight: { type: 'integer', description: 'The lower, the earlier in the list' },
    object: {
      type: 'object',
      description: 'The brief form of the object, and the fields that pages show next to a match',
      additionalProperties: {},
    },
  },
}

export const searchAction = action({
  path: 'search',
  hasNoHistory: true,
  title: 'Search',
  description: 'Objects of every type that match a text, best matches first.',
  methods: {
    GET: {
      permission: 'user',
      summary: 'Search objects of every type',
      parameters: [
        {
          in: 'query',
          name: 'q',
          required: true,
          description: 'Text, address, prefix or hardware address in any spelling',
          schema: { type: 'string', maxLength: LONGEST },
        },
        queryParameter('obj_types', 'Only objects of these types (dcim.device)', listOf({ type: 'string' })),
        queryParameter('lookup', 'How values are compared; all of them ignore case', {
          type: 'string',
          enum: [...SEARCH_LOOKUPS],
          default: 'icontains',
        }),
        queryParameter('limit', 'Number of results to return', { type: 'integer' }),
        queryParameter('offset', 'Number of results to skip', { type: 'integer' }),
      ],
      answer: schema('SearchResults'),
      handle: search,
    },
  },
  schemas: {
    SearchResult: RESULT,
    SearchGroup: {
      type: 'object',
      required: ['object_type', 'name', 'count'],
      properties: {
        object_type: { type: 'string' },
        name: { type: 'string' },
        count: { type: 'integer' },
      },
    },
    SearchResults: {
      type: 'object',
      required: ['count', 'is_complete', 'groups', 'results'],
      properties: {
        count: { type: 'integer' },
        is_complete: {
          type: 'boolean',
          description: 'False if only the best of very many matches were counted',
        },
        next: { type: 'string', format: 'uri', nullable: true },
        previous: { type: 'string', format: 'uri', nullable: true },
        groups: listOf(schema('SearchGroup')),
        results: listOf(schema('SearchResult')),
      },
    },
  },
})
