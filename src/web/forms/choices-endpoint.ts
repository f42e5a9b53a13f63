import type { ApiRequest } from '../../api/api-request.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import { jsonResponse, type WholeResponse } from '../../api/response.ts'
import { ApiError } from '../../base/errors.ts'
import { requirePermission } from '../../identity/permitted-rows.ts'
import { lastValue } from '../../read/query/last-value.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { typesOfRelation } from './fields/typed-id.ts'
import { findChoices, findTypedChoices, typedOption, type Wanted } from './find-choices.ts'

/** Default number of objects in a response. */
const PAGE = 20
const MOST = 100

/**
 * GET /choices/<path of a collection>/?q=&limit=&<filters>: objects that can be chosen as the value of a field, with
 * texts that distinguish them. `/choices/?relation=<model>.<field>`: those of all types that a generic relation
 * accepts.
 */
export const choicesEndpoint = (registry: Registry): Endpoint => {
  const models = new Map([...registry.models.values()].map((model) => [model.path, model]))
  models.delete('')
  return {
    name: 'Choices',
    description: 'Objects that can be chosen as the value of a field.',
    // Returns JSON even to browsers, whose scripts request it.
    kind: 'other',
    methods: { GET: { handle: (request) => choices(request, models) } },
  }
}

async function choices(request: ApiRequest, models: ReadonlyMap<string, Model>): Promise<WholeResponse> {
  const { actor, parameters, search, service } = request
  const filters = new URLSearchParams([...search].filter(([name]) => !OWN.has(name)))
  const limit = limitOf(lastValue(search, 'limit'))
  const words = lastValue(search, 'q') ?? ''
  const path = (parameters.at(-1) ?? '').replace(/\/$/, '')
  if (path === '') return await choicesOfRelation(request, { words, filters, limit })
  const model = models.get(path)
  if (!model) throw new ApiError({ kind: 'notFound', detail: 'Not found.' })
  requirePermission(actor, 'view', model, service.settings)
  const matches = await findChoices(request, model, { words, filters, limit: limit + 1 })
  return jsonResponse(200, { results: matches.slice(0, limit), has_more: matches.length > limit })
}

/** The objects that a generic relation accepts, of all types that the sender may view. */
async function choicesOfRelation(request: ApiRequest, { words, filters, limit }: Required<Wanted>) {
  const [, model = '', relation = ''] = /^(.+)\.(.+)$/.exec(lastValue(request.search, RELATION) ?? '') ?? []
  const models = typesOfRelation(request.service.registry, model, relation)
  if (models.length === 0) throw new ApiError({ kind: 'notFound', detail: 'Not found.' })
  const matches = await findTypedChoices(request, models, { words, filters, limit: limit + 1 })
  const results = matches.slice(0, limit).map(typedOption)
  return jsonResponse(200, {
    results: results.map(({ value, label, context }) => ({ value, display: label, context })),
    has_more: matches.length > limit,
  })
}

const RELATION = 'relation'

/** Parameters that are not filters. */
const OWN: ReadonlySet<string> = new Set(['q', 'limit', RELATION])

const limitOf = (text = ''): number => (/^\d{1,6}$/.test(text) ? Math.min(Math.max(Number(text), 1), MOST) : PAGE)
