import type { ApiRequest } from '../../api/api-request.ts'
import { lastValue } from '../../read/query/last-value.ts'
import type { JsonObject } from '../../schema/json.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { BulkAdd } from '../../schema/view.ts'
import { farEndSearch } from '../cabling/far-end-search.ts'
import { withFittingTypes } from '../cabling/fitting-types.ts'
import { withPortPositions } from '../cabling/port-positions.ts'
import type { Control } from '../components/control.ts'
import { renderedMarkdown } from '../components/markdown.ts'
import { shownNoun, shownPlural } from '../components/model-title.ts'
import { tabBar } from '../components/tab-bar.ts'
import { type ControlGroup, controlLabel, isConstraint, narrowingOf } from '../forms/edit-controls.ts'
import { editForm, type FormMessages } from '../forms/edit-form.ts'
import { type FormTexts, searchedWords } from '../forms/form-texts.ts'
import { isNamedByPattern } from '../forms/name-pattern.ts'
import { withPickers } from '../forms/pickers.ts'
import { RETURN, returnPath } from '../forms/return-path.ts'
import { SHOWN, shownDocument } from '../forms/touched.ts'
import { objectHeading } from '../frame/object-heading.ts'
import type { PageResponse } from '../frame/page-frame.ts'
import { guideOfModel } from '../guides/guide-of-model.ts'
import { type Content, html } from '../html.ts'
import { withFreePositions } from '../racks/free-positions.ts'
import { translate, translateLabel } from '../texts/translate.ts'
import { constraintPreview } from './constraint-preview.ts'

/** Last segment of the address of the form that creates objects by a pattern. */
export const BULK_ADD = 'bulk-add/'

/** The object that a form is for; undefined for a new one. */
export interface EditedObject {
  readonly object: JsonObject | undefined
  /** The form creates an object for each value of a pattern. */
  readonly byPattern?: BulkAdd
  /** The version that was read. */
  readonly etag: string | undefined
}

/** A form to be shown. */
export interface FormPage {
  readonly edited: EditedObject
  /** The controls with the values of the object, or the defaults. */
  readonly base: readonly ControlGroup[]
  /** The controls with what was entered. */
  readonly groups: readonly ControlGroup[]
  /** Texts that were sent. */
  readonly texts?: FormTexts
  readonly refusal?: { readonly status: number; readonly messages: FormMessages }
}

/** The page with the form of an object. */
export async function formPage(request: ApiRequest, model: Model, form: FormPage): Promise<PageResponse> {
  const { edited, refusal } = form
  const { object, byPattern } = edited
  const { basePath } = request.service.settings
  const page = pagePathOf(model) ?? '/'
  const title = object
    ? translate('Edit {name}', { name: String(object.display) })
    : byPattern
      ? translate('Add several {models}', { models: translateLabel(model.definition.labels[1]) })
      : translate('Add {model}', { model: shownNoun(model) })
  const guide = guideOfModel(request, model)
  const heading: Content = object
    ? objectHeading({ request, model, object }, guide)
    : html`<div class="heading"><h1>${title}</h1>${guide}</div>`
  const returnTo = returnPath(request, form.texts?.get(RETURN)?.[0] ?? lastValue(request.search, RETURN))
  const objectPath = `${basePath}${page}${object ? `${object.id}/` : ''}`
  const search = object === undefined && (await farEndSearch(request, model))
  return {
    title,
    model,
    status: refusal?.status ?? 200,
    styles: ['inputs.css', 'objects.css', 'object.css', 'edit.css', 'cabling.css'],
    scripts: [
      'edit-form.client.ts',
      ...(model.name === SYSTEM.computedField ? (['expression.client.ts'] as const) : []),
    ],
    breadcrumbs: breadcrumbsOf(model, object),
    body: html`${heading}${object === undefined && addTabs(request, model)}${search}${editForm({
      action: `${request.url.pathname}${object ? '' : request.url.search}`,
      csrfToken: request.csrfToken,
      groups: await shownGroups(request, model, form),
      hidden: { ...hiddenOf(form), [RETURN]: returnTo },
      messages: refusal?.messages,
      labelOf: (name) => controlLabel(request.service.registry, model, name),
      submit: object
        ? translate('Save')
        : byPattern
          ? translate('Create')
          : translate('Create {model}', { model: shownNoun(model) }),
      // The search above a form gets the cursor.
      focusesFirst: !search,
      keepsDraft: true,
      offersAnother: object === undefined && byPattern === undefined,
      cancel: returnTo ?? objectPath,
    })}`,
  }
}

