import type { ApiRequest } from '../../api/api-request.ts'
import { createTokensFrom } from '../../api/endpoints/tokens.ts'
import { errorResponse } from '../../api/errors.ts'
import { bodyText, wholeResponse } from '../../api/response.ts'
import type { FormValues } from '../../api/transport/body.ts'
import { createFrom } from '../../api/verbs/create.ts'
import { update } from '../../api/verbs/update.ts'
import { ApiError, invalid, notFound } from '../../base/errors.ts'
import { requirePermission } from '../../identity/permitted-rows.ts'
import { isJsonObject, type Json, type JsonObject } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { editedConditions } from '../components/condition-rows.ts'
import { shownNoun } from '../components/model-title.ts'
import { sending } from '../data/inner-request.ts'
import { mayActOn, readOne } from '../data/page-objects.ts'
import { constraintProblems } from '../forms/constraint-problems.ts'
import { type ControlGroup, editGroups, filledGroups } from '../forms/edit-controls.ts'
import type { FormMessages } from '../forms/edit-form.ts'
import { bodyOfForm, type FormBody } from '../forms/form-body.ts'
import { searchedWords, shownTexts, textsOfForm, textsOfQuery } from '../forms/form-texts.ts'
import { expandBody, isNamedByPattern } from '../forms/name-pattern.ts'
import { pageMessages } from '../forms/page-messages.ts'
import { slugOf } from '../forms/slug.client.ts'
import { touchedControls } from '../forms/touched.ts'
import type { PageResponse } from '../frame/page-frame.ts'
import { unfitPeople } from '../object-parts/unable-people.ts'
import { afterSaving, savedTokenPage } from './after-saving.ts'
import { changedMeanwhile } from './changed-meanwhile.ts'
import { type EditedObject, type FormPage, formPage } from './edit-form-page.ts'
import { patternBodies, patternGroups } from './pattern-bodies.ts'

/** GET and POST of `…/add/`: a form for a new object. Values of the query are filled in. */
export async function addPage(request: ApiRequest, model: Model): Promise<PageResponse> {
  requirePermission(request.actor, 'add', model, request.service.settings)
  return await editing(request, model, { object: undefined, etag: undefined })
}

/** GET and POST of `…/bulk-add/`: a form for new objects, one for each value of a pattern. */
export async function bulkAddPage(request: ApiRequest, model: Model): Promise<PageResponse> {
  const { registry, settings } = request.service
  const byPattern = registry.view(model).bulkAdd
  if (!byPattern) throw notFound('page')
  requirePermission(request.actor, 'add', model, settings)
  return await editing(request, model, { object: undefined, etag: undefined, byPattern })
}

/** GET and POST of `…/<id>/edit/`. */
export async function editPage(request: ApiRequest, model: Model): Promise<PageResponse> {
  requirePermission(request.actor, 'change', model, request.service.settings)
  const edited = await readOne(request, model)
  if (!(await mayActOn(request, 'change', model, Number(edited.object.id)))) throw notFound(shownNoun(model))
  return await editing(request, model, edited)
}

async function editing(request: ApiRequest, model: Model, edited: EditedObject): Promise<PageResponse> {
  const form = request.method === 'POST' ? await request.body.form() : undefined
  const presets = edited.object ? new Map<string, readonly string[]>() : textsOfQuery(request.search)
  const modelGroups = await editGroups(request, model, edited.object, form ? textsOfForm(form) : presets)
  const base = edited.byPattern ? patternGroups(edited.byPattern, modelGroups) : modelGroups
  if (!form) return await formPage(request, model, { edited, base, groups: filledGroups(base, presets, false) })
  return await submitted(request, model, edited, base, effectiveForm(base, withConditions(base, withSlug(base, form))))
}

/** Names of the buttons that show the form again. */
const REDRAWING = ['_find', '_refresh', '_preview'] as const

async function submitted(
  request: ApiRequest,
  model: Model,
  edited: EditedObject,
  base: readonly ControlGroup[],
  form: FormValues,
): Promise<PageResponse> {
  const texts = textsOfForm(form)
  const page: FormPage = { edited, base, groups: filledGroups(base, texts, true), texts }
  if (searchedWords(texts).size > 0 || REDRAWING.some((name) => texts.has(name))) {
    return await formPage(request, model, page)
  }
  const controls = touchedControls(base, page.groups, texts, edited.object !== undefined)
  const { body, errors } = bodyOfForm(controls, form)
  if (errors.size > 0) {
    const refusal = { status: 400, messages: Object.fromEntries(errors) }
    return await formPage(request, model, { ...page, refusal })
  }
  if (edited.object && Object.keys(body).length === 0) {
    return afterSaving(request, model, page, edited.object, 'unchanged')
  }
  const unfit = await unfitMessages(request, model, edited.object, body)
  if (unfit) return await formPage(request, model, { ...page, refusal: { status: 400, messages: unfit } })
  const shownEtag = texts.get('_etag')?.[0] || edited.etag
  try {
    const saved = await save(request, model, { ...edited, etag: shownEtag }, body)
    if (Array.isArray(saved)) return afterSaving(request, model, page, saved, 'created')
    const object = saved as JsonObject
    if (!edited.object && hasTokenSecret(model)) return savedTokenPage(request, model, object)
    return afterSaving(request, model, page, object, edited.object ? 'changed' : 'created')
  } catch (error) {
    return await refused(request, model, page, error, body)
  }
}

