import { type ApiRequest, lastValue } from '../../api/api-request.ts'
import { parseWindow } from '../../read/query/window.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import { type Content, html } from '../components/html.ts'
import { FORM_MARK } from '../forms/fields/filter-redirect.ts'
import { translate } from '../texts/translate.ts'
import { filterChips } from './filter-chips.ts'
import { filterPanel } from './filter-panel.ts'
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
    kept: [
      [FORM_MARK, '1'],
      ...kept.flatMap((name) => search.getAll(name).map((value) => [name, value] as const)),
    ],
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
