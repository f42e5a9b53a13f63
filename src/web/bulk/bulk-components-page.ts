import type { ApiRequest } from '../../api/api-request.ts'
import type { FormValues } from '../../api/transport/body.ts'
import { createFrom } from '../../api/verbs/create.ts'
import { invalid, notFound } from '../../base/errors.ts'
import { mayAct, requirePermission } from '../../identity/permitted-rows.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import { shownPlural, shownPluralNoun } from '../components/model-title.ts'
import { sending } from '../data/inner-request.ts'
import { withPatternHint } from '../edit-pages/edit-form-page.ts'
import { type ControlGroup, editGroups, filledGroups, narrowingOf } from '../forms/edit-controls.ts'
import { bodyOfForm } from '../forms/form-body.ts'
import { type FormTexts, textIn, textsOfForm } from '../forms/form-texts.ts'
import { expandBody } from '../forms/name-pattern.ts'
import type { PageResponse } from '../frame/page-frame.ts'
import { seeOther } from '../frame/page-response.ts'
import { countParameters } from '../frame/saved-notice.ts'
import { type Content, html } from '../html.ts'
import { type ComponentModel, componentModelsOf } from '../lists/bulk-actions.ts'
import { translate } from '../texts/translate.ts'
import { isRedrawn, withBulkPickers } from './bulk-form.ts'
import { bulkPage, countedNoun, nothingSelected } from './bulk-page.ts'
import { type BulkRefusal, bulkRefusalOf } from './bulk-refusal.ts'
import { type BulkSelection, bulkSelectionOf } from './selection.ts'

/** POST of `…/components/`: creates the same components, such as interfaces, for each of the selected objects. */
export async function bulkComponentsPage(request: ApiRequest, model: Model): Promise<PageResponse> {
  const { service, actor } = request
  const offered = componentModelsOf(service.registry, model).filter((part) =>
    mayAct(actor, 'add', part.model, service.settings),
  )
  if (!isFilled(offered)) throw notFound('page')
  requirePermission(actor, 'change', model, service.settings)
  const form = request.method === 'POST' ? await request.body.form() : undefined
  if (!form) return nothingSelected(request, model, { query: request.search.toString() })
  const selection = await bulkSelectionOf(request, model, 'change', form)
  if (selection.ids.length === 0) return nothingSelected(request, model, selection)
  const texts = textsOfForm(form)
  const part = chosenPart(offered, textIn(form, 'part'))
  const content = { selection, offered, part, texts }
  const groups = await partGroups(request, part)
  if (isRedrawn(texts) || textIn(form, 'do') !== 'apply') {
    return await componentsPage(request, model, { ...content, groups: filledGroups(groups, texts, isRedrawn(texts)) })
  }
  let count = 0
  try {
    const bodies = bodiesOf(groups, form, part, selection)
    count = bodies.length
    await createFrom(sending(request, 'POST', bodies), part.model, bodies)
  } catch (error) {
    const filled = filledGroups(groups, texts, true)
    const refusal = await bulkRefusalOf(request, part.model, error)
    return await componentsPage(request, model, { ...content, groups: filled, refusal })
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

interface FormState {
  readonly selection: BulkSelection
  readonly offered: readonly ComponentModel[]
  readonly part: ComponentModel
  readonly texts: FormTexts
  readonly groups: readonly ControlGroup[]
  readonly refusal?: BulkRefusal
}

async function componentsPage(
  request: ApiRequest,
  model: Model,
  { selection, offered, part, texts, groups, refusal }: FormState,
): Promise<PageResponse> {
  const count = selection.ids.length
  return await bulkPage(request, model, {
    verb: 'Add components',
    path: 'components',
    selection,
    introduction: partButtons(offered, part),
    groups: await withBulkPickers(request, part.model, groups, texts),
    content: undefined,
    buttons: html`<button name="do" value="apply">${translate('Add {parts} to {count} {objects}', { count, parts: shownPluralNoun(part.model), objects: countedNoun(model, count) })}</button>`,
    firstButton: 'apply',
    refusal,
  })
}

type Filled<T> = readonly [T, ...T[]]
const isFilled = <T>(list: readonly T[]): list is Filled<T> => list.length > 0

/** The requested kind of components; at first interfaces, which are added most. */
const chosenPart = (offered: Filled<ComponentModel>, name: string): ComponentModel =>
  offered.find(({ model }) => model.name === name) ??
  offered.find(({ model }) => /interface(template)?$/.test(model.name)) ??
  offered[0]

/** A button for each kind of components; another kind keeps the values that both have. */
const partButtons = (offered: readonly ComponentModel[], { model: current }: ComponentModel): Content =>
  html`<input type="hidden" name="part" value="${current.name}"><div class="kinds" role="group" aria-label="${translate('Component')}">${offered.map(
    ({ model }) =>
      html`<button name="part" value="${model.name}" class="quiet" aria-pressed="${String(model === current)}">${shownPlural(model)}</button>`,
  )}</div>`