/** The forms for one object and for several, with the same values filled in. */
function addTabs({ service, url }: ApiRequest, model: Model): Content {
  if (!service.registry.view(model).bulkAdd) return undefined
  const root = `${service.settings.basePath}${pagePathOf(model)}`
  const tab = (path: string, label: string) => {
    const href = `${root}${path}`
    return { label, href: `${href}${url.search}`, isCurrent: url.pathname === href }
  }
  return tabBar([tab('add/', translate('One')), tab(BULK_ADD, translate('Several'))])
}

/**
 * The versions when the form was opened: they show which fields the user has edited, and whether another user has
 * changed the object.
 */
const hiddenOf = ({ edited, base, texts }: FormPage): Readonly<Record<string, string | undefined>> => ({
  _etag: texts?.get('_etag')?.[0] ?? edited.etag,
  [SHOWN]: texts?.get(SHOWN)?.[0] ?? shownDocument(base),
})

const breadcrumbsOf = (model: Model, object: JsonObject | undefined) => {
  const page = pagePathOf(model) ?? '/'
  const list = { label: shownPlural(model), path: page }
  if (!object) return [list, { label: translate('Add'), path: `${page}add/` }]
  const objectPath = `${page}${object.id}/`
  return [
    list,
    { label: String(object.display), path: objectPath },
    { label: translate('Edit'), path: `${objectPath}edit/` },
  ]
}

/** The groups with lists and searches for objects, free positions, and requested previews. */
export async function shownGroups(
  request: ApiRequest,
  model: Model,
  { groups, texts, edited }: Pick<FormPage, 'groups' | 'texts' | 'edited'>,
): Promise<readonly ControlGroup[]> {
  const { registry } = request.service
  const all = withFittingTypes(
    registry,
    model,
    groups.flatMap(({ controls }) => controls),
  )
  const id = edited.object === undefined ? undefined : Number(edited.object.id)
  const linked = await withPortPositions(request, model, all, id)
  const picked = await withPickers(request, linked, {
    narrowedBy: narrowingOf(registry, model),
    words: searchedWords(texts ?? new Map()),
    dropsUnfit: texts?.has('_refresh') === true,
    id,
  })
  const placed = await withFreePositions(request, model, picked, id)
  const hinted = edited.object ? placed : withPatternHint(request, model, placed)
  const previewed = await withPreview(request, model, hinted, texts ?? new Map())
  const byName = new Map(previewed.map((control) => [control.name, control]))
  return groups.map(({ label, controls }) => ({
    label,
    controls: controls.map((control) => byName.get(control.name) ?? control),
  }))
}

/** The controls, with the response to the requested preview. */
async function withPreview(
  request: ApiRequest,
  model: Model,
  controls: readonly Control[],
  texts: FormTexts,
): Promise<readonly Control[]> {
  const requested = texts.get('_preview')?.[0]
  const control = controls.find(({ name }) => name === requested)
  if (!control?.preview || control.input.kind !== 'lines') return controls
  const content = isConstraint(model, control.name)
    ? await constraintPreview(request, texts)
    : renderedMarkdown(control.input.value)
  const previewed = { ...control, preview: { ...control.preview, content } }
  return controls.map((candidate) => (candidate === control ? previewed : candidate))
}

/** The controls of a form; the help text of the name says that it may be a pattern. */
export const withPatternHint = (
  { service }: ApiRequest,
  model: Model,
  controls: readonly Control[],
): readonly Control[] =>
  isNamedByPattern(service.registry, model)
    ? controls.map((control) => {
        if (control.name !== 'name') return control
        const { input } = control
        const isLong = input.kind === 'text' && input.max !== undefined
        return {
          ...control,
          help: translate('A pattern creates several: eth[0-47], port[A-D], [1,3,5].'),
          // The pattern may be longer than each of the names.
          ...(isLong && { input: { ...input, max: 200 } }),
        }
      })
    : controls
