import type { ApiRequest } from '../../api/api-request.ts'
import { mayAct } from '../../identity/permitted-rows.ts'
import type { JsonObject } from '../../schema/json.ts'
import { readList } from '../data/page-objects.ts'
import { withVisibleEnds } from './visible-ends.ts'

/** Maximum number of objects that are read at once. */
const MOST = 1000

/** Selects which objects of a model to read. */
interface ReadBy {
  readonly model: string
  /** Filter of the API, and its values. */
  readonly parameter: string
  readonly values: readonly number[]
  /** Fields to read; those that the model lacks are left out. */
  readonly fields: readonly string[]
}

/**
 * The objects that match a filter and that the sender may view, with their visible far ends, in one read; none without
 * values or permission.
 */
export async function readBy(
  request: ApiRequest,
  { model: name, parameter, values, fields }: ReadBy,
): Promise<readonly JsonObject[]> {
  const model = request.service.registry.models.get(name)
  if (!model || values.length === 0) return []
  if (!mayAct(request.actor, 'view', model, request.service.settings)) return []
  const query = new URLSearchParams({ limit: String(MOST) })
  for (const value of values) query.append(parameter, String(value))
  return await withVisibleEnds(
    request,
    (await readList(request, model, { query, paths: ['id', 'url', 'display', ...fields] })).objects,
  )
}
