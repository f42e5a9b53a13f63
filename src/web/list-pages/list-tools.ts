import type { ApiRequest } from '../../api/api-request.ts'
import { mayAct } from '../../identity/permitted-rows.ts'
import { lastValue } from '../../read/query/last-value.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import { connectListLink } from '../cabling/connect-link.ts'
import { linkMenu } from '../components/menu.ts'
import { shownNoun } from '../components/model-title.ts'
import { offersMethod } from '../components/offered-methods.ts'
import { hasGrid } from '../grid/grid-page.ts'
import { type Content, html } from '../html.ts'
import { isImportable } from '../import/import-page.ts'
import type { ListPreferences } from '../lists/list-preferences.ts'
import { changedQuery, filtersIn } from '../lists/list-query.ts'
import { siteMapLink } from '../site-map/site-map-link.ts'
import { translate } from '../texts/translate.ts'
import { topologyListLink } from '../topology/topology-link.ts'

/** Buttons next to the heading of a list. */
export function listTools(request: ApiRequest, model: Model, preferences: ListPreferences): Content {
  const { actor, service, search } = request
  const page = `${service.settings.basePath}${pagePathOf(model)}`
  const mayAdd = offersMethod(model, 'POST') && mayAct(actor, 'add', model, service.settings)
  const mayChange = mayAct(actor, 'change', model, service.settings)
  return html`<div class="actions" data-live="tools">
${mayAdd && html`<a class="button" data-key="c" href="${page}add/">${translate('Add {model}', { model: shownNoun(model) })}</a>`}
${mayAdd && connectListLink(request, model)}${topologyListLink(request, model)}${siteMapLink(request, model)}
${mayAdd && isImportable(model) && html`<a class="button quiet" href="${page}import/">${translate('Import')}</a>`}
${mayChange && hasGrid(model) && html`<a class="button quiet" href="${page}grid/?${search.toString()}">${translate('Grid')}</a>`}
${exportMenu(request, model, preferences)}
</div>`
}

/** Menus of the list itself: stored filters and columns. */
export function listMenus(request: ApiRequest, model: Model, preferences: ListPreferences): Content {
  const page = `${request.service.settings.basePath}${pagePathOf(model)}`
  return html`${savedFilterMenu(request, page, preferences)}${columnMenu(request, page, preferences)}`
}

/** Downloads of the list with its filters and order. */
function exportMenu({ search, service }: ApiRequest, model: Model, { exportTemplates }: ListPreferences): Content {
  const hasComponents = service.registry.view(model).importComponents !== undefined
  const formats: readonly (readonly [label: string, name: string])[] = [
    [hasComponents ? translate('With components (YAML)') : translate('All columns (CSV)'), ''],
    [translate('Shown columns (CSV)'), 'table'],
    [translate('Objects (JSON)'), 'json'],
    [translate('Objects (YAML)'), 'yaml'],
    ...exportTemplates.map(({ name }) => [name, name] as const),
  ]
  return linkMenu(
    translate('Export'),
    formats.map(([label, name]) => ({ label, href: changedQuery(search, { export: name }) })),
  )
}

function savedFilterMenu({ search, actor }: ApiRequest, page: string, { savedFilters }: ListPreferences): Content {
  const chosen = new Set([...search.getAll('filter_id'), ...search.getAll('filter')])
  const links = savedFilters.map(({ id, name, slug = '' }) => ({
    label: name,
    href: `?filter_id=${id}`,
    isCurrent: chosen.has(String(id)) || chosen.has(slug),
  }))
  const manage = html`<p><a href="${page}filters/?${filtersIn(search).toString()}">${translate('Manage filters…')}</a></p>`
  if (links.length === 0 && actor.kind !== 'user') return undefined
  return linkMenu(translate('Saved filters'), links, { more: actor.kind === 'user' && manage })
}

function columnMenu({ search, actor }: ApiRequest, page: string, { tableConfigs }: ListPreferences): Content {
  const chosen = lastValue(search, 'tableconfig_id')
  const own = {
    label: translate('My columns'),
    href: changedQuery(search, { tableconfig_id: undefined }),
  }
  const links = tableConfigs.map(({ id, name }) => ({
    label: name,
    href: changedQuery(search, { tableconfig_id: String(id) }),
    isCurrent: chosen === String(id),
  }))
  // The script replaces the link by the form of that page.
  const manage = html`<p data-columns="${page}columns/?${search.toString()}"><a href="${page}columns/?${search.toString()}">${translate('Choose columns…')}</a></p>`
  if (links.length === 0 && actor.kind !== 'user') return undefined
  return linkMenu(
    translate('Columns'),
    links.length > 0 ? [{ ...own, isCurrent: chosen === undefined }, ...links] : [],
    { more: actor.kind === 'user' && manage },
  )
}
