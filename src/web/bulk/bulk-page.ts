import type { ApiRequest } from '../../api/api-request.ts'
import type { HttpResponse } from '../../api/response.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import { shownNoun, shownPlural, shownPluralNoun } from '../components/model-title.ts'
import { visibleObjects } from '../data/page-objects.ts'
import { withParameters } from '../forms/return-path.ts'
import type { PageResponse } from '../frame/page-frame.ts'
import { seeOther } from '../frame/page-response.ts'
import { type CountedEffect, countParameters, modelParameter } from '../frame/saved-notice.ts'
import { type Content, html } from '../html.ts'
import { translate } from '../texts/translate.ts'
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
  /** Fields of the form. */
  readonly content: Content
  /** Buttons that send it. */
  readonly buttons: Content
  readonly refusal: BulkRefusal | undefined
  readonly scripts?: readonly 'lists.client.ts'[]
}

/** The page: heading, names of the objects, the reason of a refusal, and the form. */
export async function bulkPage(
  request: ApiRequest,
  model: Model,
  { verb, path, selection, content, buttons, refusal, scripts = [] }: BulkPage,
): Promise<PageResponse> {
  const { ids, ranges, query, leftOut, returnTo } = selection
  const { url, csrfToken } = request
  const cancel = listAddress(request, model, selection)
  const list = pagePathOf(model) ?? '/'
  const plural = shownPlural(model)
  const title = translate(TITLES[verb], {
    count: ids.length,
    objects: ids.length === 1 ? shownNoun(model) : shownPluralNoun(model),
  })
  const shown = ids.slice(0, MOST_NAMES)
  const objects = await visibleObjects(request, model, shown, ['id', 'display'])
  const names = shown.flatMap((id) => {
    const object = objects.get(id)
    return object ? [String(object.display)] : []
  })
  return {
    title,
    model,
    status: refusal?.status ?? 200,
    styles: ['inputs.css', 'objects.css', 'lists.css'],
    scripts,
    breadcrumbs: [
      { label: plural, path: list },
      { label: translate(verb), path: `${list}${path}/` },
    ],
    body: html`<div class="heading"><h1>${title}</h1></div>
${leftOut > 0 && html`<p class="notice warn" role="status">${translate('{count} selected object is left out: you may not change it, or it no longer exists.|{count} selected objects are left out: you may not change them, or they no longer exist.', { count: leftOut })}</p>`}
${refusal && html`<div class="notice bad" role="alert"><p>${translate('Nothing was changed.')}</p><ul>${refusal.sentences.map((sentence) => html`<li><bdi>${sentence}</bdi></li>`)}</ul></div>`}
${selectedNames(names, ids.length)}
${bulkForm({ action: url.pathname, csrfToken, ids: ranges, query, returnTo, cancel }, content, buttons)}`,
  }
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
