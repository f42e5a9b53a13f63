import { mayAct } from '../../../auth/permitted-rows.ts'
import { type Content, html } from '../../../pages/html.ts'
import { linkMenu } from '../../../pages/lists/menu.ts'
import { titleOf } from '../../../schema/class-name.ts'
import { pagePathOf } from '../../../schema/page-path.ts'
import type { Model } from '../../../schema/registry.ts'
import { type ApiRequest, lastValue } from '../../api-request.ts'
import { isImportable } from '../import/import-page.ts'
import { offersMethod } from '../offered-methods.ts'
import type { ListPreferences } from './list-preferences.ts'
import { changedQuery, filtersIn } from './list-query.ts'

/** Buttons and menus beside the heading of a list. */
export function listTools(
  request: ApiRequest,
  model: Model,
  preferences: ListPreferences,
): Content {
  const { actor, service } = request
  const page = `${service.settings.basePath}${pagePathOf(model)}`
  const mayAdd = offersMethod(model, 'POST') && mayAct(actor, 'add', model, service.settings)
  return html`<div class="actions">
${mayAdd && html`<a class="button" href="${page}add/">Add ${titleOf(model)}</a>`}
${mayAdd && isImportable(model) && html`<a class="button quiet" href="${page}import/">Import</a>`}
${exportMenu(request, model, preferences)}
${savedFilterMenu(request, page, preferences)}
${columnMenu(request, page, preferences)}
</div>`
}

/** Downloads of the list with its filters and order. */
function exportMenu(
  { search, service }: ApiRequest,
  model: Model,
  { exportTemplates }: ListPreferences,
): Content {
  const hasComponents = service.registry.view(model).importComponents !== undefined
  const formats: readonly (readonly [label: string, name: string])[] = [
    [hasComponents ? 'With components (YAML)' : 'All columns (CSV)', ''],
    ['Shown columns (CSV)', 'table'],
    ['Objects (JSON)', 'json'],
    ['Objects (YAML)', 'yaml'],
    ...exportTemplates.map(({ name }) => [name, name] as const),
  ]
  return linkMenu(
    'Export',
    formats.map(([label, name]) => ({ label, href: changedQuery(search, { export: name }) })),
  )
}

function savedFilterMenu(
  { search, actor }: ApiRequest,
  page: string,
  { savedFilters }: ListPreferences,
): Content {
  const chosen = new Set([...search.getAll('filter_id'), ...search.getAll('filter')])
  const links = savedFilters.map(({ id, name, slug = '' }) => ({
    label: name,
    href: `?filter_id=${id}`,
    isCurrent: chosen.has(String(id)) || chosen.has(slug),
  }))
  const manage = html`<p><a href="${page}filters/?${filtersIn(search).toString()}">Save or choose a default…</a></p>`
  if (links.length === 0 && actor.kind !== 'user') return undefined
  return linkMenu('Saved filters', links, actor.kind === 'user' && manage)
}

function columnMenu(
  { search, actor }: ApiRequest,
  page: string,
  { tableConfigs }: ListPreferences,
): Content {
  const chosen = lastValue(search, 'tableconfig_id')
  const own = { label: 'My columns', href: changedQuery(search, { tableconfig_id: undefined }) }
  const links = tableConfigs.map(({ id, name }) => ({
    label: name,
    href: changedQuery(search, { tableconfig_id: String(id) }),
    isCurrent: chosen === String(id),
  }))
  const manage = html`<p><a href="${page}columns/?${search.toString()}">Choose columns…</a></p>`
  if (links.length === 0 && actor.kind !== 'user') return undefined
  return linkMenu(
    'Columns',
    links.length > 0 ? [{ ...own, isCurrent: chosen === undefined }, ...links] : [],
    actor.kind === 'user' && manage,
  )
}
