import type { ApiRequest } from '../../api/api-request.ts'
import { ApiError, type Messages } from '../../base/errors.ts'
import { parseWindow } from '../../read/query/window.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import { addressColumns } from '../addresses/utilization-columns.ts'
import { branchColumns } from '../branches/branch-part.ts'
import { requestColumns } from '../branches/reviews.ts'
import { compareListAddress } from '../compare/compare-page.ts'
import { csrfField } from '../components/csrf-field.ts'
import { shownPlural, shownPluralNoun } from '../components/model-title.ts'
import { RETURN } from '../forms/return-path.ts'
import type { PageContributions } from '../frame/contributions.ts'
import type { PageResponse } from '../frame/page-frame.ts'
import { seeOther } from '../frame/page-response.ts'
import { earlierStateMenu } from '../frame/page-time.ts'
import { dropEffect } from '../frame/saved-notice.ts'
import { type Content, type Html, html } from '../html.ts'
import { bulkActions } from '../lists/bulk-actions.ts'
import { emptyList } from '../lists/empty-list.ts'
import { FILTER_FORM, filterBarOf, filterChipsOf, unknownFilters } from '../lists/filter-form.ts'
import { type ListFilters, listFilters } from '../lists/filters.ts'
import { groupOf } from '../lists/grouping.ts'
import { listExtent } from '../lists/list-extent.ts'
import { type ListPreferences, listPreferences } from '../lists/list-preferences.ts'
import { canonicalQuery, changedQuery, filtersIn } from '../lists/list-query.ts'
import type { RowsPage } from '../lists/object-rows.ts'
import { listRows } from '../object-parts/change-rows.ts'
import { rackColumns } from '../racks/space-columns.ts'
import { numeral, translate } from '../texts/translate.ts'
import { favoriteButton } from './favorite-page.ts'
import { filterMessages } from './filter-messages.ts'
import { listMenus, listTools } from './list-tools.ts'

/** Id of the form to which the check boxes of a list belong. */
export const SELECTION_FORM = 'selection'

/** Parameter of the page that shows the columns without values too. */
export const EMPTY_COLUMNS = 'empty_columns'

/** Objects on a page. */
const SIZES = [25, 50, 100, 250, 500, 1000]

/** GET of a model's list: its filters, and a page of its objects as a table. */
export async function objectListPage(
  request: ApiRequest,
  model: Model,
  added: Pick<PageContributions, 'listLinks'>,
): Promise<PageResponse> {
  const preferences = await listPreferences(request, model)
  const { pageSize } = preferences
  const moved = request.search.size === 0 ? preferences.defaultQuery : canonicalQuery(request.search, pageSize)
  if (moved !== undefined) return seeOther(`${request.url.pathname}${moved}`)
  const label = shownPlural(model)
  const { rows, refusal } = await rowsOf(request, model, preferences)
  const filters = await listFilters(request, model, preferences.savedNames, refusal)
  return {
    title: label,
    model,
    status: rows ? 200 : 400,
    styles: ['inputs.css', 'objects.css', 'lists.css', 'list-view.css', 'edit.css', 'inline-edit.css'],
    scripts: ['lists.client.ts', 'inline-edit.client.ts'],
    breadcrumbs: [{ label, path: pagePathOf(model) ?? '/' }],
    body: html`<div class="list-view"><div class="heading"><h1>${label} <small class="count" data-live="count">${rows && numeral(rows.count)}</small></h1>${await favoriteButton(request, model)}${await earlierStateMenu(request, model, compareListAddress(request, model))}${listTools(request, model, preferences, added.listLinks)}</div>
${filterBarOf(request, model, filters, listMenus(request, model, preferences))}
<div class="list-result" data-live="result" aria-live="polite">${filterChipsOf(request, model, filters)}
${noticesOf(filters, refusal)}
${rows && resultOf(request, model, rows, pageSize)}</div></div>`,
  }
}

interface Rows {
  readonly rows: RowsPage | undefined
  /** Why the filters cannot be used. */
  readonly refusal: Messages | undefined
}

