import type { ApiRequest } from '../../api/api-request.ts'
import { lastValue } from '../../read/query/last-value.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import { words } from '../../schema/view.ts'
import { type Control, controlField } from '../components/control.ts'
import { icon } from '../components/icon.ts'
import { VIEW } from '../data/saved-views.ts'
import { FORM_MARK } from '../forms/fields/filter-redirect.ts'
import { type Content, type Html, html } from '../html.ts'
import { sentenceCase, translate, translateMarkup } from '../texts/translate.ts'
import { type FilterChip, type ListFilters, listFilters } from './filters.ts'
import { GROUP_BY } from './grouping.ts'
import { listPreferences } from './list-preferences.ts'
import { filtersIn } from './list-query.ts'

/** Id of the form with the filters of a list. */
export const FILTER_FORM = 'list-filters'

/** Filters that most people need; those that the list has get their own menus. */
const COMMON = words(`
  status severity rule_id type site_id role_id rack_id provider_id vrf_id device_id group_id region_id tenant_id tag
  user_id action object_type
`)
const MOST_COMMON = 5

/** Parameters of the list that are not filters; the form keeps them. */
const KEPT = ['ordering', GROUP_BY, VIEW, 'tableconfig_id', 'filter_id', 'filter']

/**
 * The bar above a list: search, common filters as menus, all others behind one button. `menus` are shown at its end.
 */
export function filterBarOf({ url, search }: ApiRequest, model: Model, { groups }: ListFilters, menus: Content): Html {
  const all = groups.flatMap(({ controls }) => controls)
  const common = COMMON.flatMap((name) => all.find((control) => control.name === name) ?? []).slice(0, MOST_COMMON)
  const further = groups
    .map(({ label, controls }) => ({ label, controls: controls.filter((control) => !common.includes(control)) }))
    .filter(({ controls }) => controls.length > 0)
  return html`<form id="${FILTER_FORM}" class="list-filters" method="get" action="${url.pathname}" role="search" aria-label="${translate('Filters')}">
<input type="hidden" name="${FORM_MARK}" value="1">${keptInputs(search)}
${listSearch(search, model)}
${common.map((control, index) => html`<details class="filter" data-filter="${control.name}"><summary class="button quiet">${control.label}</summary><div class="popover">${controlField(control, `common-${index}`, true)}</div></details>`)}
${further.length > 0 && furtherFilters(further)}
<button class="quiet apply">${translate('Apply')}</button>
<span class="list-menus" data-live="menus">${menus}</span>
</form>`
}

const keptInputs = (search: URLSearchParams, names: readonly string[] = KEPT): Content =>
  names.flatMap((name) =>
    search.getAll(name).map((value) => html`<input type="hidden" name="${name}" value="${value}">`),
  )

/** The field for words that the objects of a list contain. */
const listSearch = (search: URLSearchParams, model: Model): Content =>
  model.definition.search &&
  html`<label class="list-search">${icon('search')}<span class="visually-hidden">${translate('Search')}</span><input type="search" name="q" value="${lastValue(search, 'q') ?? ''}" placeholder="${translate('Search in this list…')}" autocomplete="off"></label>`

/**
 * The bar above a list that has only a search, such as a list within the page of an object. `kept`: parameters of that
 * page that a search keeps.
 */
export const searchBarOf = ({ url, search }: ApiRequest, model: Model, kept: readonly string[] = []): Html =>
  html`<form id="${FILTER_FORM}" class="list-filters" method="get" action="${url.pathname}" role="search" aria-label="${translate('Search this list')}">
${keptInputs(search, [...KEPT, ...kept])}${listSearch(search, model)}<button class="quiet apply">${translate('Search')}</button></form>`

/** The other filters: a list of their names, each of which opens its field. */
function furtherFilters(groups: readonly FilterGroup[]): Html {
  const isRefused = groups.some(({ controls }) => controls.some(({ errors = [] }) => errors.length > 0))
  return html`<details class="filter all-filters"${isRefused && html` open`}><summary class="button quiet">${icon('add')}${translate('Filter')}</summary>
<div class="popover"><input type="search" class="find-filter" placeholder="${translate('Find a filter…')}" aria-label="${translate('Find a filter…')}" autocomplete="off" hidden>
<div class="filter-groups">${groups.map(filterGroup)}</div></div></details>`
}

const filterGroup = ({ label, controls }: FilterGroup, place: number): Html =>
  html`<fieldset><legend class="${label === '' && 'visually-hidden'}">${sentenceCase(label) || translate('Filters')}</legend>${controls.map(
    (control, index) =>
      html`<details class="one" data-filter="${control.name}"${(control.errors ?? []).length > 0 && html` open`}><summary>${control.label}</summary>${controlField(control, `filter${place}-${index}`, true)}</details>`,
  )}</fieldset>`

/** The active filters, each with a link that removes it. */
export function filterChipsOf(request: ApiRequest, model: Model, { chips }: ListFilters): Content {
  const { basePath } = request.service.settings
  const filters = filtersIn(request.search)
  const save = html`<a href="${basePath}${pagePathOf(model)}filters/?${filters.toString()}">${translate('Save this filter')}</a>`
  return filterChips(chips, '?q=', request.actor.kind === 'user' && save)
}

/** Names the parameters that a list does not have. */
export const unknownFilters = ({ unknown }: ListFilters): Content =>
  unknown.length > 0 &&
  html`<p class="notice warn" role="status">${translateMarkup('This list has no filter {names}. It was ignored.', { names: unknown.map((name, index) => html`${index > 0 && ', '}“<bdi>${name}</bdi>”`) })}</p>`

/** The conditions of a list as texts, under which it is saved; nothing without any. */
export async function conditionChips(request: ApiRequest, model: Model): Promise<Content> {
  const { savedNames } = await listPreferences(request, model)
  const { chips } = await listFilters(request, model, savedNames, undefined)
  return (
    chips.length > 0 &&
    html`<ul class="condition-chips">${chips.map(({ label, value }) => html`<li class="chip">${label}: <bdi>${value}</bdi></li>`)}</ul>`
  )
}

/** Filters that belong together. */
export interface FilterGroup {
  readonly label: string
  readonly controls: readonly Control[]
}

/** The active filters, each with a link that removes it. */
const filterChips = (chips: readonly FilterChip[], withoutAll: string, more: Content): Content =>
  chips.length > 0 &&
  html`<div class="chips"><span class="visually-hidden">${translate('Filters in use:')}</span>
<ul>${chips.map(filterChip)}</ul><a href="${withoutAll}">${translate('Remove all')}</a>${more}</div>`

const filterChip = ({ name, label, value, without }: FilterChip): Html =>
  html`<li class="chip"><button type="button" data-edit="${name}">${label}: <bdi>${value}</bdi></button><a href="${without}" aria-label="${translate('Remove the filter {filter}: {value}', { filter: label, value })}">×</a></li>\n`
