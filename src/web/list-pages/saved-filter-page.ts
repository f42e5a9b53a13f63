import { changePreferences } from '../../api/actions/users/config.ts'
import type { ApiRequest } from '../../api/api-request.ts'
import { bodyText, wholeResponse } from '../../api/response.ts'
import type { FormValues } from '../../api/transport/body.ts'
import { createFrom } from '../../api/verbs/create.ts'
import { ApiError } from '../../base/errors.ts'
import { mayAct } from '../../identity/permitted-rows.ts'
import { requireUser } from '../../identity/require-user.ts'
import type { JsonObject } from '../../schema/json.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { csrfField } from '../components/csrf-field.ts'
import { shownPlural } from '../components/model-title.ts'
import { asking, sending } from '../data/inner-request.ts'
import { permittedIds } from '../data/page-objects.ts'
import { textIn } from '../forms/form-texts.ts'
import { type PageResponse, sentenceOf } from '../frame/page-frame.ts'
import { seeOther } from '../frame/page-response.ts'
import { type Content, type Html, html } from '../html.ts'
import { type FilterChip, listFilters } from '../lists/filters.ts'
import { listPreferences } from '../lists/list-preferences.ts'
import { filtersIn } from '../lists/list-query.ts'
import { translate } from '../texts/translate.ts'

/** GET and POST of `…/filters/`: saves the filters of a list and sets the user's default. */
export async function savedFiltersPage(request: ApiRequest, model: Model): Promise<PageResponse> {
  const { id: user } = requireUser(request)
  const { service } = request
  const form = request.method === 'POST' ? await request.body.form() : undefined
  const submitted = form ? new URLSearchParams(textIn(form, 'query')) : request.search
  const filters = filtersIn(submitted)
  if (!form) return await page(request, model, { filters })
  const list = `${service.settings.basePath}${pagePathOf(model)}`
  if (textIn(form, 'do') === 'default') {
    const chosen = Number(textIn(form, 'filter')) || null
    await changePreferences(service, user, { default_filters: { [model.name]: chosen } })
    return seeOther(list)
  }
  try {
    const id = await save(request, model, form, filters)
    if (textIn(form, 'default') === 'true') {
      await changePreferences(service, user, { default_filters: { [model.name]: id } })
    }
    return seeOther(`${list}?filter_id=${id}`)
  } catch (error) {
    if (!(error instanceof ApiError) || error.reason.kind !== 'invalid') throw error
    const name = textIn(form, 'name')
    return await page(request, model, { filters, name, error: sentenceOf(error) })
  }
}

/** Creates the saved filter and returns its id. */
async function save(request: ApiRequest, model: Model, form: FormValues, filters: URLSearchParams): Promise<number> {
  const name = textIn(form, 'name').trim()
  const body = {
    name,
    slug: slugOf(name),
    object_types: [model.name],
    parameters: Object.fromEntries([...new Set(filters.keys())].map((key) => [key, filters.getAll(key)])),
    shared: textIn(form, 'shared') === 'true',
    user: requireUser(request).id,
  } satisfies JsonObject
  const savedFilter = request.service.registry.model(SYSTEM.savedFilter)
  const response = await createFrom(sending(request, 'POST', body), savedFilter, body)
  const { id } = JSON.parse(bodyText(await wholeResponse(response))) as { id: number } // the new object
  return id
}

/** The name in small letters and digits, with hyphens between words. */
const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 100)

interface Shown {
  readonly filters: URLSearchParams
  readonly name?: string
  readonly error?: string
}

async function page(request: ApiRequest, model: Model, { filters, name = '', error }: Shown): Promise<PageResponse> {
  const { service, actor, csrfToken } = request
  const { basePath } = service.settings
  const { savedFilters, savedNames, defaultQuery } = await listPreferences(request, model)
  const { chips } = await listFilters(asking(request, filters), model, savedNames, undefined)
  const savedFilter = service.registry.model(SYSTEM.savedFilter)
  const list = pagePathOf(model) ?? '/'
  const title = translate('Saved filters of {objects}', { objects: shownPlural(model) })
  const action = request.url.pathname
  const fields = html`${csrfField(csrfToken)}<input type="hidden" name="query" value="${filters.toString()}">`
  const ids = savedFilters.map(({ id }) => id)
  const changeable = new Set(await permittedIds(request, 'change', savedFilter, ids))
  const saved = savedFilters.map((stored) => ({
    ...stored,
    isDefault: defaultQuery === `?filter_id=${stored.id}`,
    href: `${basePath}${list}?filter_id=${stored.id}`,
    ...(changeable.has(stored.id) && { editHref: `${basePath}${pagePathOf(savedFilter)}${stored.id}/edit/` }),
  }))
  return {
    title,
    model,
    status: error === undefined ? 200 : 400,
    styles: ['objects.css', 'lists.css'],
    breadcrumbs: [
      { label: shownPlural(model), path: list },
      { label: translate('Saved filters'), path: `${list}filters/` },
    ],
    body: html`<div class="heading"><h1>${title}</h1></div>${error !== undefined && html`<p class="notice bad" role="alert">${translate('Not saved.')} ${error}</p>`}
${mayAct(actor, 'add', savedFilter, service.settings) && saveForm(action, fields, chips, name)}
${savedFilters.length > 0 && defaultForm(action, fields, saved)}`,
  }
}

/** A form that saves the filters of a list. */
const saveForm = (action: string, fields: Content, chips: readonly FilterChip[], name: string): Content =>
  chips.length === 0
    ? html`<p class="notice">${translate('To save a filter, set it in the list first.')}</p>`
    : html`<form class="card" method="post" action="${action}"><h2>${translate('Save filter')}</h2>
${fields}
<ul>${chips.map(({ label, value }) => html`<li><bdi>${label}: ${value}</bdi></li>`)}</ul>
<div class="field"><label for="filter-name">${translate('Name')}</label><input id="filter-name" name="name" value="${name}" maxlength="100" required autocomplete="off"></div>
<p><label><input type="checkbox" name="shared" value="true"> ${translate('Other users can use it')}</label></p>
<p><label><input type="checkbox" name="default" value="true"> ${translate('Use as default')}</label></p>
<div class="buttons"><button name="do" value="save">${translate('Save')}</button></div></form>`

interface SavedFilterRow {
  readonly id: number
  readonly name: string
  readonly isDefault: boolean
  /** Address of the list with the filter. */
  readonly href: string
  /** Address of its form, if the sender may change it. */
  readonly editHref?: string
}

/** The filters saved before: one may be the user's default. */
const defaultForm = (action: string, fields: Content, saved: readonly SavedFilterRow[]): Html =>
  html`<form class="card" method="post" action="${action}"><h2>${translate('My default')}</h2>
${fields}
<fieldset class="plain"><legend class="visually-hidden">${translate('Default filter of this list')}</legend>
<p><label><input type="radio" name="filter" value=""${!saved.some(({ isDefault }) => isDefault) && html` checked`}> ${translate('No filter')}</label></p>
${saved.map(({ id, name, isDefault, href, editHref }) => html`<p><label><input type="radio" name="filter" value="${id}"${isDefault && html` checked`}> <bdi>${name}</bdi></label> · <a href="${href}">${translate('Show')}</a>${editHref !== undefined && html` · <a href="${editHref}">${translate('Edit')}</a>`}</p>`)}</fieldset>
<div class="buttons"><button name="do" value="default">${translate('Set as my default')}</button></div></form>`
