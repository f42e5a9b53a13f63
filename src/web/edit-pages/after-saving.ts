import type { ApiRequest } from '../../api/api-request.ts'
import type { HttpResponse } from '../../api/response.ts'
import { isJsonObject, type Json, type JsonObject } from '../../schema/json.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { Option } from '../components/control.ts'
import { shownPlural } from '../components/model-title.ts'
import { shownTexts } from '../forms/form-texts.ts'
import { RETURN, returnPath, withParameters } from '../forms/return-path.ts'
import { choiceCookie } from '../frame/page-branch.ts'
import type { FramedPage } from '../frame/page-frame.ts'
import { seeOther } from '../frame/page-response.ts'
import { countParameters, modelParameter, noticeParameters } from '../frame/saved-notice.ts'
import { html } from '../html.ts'
import { translate } from '../texts/translate.ts'
import type { FormPage } from './edit-form-page.ts'

/** Redirects from a completed form to the next page. */
export function afterSaving(
  request: ApiRequest,
  model: Model,
  { texts, groups }: FormPage,
  saved: JsonObject | readonly Json[],
  effect: 'created' | 'changed' | 'unchanged',
): HttpResponse {
  const { basePath } = request.service.settings
  const root = `${basePath}${pagePathOf(model)}`
  const object = isJsonObject(saved) ? saved : undefined
  const notice = Array.isArray(saved)
    ? countParameters(request, 'created-all', saved.length)
    : noticeParameters(effect, {
        id: object && Number(object.id),
        undo: effect === 'unchanged' ? undefined : request,
      })
  const returnTo = returnPath(request, texts?.get(RETURN)?.[0])
  if (texts?.has('_addanother')) {
    const kept = keptValues(model, groups, request.search)
    for (const [name, value] of Object.entries(notice)) kept.set(name, value)
    if (returnTo !== undefined) kept.set(RETURN, returnTo)
    return seeOther(`${root}add/?${kept}`)
  }
  // People create a branch to work in it.
  const isBranch = model.name === SYSTEM.branch && effect === 'created'
  const cookies = isBranch && object?.schema_id ? [choiceCookie(request, String(object.schema_id))] : []
  if (returnTo !== undefined)
    return seeOther(withParameters(request, returnTo, { ...notice, ...modelParameter(model) }), cookies)
  // For several objects, the list shows only these.
  const next = object ? `${object.id}/?` : `?created_by_request=${request.id}&`
  return seeOther(`${root}${next}${new URLSearchParams(notice)}`, cookies)
}

/**
 * Values that the next object probably shares, and those with which the form was opened. A choice that tells it from the
 * saved one, such as the side of a circuit's termination, is the next of its list.
 */
function keptValues(
  { definition: { unique = [] }, fields }: Model,
  groups: FormPage['groups'],
  search: URLSearchParams,
): URLSearchParams {
  const isKept = (name: string) => ['foreignKey', 'choice'].includes(fields.get(name)?.kind ?? '')
  const distinct = new Set(unique.flatMap((set): readonly string[] => (set.fields.every(isKept) ? set.fields : [])))
  const kept = new URLSearchParams()
  for (const control of groups.flatMap(({ controls }) => controls)) {
    const { name, input } = control
    const isChoice = ['select', 'objects', 'choices', 'checks'].includes(input.kind)
    if (!isChoice && !search.has(name)) continue
    const texts = shownTexts(control)
    const values = input.kind === 'select' && distinct.has(name) ? valuesAfter(input.options, texts[0]) : texts
    for (const text of values) if (text !== '') kept.append(name, text)
  }
  return kept
}

/** The value that follows another in a list of options; none after the last. */
const valuesAfter = (options: readonly Option[], value: string | undefined): readonly string[] =>
  options
    .map((option) => option.value)
    .slice(options.findIndex((option) => option.value === value) + 1)
    .slice(0, 1)

/** The only page that shows the secret of a new token. */
export function savedTokenPage(request: ApiRequest, model: Model, token: JsonObject): FramedPage {
  const page = pagePathOf(model) ?? '/'
  const { basePath } = request.service.settings
  return {
    title: translate('Token created'),
    model,
    status: 201,
    styles: ['objects.css'],
    breadcrumbs: [{ label: shownPlural(model), path: page }],
    body: html`<h1>${translate('Token created')}</h1>
<div class="notice good" role="status"><p>${translate('Copy the token now: it is shown only this once.')}</p><p class="secret">${String(token.token ?? token.key ?? '')}</p></div>
<p><a class="button" href="${basePath}${page}${Number(token.id)}/">${translate('Go to the token')}</a></p>`,
  }
}
