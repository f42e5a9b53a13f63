import { type ApiRequest, lastValue } from '../../api/api-request.ts'
import { parseWindow } from '../../read/query/window.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import { type Control, controlField } from '../components/control.ts'
import { type Content, type Html, html } from '../components/html.ts'
import { FORM_MARK } from '../forms/fields/filter-redirect.ts'
import { translate } from '../texts/translate.ts'
import type { ListFilters } from './filters.ts'
import { filtersIn } from './list-query.ts'

/** How many objects a page of a list has, and how many it can have. */
export interface PageSizes {
  readonly pageSize: number
  readonly sizes: readonly number[]
}

/** The form above a list, with the filters that the request has. */
export function filterPanelOf(
  { url, search, service }: ApiRequest,
  model: Model,
  { groups, chips }: ListFilters,
  { pageSize, sizes: offered }: PageSizes,
): Content {
  const { limit } = parseWindow(
    new URLSearchParams({ limit: lastValue(search, 'limit') ?? String(pageSize) }),
    service.settings,
  )
  const most = service.settings.maxPageSize || Number.POSITIVE_INFINITY
  const sizes = new Set([...offered, limit ?? pageSize])
  const kept = ['ordering', 'tableconfig_id', 'filter_id', 'filter']
  return filterPanel({
    action: url.pathname,
    kept: [[FORM_MARK, '1'], ...kept.flatMap((name) => search.getAll(name).map((value) => [name, value] as const))],
    words: model.definition.search ? (lastValue(search, 'q') ?? '') : undefined,
    sizes: [...sizes].filter((size) => size <= most).sort((a, b) => a - b),
    size: limit,
    groups,
    used: chips.length,
  })
}

/** The filters in use, each with a link that removes it. */
export function filterChipsOf(request: ApiRequest, model: Model, { chips }: ListFilters): Content {
  const { basePath } = request.service.settings
  const filters = filtersIn(request.search)
  const save = html`<a href="${basePath}${pagePathOf(model)}filters/?${filters.toString()}">${translate('Save this filter')}</a>`
  return filterChips(chips, '?q=', request.actor.kind === 'user' && save)
}

/** Filters that belong together. */
export interface FilterGroup {
  readonly label: string
  readonly controls: readonly Control[]
}

/** Search, page size and filters of a list, as one form. */
interface FilterPanel {
  /** Path to which the form is submitted, with the base path. */
  readonly action: string
  /** Hidden fields: the marker of the form, and parameters that are no filters. */
  readonly kept: readonly (readonly [name: string, value: string])[]
  /** Text of the quick search; undefined where the model has none. */
  readonly words: string | undefined
  readonly sizes: readonly number[]
  readonly size: number | undefined
  readonly groups: readonly FilterGroup[]
  /** Number of filters in use. */
  readonly used: number
}

/** The form above a list. All but the quick search and the page size can be expanded. */
function filterPanel(panel: FilterPanel): Html {
  const { action, kept, words, sizes, size, groups, used } = panel
  const isRefused = groups.some(({ controls }) => controls.some(({ errors = [] }) => errors.length > 0))
  return html`<form class="list-filters" method="get" action="${action}" role="search" aria-label="${translate('Filters')}">
${kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<div class="bar">
${words !== undefined && html`<label class="grow"><span class="visually-hidden">${translate('Search')}</span><input type="search" name="q" value="${words}" placeholder="${translate('Search in this list…')}" autocomplete="off"></label>`}
<label>${translate('Per page')} <select name="limit">${sizes.map((each) => html`<option value="${each}"${each === size && html` selected`}>${each}</option>`)}</select></label>
<button>${translate('Show')}</button>
</div>
${
  groups.length > 0 &&
  html`<details class="filter-panel"${isRefused && html` open`}><summary>${translate('Filters')}${used > 0 && html` <span class="count">${used}</span>`}</summary>
<div class="filter-groups">${groups.map(filterGroup)}</div>
<div class="buttons"><button>${translate('Show')}</button></div>
</details>`
}
</form>`
}

const filterGroup = ({ label, controls }: FilterGroup, place: number): Html =>
  html`<fieldset><legend class="${label === '' && 'visually-hidden'}">${label || translate('Filters')}</legend>${controls.map(
    (control, index) => controlField(control, `filter${place}-${index}`),
  )}</fieldset>`

interface Chip {
  readonly label: string
  readonly value: string
  /** Address of the list without this filter. */
  readonly without: string
}

/** The filters in use, each with a link that removes it. */
const filterChips = (chips: readonly Chip[], withoutAll: string, more: Content): Content =>
  chips.length > 0 &&
  html`<div class="chips"><span class="visually-hidden">${translate('Filters in use:')}</span>
<ul>${chips.map(filterChip)}</ul><a href="${withoutAll}">${translate('Remove all')}</a>${more}</div>`

const filterChip = ({ label, value, without }: Chip): Html =>
  html`<li class="chip"><span>${label}: <bdi>${value}</bdi></span><a href="${without}" aria-label="${translate('Remove the filter {filter}: {value}', { filter: label, value })}">×</a></li>\n`
