import type { ApiRequest } from '../../api/api-request.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import { jsonResponse, type WholeResponse } from '../../api/response.ts'
import { ApiError } from '../../base/errors.ts'
import { requirePermission } from '../../identity/permitted-rows.ts'
import { lastValue } from '../../read/query/last-value.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { findChoices } from './find-choices.ts'

/** Default number of objects in a response. */
const PAGE = 20
const MOST = 100

/**
 * GET /choices/<path of a collection>/?q=&limit=&<filters>: objects that can be chosen as the value of a field, with
 * texts that distinguish them.
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
  const model = models.get((parameters.at(-1) ?? '').replace(/\/$/, ''))
  if (!model) throw new ApiError({ kind: 'notFound', detail: 'Not found.' })
  requirePermission(actor, 'view', model, service.settings)
  const filters = new URLSearchParams([...search].filter(([name]) => !OWN.has(name)))
  const limit = limitOf(lastValue(search, 'limit'))
  const words = lastValue(search, 'q') ?? ''
  const found = await findChoices(request, model, { words, filters, limit: limit + 1 })
  return jsonResponse(200, { results: found.slice(0, limit), has_more: found.length > limit })
}

/** Parameters that are not filters. */
const OWN: ReadonlySet<string> = new Set(['q', 'limit'])

const limitOf = (text = ''): number => (/^\d{1,6}$/.test(text) ? Math.min(Math.max(Number(text), 1), MOST) : PAGE)
