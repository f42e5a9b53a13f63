import type { ApiRequest } from '../../api/api-request.ts'
import { answerTo } from '../../api/errors.ts'
import type { HttpResponse } from '../../api/response.ts'
import type { FormValues } from '../../api/transport/body.ts'
import { ApiError, notFound } from '../../errors.ts'
import { requirePermission } from '../../identity/permitted-rows.ts'
import type { JsonObject } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'
import { patternGroups } from '../bulk/pattern-controls.ts'
import { readOne } from '../frame/inner-request.ts'
import type { PageFrame } from '../frame/page-frame.ts'
import { changedMeanwhile } from './changed-meanwhile.ts'
import { type ControlGroup, editGroups, filledGroups } from './edit-controls.ts'
import { type EditedObject, type FormPage, formPage } from './edit-form-page.ts'
import { bodyOfForm } from './form-body.ts'
import { searchedWords, textsOfForm, textsOfQuery } from './form-texts.ts'
import { hasTokenSecret, save } from './save-form.ts'
import { afterSaving, savedTokenPage } from './saved.ts'
import { withSlug } from './slug.ts'
import { touchedControls } from './touched.ts'

/** GET and POST of `…/add/`: a form for a new object. Values of the query are filled in. */
export async function addPage(
  frame: PageFrame,
  request: ApiRequest,
  model: Model,
): Promise<HttpResponse> {
  requirePermission(request.actor, 'add', model, request.service.settings)
  return await editing(frame, request, model, { object: undefined, etag: undefined })
}

/** GET and POST of `…/bulk-add/`: a form for new objects, one for each value of a pattern. */
export async function bulkAddPage(
  frame: PageFrame,
  request: ApiRequest,
  model: Model,
): Promise<HttpResponse> {
  const { registry, settings } = request.service
  const byPattern = registry.view(model).bulkAdd
  if (!byPattern) throw notFound('page')
  requirePermission(request.actor, 'add', model, settings)
  return await editing(frame, request, model, { object: undefined, etag: undefined, byPattern })
}

/** GET and POST of `…/<id>/edit/`. */
export async function editPage(
  frame: PageFrame,
  request: ApiRequest,
  model: Model,
): Promise<HttpResponse> {
  requirePermission(request.actor, 'change', model, request.service.settings)
  return await editing(frame, request, model, await readOne(request, model))
}

async function editing(
  frame: PageFrame,
  request: ApiRequest,
  model: Model,
  edited: EditedObject,
): Promise<HttpResponse> {
  const own = await editGroups(request, model, edited.object)
  const base = edited.byPattern ? patternGroups(edited.byPattern, own) : own
  const form = request.method === 'POST' ? await request.body.form() : undefined
  if (!form) {
    const groups = edited.object ? base : filledGroups(base, textsOfQuery(request.search), false)
    return await formPage(frame, request, model, { edited, base, groups })
  }
  return await submitted(frame, request, model, edited, base, withSlug(base, form))
}

/** Names of the buttons that show the form again. */
const REDRAWING = ['_find', '_refresh', '_preview'] as const

async function submitted(
  frame: PageFrame,
  request: ApiRequest,
  model: Model,
  edited: EditedObject,
  base: readonly ControlGroup[],
  form: FormValues,
): Promise<HttpResponse> {
  const texts = textsOfForm(form)
  const page: FormPage = { edited, base, groups: filledGroups(base, texts, true), texts }
  if (searchedWords(texts).size > 0 || REDRAWING.some((name) => texts.has(name))) {
    return await formPage(frame, request, model, page)
  }
  const controls = touchedControls(base, page.groups, texts, edited.object !== undefined)
  const { body, errors } = bodyOfForm(controls, form)
  if (errors.size > 0) {
    const refusal = { status: 400, messages: Object.fromEntries(errors) }
    return await formPage(frame, request, model, { ...page, refusal })
  }
  if (edited.object && Object.keys(body).length === 0) {
    return afterSaving(request, model, page, edited.object, 'unchanged')
  }
  const shown = texts.get('_etag')?.[0] || edited.etag
  try {
    const saved = await save(request, model, { ...edited, etag: shown }, body)
    if (Array.isArray(saved)) return afterSaving(request, model, page, saved, 'created')
    const object = saved as JsonObject
    if (!edited.object && hasTokenSecret(model))
      return await savedTokenPage(frame, request, model, object)
    return afterSaving(request, model, page, object, edited.object ? 'changed' : 'created')
  } catch (error) {
    return await refused(frame, request, model, page, error)
  }
}

/** The form with the reasons of a refusal, or both versions of an object that was changed meanwhile. */
async function refused(
  frame: PageFrame,
  request: ApiRequest,
  model: Model,
  page: FormPage,
  error: unknown,
): Promise<HttpResponse> {
  if (!(error instanceof ApiError)) throw error
  const { reason } = error
  if (reason.kind === 'preconditionFailed')
    return await changedMeanwhile(frame, request, model, page)
  const status = answerTo(error)?.status ?? 400
  if (request.actor.kind === 'anonymous' || status === 404) throw error
  const messages = reason.kind === 'invalid' ? reason.messages : error.message
  return await formPage(frame, request, model, { ...page, refusal: { status, messages } })
}
