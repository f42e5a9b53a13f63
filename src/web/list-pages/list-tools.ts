import type { ApiRequest } from '../../api/api-request.ts'
import { mayAct } from '../../identity/permitted-rows.ts'
import { lastValue } from '../../read/query/last-value.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { connectListLink } from '../cabling/connect-link.ts'
import { columnLabel } from '../components/field-label.ts'
import { linkList, linkMenu } from '../components/menu.ts'
import { shownNoun } from '../components/model-title.ts'
import { addPathOf, isImportable, offersMethod } from '../components/offered-methods.ts'
import { VIEW } from '../data/saved-views.ts'
import type { PageContributions } from '../frame/contributions.ts'
import { hasGrid } from '../grid/grid-page.ts'
import { type Content, html } from '../html.ts'
import { GROUP_BY, groupableColumns } from '../lists/grouping.ts'
import type { ListPreferences } from '../lists/list-preferences.ts'
import { changedQuery, filtersIn } from '../lists/list-query.ts'
import { scoresLink } from '../rules/scores-page.ts'
import { scriptUploadLink } from '../scripts/upload-page.ts'
import { translate } from '../texts/translate.ts'
import { SAVE_GROUP, SAVE_VIEW } from './save-list-page.ts'

/** Buttons next to the heading of a list. */
export function listTools(
  request: ApiRequest,
  model: Model,
  preferences: ListPreferences,
  added: PageContributions['listLinks'],
): Content {
  const { actor, service, search } = request
  const page = `${service.settings.basePath}${pagePathOf(model)}`
  const mayAdd = offersMethod(model, 'POST') && mayAct(actor, 'add', model, service.settings)
  const mayChange = mayAct(actor, 'change', model, service.settings)
  return html`<div class="actions" data-live="tools">
${mayAdd && html`<a class="button" data-key="c" href="${page}${addPathOf(model)}">${translate('Add {model}', { model: shownNoun(model) })}</a>`}
${scriptUploadLink(request, model)}
${mayAdd && connectListLink(request, model)}${added.map((link) => link(request, model))}${scoresLink(request, model)}
${mayAdd && isImportable(model) && html`<a class="button quiet" href="${page}import/">${translate('Import')}</a>`}
${mayChange && hasGrid(model) && html`<a class="button quiet" href="${page}grid/?${search.toString()}">${translate('Grid')}</a>`}
${exportMenu(request, model, preferences)}
</div>`
}

/** Menus of the list itself: views, stored filters, groups and columns. */
export function listMenus(request: ApiRequest, model: Model, preferences: ListPreferences): Content {
  const page = `${request.service.settings.basePath}${pagePathOf(model)}`
  return html`${viewMenu(request, model, preferences)}${groupMenu(request, model, preferences)}${columnMenu(request, page, preferences)}`
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

/** The saved views and filters of the list, and forms that save the present ones. */
function viewMenu(request: ApiRequest, model: Model, preferences: ListPreferences): Content {
  const { search, actor, service } = request
  const { registry, settings } = service
  const { views, savedFilters } = preferences
  const savedView = registry.model(SYSTEM.savedView)
  const viewId = lastValue(search, VIEW)
  const links = views.map(({ id, name, query }) => ({ label: name, href: query, isCurrent: viewId === String(id) }))
  const page = `${settings.basePath}${pagePathOf(savedView)}`
  const list = `${settings.basePath}${pagePathOf(model)}`
  const maySave = mayAct(actor, 'add', savedView, settings)
  const isUser = actor.kind === 'user'
  if (links.length + savedFilters.length === 0 && !maySave && !isUser) return undefined
  const savedQuery = search.toString()
  const more = html`${maySave && html`<p data-form><a href="${list}${SAVE_VIEW}?${savedQuery}">${translate('Save this view…')}</a></p>`}
${views.length > 0 && html`<p><a href="${page}?object_type=${model.name}">${translate('Manage views…')}</a></p>`}
${savedFilterLinks(search, savedFilters)}
${groupLink(request, model)}
${isUser && html`<p><a href="${settings.basePath}${pagePathOf(model)}filters/?${filtersIn(search).toString()}">${translate('Manage filters…')}</a></p>`}`
  return linkMenu(translate('Views'), links, { more })
}

/** Filters without columns and order, as NetBox has them. */
function savedFilterLinks(search: URLSearchParams, savedFilters: ListPreferences['savedFilters']): Content {
  const chosen = new Set([...search.getAll('filter_id'), ...search.getAll('filter')])
  const links = savedFilters.map(({ id, name, slug = '' }) => ({
    label: name,
    href: `?filter_id=${id}`,
    isCurrent: chosen.has(String(id)) || chosen.has(slug),
  }))
  return links.length > 0 && html`<p class="muted">${translate('Saved filters')}</p>${linkList(links)}`
}

/** The form of a new dynamic group with the filters of the list, for users who may add one. */
function groupLink({ search, actor, service }: ApiRequest, model: Model): Content {
  const { registry, settings } = service
  const group = registry.model(SYSTEM.dynamicGroup)
  const filters = filtersIn(search)
  if (filters.size === 0 || !mayAct(actor, 'add', group, settings)) return undefined
  return html`<p data-form><a href="${settings.basePath}${pagePathOf(model)}${SAVE_GROUP}?${filters.toString()}">${translate('Save as dynamic group…')}</a></p>`
}

/** The columns by which the rows can be grouped. */
function groupMenu({ search, service: { registry } }: ApiRequest, model: Model, { columns }: ListPreferences): Content {
  const names = groupableColumns(registry, model, columns)
  if (names.length === 0) return undefined
  const chosen = lastValue(search, GROUP_BY)
  const links = names.map((name) => ({
    label: columnLabel(registry, model, name),
    href: changedQuery(search, { [GROUP_BY]: name }),
    isCurrent: chosen === name,
  }))
  const none = { label: translate('No groups'), href: changedQuery(search, { [GROUP_BY]: undefined }) }
  return linkMenu(translate('Group by'), [{ ...none, isCurrent: chosen === undefined }, ...links])
}

function columnMenu({ search, actor }: ApiRequest, page: string, { tableConfigs }: ListPreferences): Content {
  const chosen = lastValue(search, 'tableconfig_id')
  const ownColumns = {
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
    links.length > 0 ? [{ ...ownColumns, isCurrent: chosen === undefined }, ...links] : [],
    { more: actor.kind === 'user' && manage },
  )
}
