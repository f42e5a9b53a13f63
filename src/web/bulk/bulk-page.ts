import type { ApiRequest } from '../../api/api-request.ts'
import type { HttpResponse } from '../../api/response.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import { shownNoun, shownPlural, shownPluralNoun } from '../components/model-title.ts'
import { visibleObjects } from '../data/page-objects.ts'
import { type ControlGroup, controlLabel } from '../forms/edit-controls.ts'
import { errorsOf, foldedFields, problemLinks } from '../forms/edit-form.ts'
import { withParameters } from '../forms/return-path.ts'
import type { Crumb } from '../frame/page.ts'
import type { PageResponse } from '../frame/page-frame.ts'
import { seeOther } from '../frame/page-response.ts'
import { type CountedEffect, countParameters, modelParameter } from '../frame/saved-notice.ts'
import { type Content, html } from '../html.ts'
import { sentenceCase, translate } from '../texts/translate.ts'
import { bulkForm, selectedNames } from './bulk-form.ts'
import type { BulkRefusal } from './bulk-refusal.ts'
import type { BulkSelection } from './selection.ts'

/** Maximum number of names that a page lists; for more objects it shows their number. */
const MOST_NAMES = 50

/** Titles of the pages by verb. */
const TITLES = {
  Edit: 'Edit {count} {objects}',
  Rename: 'Rename {count} {objects}',
  Delete: 'Delete {count} {objects}',
  'Add components': 'Add components to {count} {objects}',
  Disconnect: 'Disconnect {count} {objects}',
  Sync: 'Synchronise {count} {objects}',
} as const

/** A page with a form for several objects. */
interface BulkPage {
  /** Verb of the form. */
  readonly verb: keyof typeof TITLES
  /** Last segment of the page's address. */
  readonly path: string
  readonly selection: BulkSelection
  /** Text above the fields. */
  readonly introduction?: Content
  /** Fields of the form, which are folded as in the form of one object. */
  readonly groups?: readonly ControlGroup[]
  /** What follows them. */
  readonly content: Content
  /** Buttons that send it. */
  readonly buttons: Content
  /** Value of the button that the Enter key presses. */
  readonly firstButton?: string
  readonly refusal: BulkRefusal | undefined
}

/** The model's name within a sentence for this number of objects. */
export const countedNoun = (model: Model, count: number): string =>
  count === 1 ? shownNoun(model) : shownPluralNoun(model)

/** The page: heading, names of the objects, the reason of a refusal, and the form. */
export async function bulkPage(
  request: ApiRequest,
  model: Model,
  { verb, path, selection, introduction, groups = [], content, buttons, firstButton, refusal }: BulkPage,
): Promise<PageResponse> {
  const { ids, ranges, query, leftOut, returnTo } = selection
  const { url, csrfToken } = request
  const cancel = listAddress(request, model, selection)
  const list = pagePathOf(model) ?? '/'
  const title = translate(TITLES[verb], {
    count: ids.length,
    objects: countedNoun(model, ids.length),
  })
  const controls = groups.flatMap((group) => group.controls)
  const errors = errorsOf(controls, refusal?.messages, (name) => controlLabel(request.service.registry, model, name))
  const namedIds = ids.slice(0, MOST_NAMES)
  const objects = await visibleObjects(request, model, namedIds, ['id', 'display'])
  const names = namedIds.flatMap((id) => {
    const object = objects.get(id)
    return object ? [String(object.display)] : []
  })
  return {
    title,
    model,
    status: refusal?.status ?? 200,
    styles: ['inputs.css', 'objects.css', 'edit.css', 'lists.css'],
    scripts: ['edit-form.client.ts'],
    breadcrumbs: [
      ...((await trailFrom(request, returnTo)) ?? [{ label: shownPlural(model), path: list }]),
      { label: translate(verb), path: `${list}${path}/` },
    ],
    body: html`<div class="heading"><h1>${title}</h1></div>
${leftOut > 0 && html`<p class="notice warn" role="status">${translate('{count} selected object is left out: you may not change it, or it no longer exists.|{count} selected objects are left out: you may not change them, or they no longer exist.', { count: leftOut })}</p>`}
${refusal && html`<div class="notice bad" role="alert"><p>${translate('Nothing was changed.')} ${problemLinks(controls, errors.at)}</p>${errors.other.length > 0 && html`<ul>${errors.other.map((sentence) => html`<li><bdi>${sentence}</bdi></li>`)}</ul>`}</div>`}
${selectedNames(translate('{count} selected', { count: ids.length }), names, ids.length)}
${bulkForm(
  { action: url.pathname, csrfToken, ids: ranges, query, returnTo, cancel, firstButton },
  html`${introduction}${groups.length > 0 && foldedFields(groups, errors.at, controls.find(({ name }) => errors.at.has(name))?.name)}${content}`,
  buttons,
)}`,
  }
}

/** The breadcrumbs of the page of an object from whose tab the selection comes: the device of interfaces. */
async function trailFrom(request: ApiRequest, returnTo: string | undefined): Promise<readonly Crumb[] | undefined> {
  const { registry, settings } = request.service
  const [, page, id, tab] =
    /^(\/.*\/)(\d+)\/([\w-]+)\/(?:\?|$)/.exec(returnTo?.slice(settings.basePath.length) ?? '') ?? []
  const owner = [...registry.models.values()].find((model) => page !== undefined && pagePathOf(model) === page)
  if (!owner || id === undefined) return undefined
  const object = (await visibleObjects(request, owner, [Number(id)], ['id', 'display'])).get(Number(id))
  const label = registry.view(owner).tabs?.find(({ path }) => path === tab)?.label
  if (!object || label === undefined) return undefined
  return [
    { label: shownPlural(owner), path: page ?? '/' },
    { label: String(object.display), path: `${page}${id}/` },
    { label: sentenceCase(label), path: `${page}${id}/${tab}/` },
  ]
}

/** URL of the list or page that the selection comes from, which then reports the action and the number of objects. */
export function listAddress(
  request: ApiRequest,
  model: Model,
  { query, returnTo }: From,
  saved?: readonly [effect: CountedEffect, count: number],
): string {
  const notice = saved ? countParameters(request, ...saved) : {}
  if (returnTo !== undefined)
    return withParameters(request, returnTo, { ...notice, ...(saved && modelParameter(model)) })
  const search = new URLSearchParams(query)
  for (const [name, value] of Object.entries(notice)) search.set(name, value)
  const text = search.toString()
  return `${request.service.settings.basePath}${pagePathOf(model)}${text === '' ? '' : `?${text}`}`
}

type From = Pick<BulkSelection, 'query'> & Partial<Pick<BulkSelection, 'returnTo'>>

/** Redirects to the list if nothing is selected: objects are chosen there. */
export const nothingSelected = (request: ApiRequest, model: Model, selection: From): HttpResponse =>
  seeOther(listAddress(request, model, selection))
