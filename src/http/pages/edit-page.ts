import { requirePermission } from '../../auth/permitted-rows.ts'
import { ApiError, type Messages } from '../../errors.ts'
import type { Control } from '../../pages/control.ts'
import { type Content, html } from '../../pages/html.ts'
import { editForm } from '../../pages/objects/edit-form.ts'
import { pluralTitleOf, titleOf } from '../../schema/class-name.ts'
import { isJsonObject, type Json, type JsonObject } from '../../schema/json.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import type { ApiRequest } from '../api-request.ts'
import { bodyText, type HttpResponse, wholeResponse } from '../response.ts'
import { seeOther } from '../sessions/page-answer.ts'
import { createFrom } from '../verbs/create.ts'
import { update } from '../verbs/update.ts'
import { editGroups, enteredControls } from './edit-controls.ts'
import { bodyOfForm } from './form-body.ts'
import { readOne, sending } from './inner-request.ts'
import { objectHeading } from './object-heading.ts'
import type { PageFrame } from './page-frame.ts'

/** GET and POST of `…/add/`: a form for a new object. Values of the query are filled in. */
export async function addPage(
  frame: PageFrame,
  request: ApiRequest,
  model: Model,
): Promise<HttpResponse> {
  requirePermission(request.actor, 'add', model, request.service.settings)
  const given = Object.fromEntries(request.search) as JsonObject
  return await editing(frame, request, model, { object: undefined, given, etag: undefined })
}

/** GET and POST of `…/<id>/edit/`. */
export async function editPage(
  frame: PageFrame,
  request: ApiRequest,
  model: Model,
): Promise<HttpResponse> {
  requirePermission(request.actor, 'change', model, request.service.settings)
  const { object, etag } = await readOne(request, model)
  return await editing(frame, request, model, { object, given: object, etag })
}

interface Edited {
  readonly object: JsonObject | undefined
  readonly given: JsonObject
  readonly etag: string | undefined
}

async function editing(
  frame: PageFrame,
  request: ApiRequest,
  model: Model,
  edited: Edited,
): Promise<HttpResponse> {
  const groups = await editGroups(request, model, edited.object, edited.given)
  const form = request.method === 'POST' ? await request.body.form() : undefined
  if (!form) return await formPage(frame, request, model, edited, groups, undefined)
  const controls = groups.flatMap((group) => group.controls)
  const entered = await enteredControls(request, model, groups, form)
  const { body, errors } = bodyOfForm(controls, form)
  const redrawn = (status: number, messages: Messages) =>
    formPage(frame, request, model, edited, entered, { status, messages })
  if (errors.size > 0) return await redrawn(400, Object.fromEntries(errors))
  try {
    const saved = await save(request, model, edited, body)
    return seeOther(`${request.service.settings.basePath}${pagePathOf(model)}${saved.id}/`)
  } catch (error) {
    if (!(error instanceof ApiError) || error.reason.kind !== 'invalid') throw error
    return await redrawn(400, error.reason.messages)
  }
}

async function save(
  request: ApiRequest,
  model: Model,
  { object, etag }: Edited,
  body: Readonly<Record<string, Json>>,
): Promise<JsonObject> {
  const answer = object
    ? await update(sending(request, 'PATCH', body, etag), model)
    : await createFrom(sending(request, 'POST', body), model, body)
  const saved = JSON.parse(bodyText(await wholeResponse(answer))) as Json // produced by this process
  if (!isJsonObject(saved)) throw new Error('No object')
  return saved
}

interface Refusal {
  readonly status: number
  readonly messages: Messages
}

export interface ControlGroup {
  readonly label: string
  readonly controls: readonly Control[]
}

async function formPage(
  frame: PageFrame,
  request: ApiRequest,
  model: Model,
  { object }: Edited,
  groups: readonly ControlGroup[],
  refusal: Refusal | undefined,
): Promise<HttpResponse> {
  const { csrfToken, service } = request
  const page = pagePathOf(model) ?? '/'
  const title = object ? `Edit ${String(object.display)}` : `Add ${titleOf(model)}`
  const heading: Content = object
    ? await objectHeading(request, model, object)
    : html`<div class="heading"><h1>${title}</h1></div>`
  return await frame(request, {
    title,
    model,
    status: refusal?.status ?? 200,
    styles: ['inputs.css', 'objects.css'],
    scripts: ['choices.js'],
    breadcrumbs: [
      { label: pluralTitleOf(model), path: page },
      ...(object ? [{ label: String(object.display), path: `${page}${object.id}/` }] : []),
      {
        label: object ? 'Edit' : 'Add',
        path: object ? `${page}${object.id}/edit/` : `${page}add/`,
      },
    ],
    body: html`${heading}${editForm({
      action: request.url.pathname,
      csrfToken,
      groups,
      messages: refusal?.messages,
      submit: object ? 'Save' : `Create ${titleOf(model)}`,
      cancel: `${service.settings.basePath}${page}${object ? `${object.id}/` : ''}`,
    })}`,
  })
}