/**
 * Messages about values that the API stores but that cannot work: constraints that do not fit an object type, so that the
 * permission grants nothing, and people on whom a choice has no effect. Undefined if there are none, or if they are not changed.
 */
async function unfitMessages(
  request: ApiRequest,
  model: Model,
  object: JsonObject | undefined,
  body: FormBody['body'],
): Promise<FormMessages | undefined> {
  const people = await unfitPeople(request, model, body)
  if (people) return people
  const isPermission = model.name === SYSTEM.objectPermission
  if (!isPermission || !('constraints' in body || 'object_types' in body)) return undefined
  const problems = await constraintProblems(request, { ...object, ...body })
  return problems.length > 0 ? { constraints: problems } : undefined
}

/** The form with the reasons of a refusal, or both versions of an object that was changed meanwhile. */
async function refused(
  request: ApiRequest,
  model: Model,
  page: FormPage,
  error: unknown,
  body: FormBody['body'],
): Promise<PageResponse> {
  if (!(error instanceof ApiError)) throw error
  const { reason } = error
  if (reason.kind === 'preconditionFailed') return await changedMeanwhile(request, model, page)
  const status = errorResponse(error)?.status ?? 400
  if (request.actor.kind === 'anonymous' || status === 404) throw error
  const messages =
    reason.kind === 'invalid'
      ? await pageMessages(request, model, reason.messages as FormMessages, { body, object: page.edited.object })
      : error.message
  return await formPage(request, model, { ...page, refusal: { status, messages } })
}

/** The form with the values that follow from others, and without values in fields that others have hidden. */
function effectiveForm(groups: readonly ControlGroup[], form: FormValues): FormValues {
  const effective = new Map(form)
  for (const control of groups.flatMap(({ controls }) => controls)) {
    // A hidden value that cannot be empty stays as it is, and has no effect.
    const isList = control.input.kind === 'select' && control.input.empty === undefined
    const isKept = control.isHidden === true && (isList || control.sentAs === 'offset')
    if (control.isDecided || isKept) effective.set(control.name, shownTexts(control))
    else if (control.isHidden) effective.delete(control.name)
  }
  return effective
}

/** The form, with the conditions as JSON if their rows were edited. */
function withConditions(groups: readonly ControlGroup[], form: FormValues): FormValues {
  const filled = new Map(form)
  for (const { name, input } of groups.flatMap(({ controls }) => controls)) {
    const edited = input.kind === 'conditions' ? editedConditions(name, form) : undefined
    if (edited !== undefined) filled.set(name, [edited])
  }
  return filled
}

/** The form, with empty slugs derived from the names. */
function withSlug(groups: readonly ControlGroup[], form: FormValues): FormValues {
  const filled = new Map(form)
  for (const { name, madeFrom } of groups.flatMap(({ controls }) => controls)) {
    if (madeFrom === undefined || firstText(form, name) !== '') continue
    const slug = slugOf(firstText(form, madeFrom))
    if (slug !== '') filled.set(name, [slug])
  }
  return filled
}

const firstText = (form: FormValues, name: string): string => {
  const value = form.get(name)?.[0]
  return typeof value === 'string' ? value.trim() : ''
}

/** Whether new objects have a secret that is shown only once. */
const hasTokenSecret = ({ name }: Model): boolean => name === SYSTEM.token

/** Performs the write of a form, with the API's own handlers. Returns the object, or all objects of a pattern. */
async function save(
  request: ApiRequest,
  model: Model,
  { object, etag, byPattern }: EditedObject,
  body: FormBody['body'],
): Promise<JsonObject | readonly Json[]> {
  if (object) {
    const response = await update(sending(request, 'PATCH', body, etag), model)
    return objectIn(await wholeResponse(response))
  }
  const bodies = byPattern
    ? patternBodies(byPattern, body, request.service.settings.maxBulkObjects)
    : bodiesOf(request, model, body)
  const created = hasTokenSecret(model) ? createTokensFrom : createFrom
  const response = await created(sending(request, 'POST', bodies), model, bodies)
  return objectIn(await wholeResponse(response))
}

/** The body, or the bodies for the pattern in its name. Throws `invalid` for patterns that do not fit. */
function bodiesOf(request: ApiRequest, model: Model, body: FormBody['body']): unknown {
  if (!isNamedByPattern(request.service.registry, model)) return body
  const expanded = expandBody(body)
  if (!expanded) return body
  if (Object.keys(expanded.errors).length > 0) throw invalid(expanded.errors)
  return expanded.bodies
}

function objectIn(response: Parameters<typeof bodyText>[0]): JsonObject | readonly Json[] {
  const saved = JSON.parse(bodyText(response)) as Json // produced by this process
  if (!isJsonObject(saved) && !Array.isArray(saved)) throw new Error('No object')
  return saved
}