/** The rows that the query selects, or the reason why it cannot be used. */
async function rowsOf(
  request: ApiRequest,
  model: Model,
  { columns, chosenColumns, ordering, pageSize }: ListPreferences,
): Promise<Rows> {
  const query = new URLSearchParams(request.search)
  if (!query.has('limit')) query.set('limit', String(pageSize))
  if (!query.has('ordering') && ordering !== undefined) query.set('ordering', ordering)
  try {
    const rows = await listRows(request, model, {
      query,
      columns,
      // Columns that somebody has chosen stay.
      leavesOutEmpty: chosenColumns === undefined && !query.has(EMPTY_COLUMNS),
      isSortable: true,
      selectionForm: bulkActions(request, model).length > 0 ? SELECTION_FORM : undefined,
      label: shownPlural(model),
      further:
        addressColumns(request, model) ??
        rackColumns(request, model) ??
        branchColumns(request, model) ??
        requestColumns(request, model),
      withEdit: true,
      group: groupOf(request.service.registry, model, request.search),
    })
    return { rows, refusal: undefined }
  } catch (error) {
    if (!(error instanceof ApiError) || error.reason.kind !== 'invalid') throw error
    return { rows: undefined, refusal: filterMessages(request, model, error.reason.messages) }
  }
}

function noticesOf(filters: ListFilters, refusal: Messages | undefined): Content {
  return html`${unknownFilters(filters)}
${refusal !== undefined && html`<div class="notice bad" role="alert">${sentences(refusal).map((sentence) => html`<p>${sentence}</p>`)}</div>`}`
}

const sentences = (messages: Messages): readonly string[] =>
  typeof messages === 'string' ? [messages] : Object.values(messages).flatMap(sentences)

function resultOf(request: ApiRequest, model: Model, rows: RowsPage, pageSize: number): Content {
  const { table, objects, count, emptyColumns } = rows
  const { search, service } = request
  if (count === 0) return emptyList(request, model)
  const sized = new URLSearchParams(search)
  if (!sized.has('limit')) sized.set('limit', String(pageSize))
  const window = parseWindow(sized, service.settings)
  const selection = selectionForm(request, model, { query: sized, onPage: objects.length, count })
  return html`${table}${listFoot(html`${selection}${signOfEmptyColumns(search, emptyColumns)}`, html`${pageSizes(request, window.limit)}${listExtent(search, rows, window)}`)}`
}

/** Says which columns are left out, because they have no value on this page. */
export function signOfEmptyColumns(search: URLSearchParams, labels: readonly string[]): Content {
  if (labels.length === 0) return undefined
  const query = new URLSearchParams(search)
  dropEffect(query)
  return html`<span class="empty-columns">${translate('Empty: {columns}', { columns: labels.join(', ') })} <a href="${changedQuery(query, { [EMPTY_COLUMNS]: 'shown' })}">${translate('Show')}</a></span>`
}

/** The line below a table: actions on the selected rows, and links to the other rows. */
export const listFoot = (selection: Content, extent: Content): Html =>
  html`<div class="list-foot">${selection}${extent}</div>`

/** The choice of the number of rows, a part of the form of the filters. */
function pageSizes({ service }: ApiRequest, size: number | undefined): Html {
  const most = service.settings.maxPageSize || Number.POSITIVE_INFINITY
  const sizes = [...new Set([...SIZES, ...(size === undefined ? [] : [size])])]
    .filter((size) => size <= most)
    .sort((a, b) => a - b)
  return html`<label class="page-size">${translate('Per page')} <select name="limit" form="${FILTER_FORM}">${sizes.map((item) => html`<option value="${item}"${item === size && html` selected`}>${item}</option>`)}</select></label>`
}

/** The text in place of a table without rows. */
export const emptyText = (model: Model, search: URLSearchParams): string =>
  filtersIn(search).size === 0
    ? translate('No {objects} yet.', { objects: shownPluralNoun(model) })
    : translate('Nothing matches these filters.')

/** A slice of a list whose objects can be selected. */
interface SelectedFrom {
  /** Filters and window of the list. */
  readonly query: URLSearchParams
  readonly onPage: number
  readonly count: number
  /** Page that shows this part, if it is not the list of the model. */
  readonly returnTo?: string
}

/** The actions on the selected objects: each button opens a page with a form for all of them. */
export function selectionForm(
  request: ApiRequest,
  model: Model,
  { query, onPage, count, returnTo }: SelectedFrom,
): Content {
  const actions = bulkActions(request, model)
  if (actions.length === 0) return undefined
  // The query defines "all that match", and the page to return to.
  return html`<form id="${SELECTION_FORM}" class="selection" method="post" enctype="multipart/form-data" action="${actions[0]?.action}">
${csrfField(request.csrfToken)}<input type="hidden" name="query" value="${query.toString()}">${returnTo !== undefined && html`<input type="hidden" name="${RETURN}" value="${returnTo}">`}
<span class="selected" role="status"></span>
${count > onPage && html`<label><input type="checkbox" name="scope" value="all"> ${translate('All {count} that match', { count })}</label>`}
${actions.map(
  ({ label, action, isDangerous = false }) =>
    html`<button class="quiet${isDangerous && ' danger'}" formaction="${action}">${translate(label)}</button>\n`,
)}
</form>`
}
