import type { ApiRequest } from '../../api/api-request.ts'
import { errorResponse } from '../../api/errors.ts'
import type { HttpResponse } from '../../api/response.ts'
import type { FormValues } from '../../api/transport/body.ts'
import { JobFailed } from '../../automation/jobs/job-kind.ts'
import type { ScriptDeclaration } from '../../automation/scripts/declaration.ts'
import { currentDeclaration, ScriptNotLoaded, scriptLocation } from '../../automation/scripts/script-location.ts'
import { ApiError, type Messages } from '../../base/errors.ts'
import { isJsonObject, type Json } from '../../schema/json.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { UploadedFile } from '../../schema/uploaded-file.ts'
import { type ApiRoutes, askApi, jsonOf } from '../data/ask-api.ts'
import { filledGroups } from '../forms/edit-controls.ts'
import { editForm, type FormMessages } from '../forms/edit-form.ts'
import { bodyOfForm, type FormBody } from '../forms/form-body.ts'
import { type FormTexts, searchedWords, textsOfForm } from '../forms/form-texts.ts'
import { withPickers } from '../forms/pickers.ts'
import type { ObjectTab, PageObject, TabContent } from '../frame/object-content.ts'
import { seeOther } from '../frame/page-response.ts'
import { type Content, html } from '../html.ts'
import { translate } from '../texts/translate.ts'
import { choiceFilters, executionName, runGroups } from './run-controls.ts'

/** A script, with the texts with which its form was sent. */
interface Run {
  readonly model: Model
  readonly id: number
  readonly declaration: ScriptDeclaration
  readonly texts: FormTexts
  /** The form was sent; otherwise the texts are those of the address, which fills in a form. */
  readonly isSent: boolean
}

interface Refusal {
  readonly status: number
  readonly messages: FormMessages
}

/** A form with the variables of a script. A run redirects to the page of its job. */
export const runTab: ObjectTab = {
  models: ({ fields }) => fields.has('is_executable'),
  path: 'run',
  label: () => translate('Run'),
  methods: 'GET POST',
  permission: 'run',
  load: runContent,
}

async function runContent({ routes, request, model, object }: PageObject): Promise<TabContent | HttpResponse> {
  const id = Number(object.id)
  const tab = (content: Content, status = 200): TabContent => ({
    content,
    status,
    styles: ['inputs.css', 'edit.css'],
    scripts: ['edit-form.client.ts'],
  })
  const declaration = await declarationOf(request, id)
  if (typeof declaration === 'string') return tab(html`<p class="notice warn">${declaration}</p>`)
  const form = request.method === 'POST' ? await request.body.form() : undefined
  const { searchParams } = request.url
  const query = new Map([...searchParams.keys()].map((name) => [name, searchParams.getAll(name)]))
  const texts = textsOfForm(form ?? query)
  const run = { model, id, declaration, texts, isSent: form !== undefined }
  if (!form || searchedWords(texts).size > 0) return tab(await formOf(request, run))
  const outcome = await start(routes, request, run, form)
  if (typeof outcome === 'number') {
    const jobs = pagePathOf(request.service.registry.model(SYSTEM.job))
    return seeOther(`${request.service.settings.basePath}${jobs}${outcome}/`)
  }
  return tab(await formOf(request, run, outcome), outcome.status)
}

/** The declaration in the script's file, or why there is none. */
async function declarationOf({ service }: ApiRequest, id: number): Promise<ScriptDeclaration | string> {
  try {
    return await currentDeclaration(service, await scriptLocation(service, id))
  } catch (error) {
    if (error instanceof JobFailed || error instanceof ScriptNotLoaded) return error.message
    return translate('Script file not found, or it cannot run here.')
  }
}

async function formOf(
  request: ApiRequest,
  { model, id, declaration, texts, isSent }: Run,
  refusal?: Refusal,
): Promise<Content> {
  const { service, csrfToken, url } = request
  const groups = runGroups(service.registry, declaration)
  const filled = texts.size > 0 ? filledGroups(groups, texts, isSent) : groups
  const options = { ...choiceFilters(declaration), words: searchedWords(texts) }
  const visibleGroups = await Promise.all(
    filled.map(async ({ label, controls }) => ({
      label,
      controls: await withPickers(request, controls, options),
    })),
  )
  const form = editForm({
    action: url.pathname,
    csrfToken,
    groups: visibleGroups.filter(({ controls }) => controls.length > 0),
    messages: refusal?.messages,
    submit: translate('Run script'),
    cancel: `${service.settings.basePath}${pagePathOf(model)}${id}/`,
  })
  return html`<h2 dir="auto">${declaration.title}</h2>${form}`
}

/** Enqueues the script; the id of its job, or why it was refused. */
async function start(
  routes: ApiRoutes,
  request: ApiRequest,
  { model, id, declaration }: Run,
  form: FormValues,
): Promise<number | Refusal> {
  const controls = runGroups(request.service.registry, declaration).flatMap((group) => group.controls)
  const { body, errors } = bodyOfForm(controls, form)
  if (errors.size > 0) return { status: 400, messages: Object.fromEntries(errors) }
  try {
    const path = `${model.path}/${id}/`
    const response = await askApi(routes, request, { path, method: 'POST', body: bodyOf(declaration, body) })
    const script = jsonOf(response)
    const result = isJsonObject(script) ? script.result : undefined
    return isJsonObject(result) ? Number(result.id) : { status: 500, messages: '' }
  } catch (error) {
    const refusal = error instanceof ApiError ? errorResponse(error) : undefined
    if (!(error instanceof ApiError) || !refusal || refusal.status === 404) throw error
    const { reason } = error
    if (reason.kind !== 'invalid') return { status: refusal.status, messages: error.message }
    return { status: refusal.status, messages: messagesAt(reason.messages) }
  }
}

/** The body of a request to run the script, whose files are beside its data. */
function bodyOf({ variables }: ScriptDeclaration, body: FormBody['body']): FormBody['body'] & { readonly data: Json } {
  const entries = Object.entries(body)
  const data = entries.flatMap(([name, value]) =>
    Object.hasOwn(variables, name) && !(value instanceof UploadedFile) ? [[name, value] as const] : [],
  )
  return {
    ...Object.fromEntries(entries.filter(([, value]) => value instanceof UploadedFile)),
    ...Object.fromEntries(EXECUTION.map((name) => [name, body[executionName(name)] ?? null])),
    data: Object.fromEntries(data),
  }
}

const EXECUTION = ['commit', 'schedule_at', 'interval', 'notifications']

/** The messages of a refused run by the names of the controls. */
function messagesAt(messages: Messages): FormMessages {
  if (typeof messages === 'string' || Array.isArray(messages)) return messages
  const entries = Object.entries(messages).flatMap(([name, part]): readonly (readonly [string, Messages])[] => {
    if (name !== 'data') return [[EXECUTION.includes(name) ? executionName(name) : name, part]]
    return typeof part === 'string' || Array.isArray(part) ? [['', part]] : Object.entries(part)
  })
  return Object.fromEntries(entries)
}
