import type { ApiRequest } from '../../api/api-request.ts'
import type { HttpResponse } from '../../api/response.ts'
import { update } from '../../api/verbs/update.ts'
import { notFound } from '../../base/errors.ts'
import { requirePermission } from '../../identity/permitted-rows.ts'
import type { JsonObject } from '../../schema/json.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import { shownNoun } from '../components/model-title.ts'
import { sending } from '../data/inner-request.ts'
import { mayActOn, readOne } from '../data/page-objects.ts'
import { refusalOf } from '../frame/page-frame.ts'
import { seeOther } from '../frame/page-response.ts'
import { noticeParameters } from '../frame/saved-notice.ts'
import { type PackState, packState } from './pack-state.ts'

/** The pack of the request. Throws `forbidden` or `notFound` unless the sender may change it. */
export async function changeablePack(request: ApiRequest, model: Model): Promise<PackState> {
  requirePermission(request.actor, 'change', model, request.service.settings)
  const pack = packState(request, (await readOne(request, model)).object)
  if (!(await mayActOn(request, 'change', model, pack.id))) throw notFound(shownNoun(model))
  return pack
}

/** Changes the pack of the request: the way to its page, or the sentence with which the change is refused. */
export async function changePack(
  request: ApiRequest,
  model: Model,
  body: JsonObject,
): Promise<HttpResponse | { readonly refusal: string }> {
  const refusal = await refusalOf(() => update(sending(request, 'PATCH', body), model))
  if (refusal !== undefined) return { refusal }
  const id = Number(request.parameters[0])
  const notice = new URLSearchParams(noticeParameters('changed', { id, undo: request }))
  return seeOther(`${request.service.settings.basePath}${pagePathOf(model)}${id}/?${notice}`)
}
