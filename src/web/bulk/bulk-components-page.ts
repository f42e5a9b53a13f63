import type { ApiRequest } from '../../api/api-request.ts'
import type { FormValues } from '../../api/transport/body.ts'
import { createFrom } from '../../api/verbs/create.ts'
import { ApiError, invalid, notFound } from '../../base/errors.ts'
import { mayAct, requirePermission } from '../../identity/permitted-rows.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import { controlField } from '../components/control.ts'
import { shownTitle } from '../components/model-title.ts'
import { sending } from '../data/inner-request.ts'
import { withPatternHint } from '../edit-pages/edit-form-page.ts'
import { type ControlGroup, editGroups, filledGroups, narrowingOf } from '../forms/edit-controls.ts'
import { errorsByName, type FormMessages } from '../forms/edit-form.ts'
import { bodyOfForm } from '../forms/form-body.ts'
import { textIn, textsOfForm } from '../forms/form-texts.ts'
import { expandBody } from '../forms/name-pattern.ts'
import type { PageResponse } from '../frame/page-frame.ts'
import { seeOther } from '../frame/page-response.ts'
import { countParameters } from '../frame/saved-notice.ts'
import { type Content, html } from '../html.ts'
import { type ComponentModel, componentModelsOf } from '../lists/bulk-actions.ts'
import { translate } from '../texts/translate.ts'
import { bulkFields } from './bulk-form.ts'
import { bulkPage, nothingSelected } from './bulk-page.ts'
import { type BulkRefusal, bulkRefusalOf } from './bulk-refusal.ts'
import { type BulkSelection, bulkSelectionOf } from './selection.ts'

/** POST of `…/components/`: creates the same components, such as interfaces, for each of the selected objects. */
export async function bulkComponentsPage(request: ApiRequest, model: Model): Promise<PageResponse> {
  const { service, actor } = request
  const offered = componentModelsOf(service.registry, model).filter((part) =>
    mayAct(actor, 'add', part.model, service.settings),
  )
  if (offered.length === 0) throw notFound('page')
  requirePermission(actor, 'change', model, service.settings)
  const form = request.method === 'POST' ? await request.body.form() : undefined
  if (!form) return nothingSelected(request, model, { query: request.search.toString() })
  const selection = await bulkSelectionOf(request, model, 'change', form)
  if (selection.ids.length === 0) return nothingSelected(request, model, selection)
  const part = offered.find((each) => each.model.name === textIn(form, 'part'))
  const shown = { selection, offered }
  if (!part) return await componentsPage(request, model, shown)
  const groups = await partGroups(request, part)
  if (textIn(form, 'do') !== 'apply') return await componentsPage(request, model, { ...shown, part, groups })
  let count = 0
  try {
    const bodies = bodiesOf(groups, form, part, selection)
    count = bodies.length
    await createFrom(sending(request, 'POST', bodies), part.model, bodies)
  } catch (error) {
    const filled = filledGroups(groups, textsOfForm(form), true)
    const refusal = await refusalOf(request, model, error)
    return await componentsPage(request, model, { ...shown, part, groups: filled, refusal })
  }
  const page = `${service.settings.basePath}${pagePathOf(part.model)}`
  const notice = new URLSearchParams(countParameters(request, 'created-all', count))
  return seeOther(`${page}?created_by_request=${request.id}&${notice}`)
}

/** The form of a component without the fields that depend on the object to which it belongs. */
async function partGroups(request: ApiRequest, { model, owner }: ComponentModel): Promise<readonly ControlGroup[]> {
  const narrowing = narrowingOf(request.service.registry, model)
  const isOwn = (name: string): boolean => name === owner || Object.values(narrowing[name] ?? {}).includes(owner)
  const groups = await editGroups(request, model, undefined)
  return groups
    .map(({ label, controls }) => ({
      label,
      controls: withPatternHint(
        request,
        model,
        controls.filter(({ name, input }) => !isOwn(name) && input.kind !== 'file'),
      ),
    }))
    .filter(({ controls }) => controls.length > 0)
}

/** A body for each selected object and each name of the pattern. Throws `invalid` for values that cannot be read. */
function bodiesOf(
  groups: readonly ControlGroup[],
  form: FormValues,
  { owner }: ComponentModel,
  { ids }: BulkSelection,
): readonly unknown[] {
  const { body, errors } = bodyOfForm(
    groups.flatMap(({ controls }) => controls),
    form,
  )
  if (errors.size > 0) throw invalid(Object.fromEntries(errors))
  const expanded = expandBody(body)
  if (expanded && Object.keys(expanded.errors).length > 0) throw invalid(expanded.errors)
  const parts = expanded?.bodies ?? [body]
  return ids.flatMap((id) => parts.map((part) => ({ ...part, [owner]: id })))
}

/** Each message once, because an error in one component also occurs in those of the other objects. */
async function refusalOf(request: ApiRequest, model: Model, error: unknown): Promise<BulkRefusal> {
  if (!(error instanceof ApiError) || error.reason.kind !== 'invalid') return await bulkRefusalOf(request, model, error)
  const byName = errorsByName(error.reason.messages as FormMessages)
  const sentences = [...byName].map(([name, texts]) =>
    ['', '__all__', 'non_field_errors', 'detail'].includes(name) ? texts.join(' ') : `${name}: ${texts.join(' ')}`,
  )
  return { status: 400, sentences }
}

interface Shown {
  readonly selection: BulkSelection
  readonly offered: readonly ComponentModel[]
  readonly part?: ComponentModel
  readonly groups?: readonly ControlGroup[]
  readonly refusal?: BulkRefusal
}

async function componentsPage(
  request: ApiRequest,
  model: Model,
  { selection, offered, part, groups = [], refusal }: Shown,
): Promise<PageResponse> {
  const content = part
    ? html`<input type="hidden" name="part" value="${part.model.name}">${bulkFields(
        groups.map(({ label, controls }) => ({
          label,
          controls: controls.map((control) => ({ control, canEmpty: false, isEmptied: false })),
        })),
      )}`
    : kindField(offered)
  const buttons = part
    ? html`<button name="do" value="apply">${translate('Create')}</button>`
    : html`<button>${translate('Continue')}</button>`
  return await bulkPage(request, model, {
    verb: 'Add components',
    path: 'components',
    selection,
    content,
    buttons,
    refusal,
    scripts: ['lists.client.ts'],
  })
}

const kindField = (offered: readonly ComponentModel[]): Content =>
  html`<div class="card fields">${controlField(
    {
      name: 'part',
      label: translate('Component'),
      input: {
        kind: 'select',
        options: offered.map(({ model }) => ({ value: model.name, label: shownTitle(model) })),
        chosen: [],
      },
    },
    'bulk',
  )}</div>`
