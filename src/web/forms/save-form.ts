import type { ApiRequest } from '../../api/api-request.ts'
import { createTokensFrom } from '../../api/endpoints/tokens.ts'
import { bodyText, wholeResponse } from '../../api/response.ts'
import { createFrom } from '../../api/verbs/create.ts'
import { update } from '../../api/verbs/update.ts'
import { invalid } from '../../errors.ts'
import { isJsonObject, type Json, type JsonObject } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { patternBodies } from '../bulk/pattern-bodies.ts'
import { sending } from '../frame/inner-request.ts'
import type { EditedObject } from './edit-form-page.ts'
import type { FormBody } from './form-body.ts'
import { expandBody, isNamedByPattern } from './name-pattern.ts'

/** Whether new objects have a secret that is shown only once. */
export const hasTokenSecret = ({ name }: Model): boolean => name === SYSTEM.token

/** Writes what a form asks for, with the API's own handlers. Answers the object, or all objects of a pattern. */
export async function save(
  request: ApiRequest,
  model: Model,
  { object, etag, byPattern }: EditedObject,
  body: FormBody['body'],
): Promise<JsonObject | readonly Json[]> {
  if (object) {
    const answer = await update(sending(request, 'PATCH', body, etag), model)
    return objectIn(await wholeResponse(answer))
  }
  const bodies = byPattern
    ? patternBodies(byPattern, body, request.service.settings.maxBulkObjects)
    : bodiesOf(request, model, body)
  const created = hasTokenSecret(model) ? createTokensFrom : createFrom
  const answer = await created(sending(request, 'POST', bodies), model, bodies)
  return objectIn(await wholeResponse(answer))
}

/** The body, or the bodies that the pattern of its name stands for. Throws `invalid` for patterns that do not fit. */
function bodiesOf(request: ApiRequest, model: Model, body: FormBody['body']): unknown {
  if (!isNamedByPattern(request.service.registry, model)) return body
  const expanded = expandBody(body)
  if (!expanded) return body
  if (Object.keys(expanded.errors).length > 0) throw invalid(expanded.errors)
  return expanded.bodies
}

function objectIn(answer: Parameters<typeof bodyText>[0]): JsonObject | readonly Json[] {
  const saved = JSON.parse(bodyText(answer)) as Json // produced by this process
  if (!isJsonObject(saved) && !Array.isArray(saved)) throw new Error('No object')
  return saved
}
