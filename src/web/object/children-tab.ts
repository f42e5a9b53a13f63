import { type ApiRequest, lastValue } from '../../api/api-request.ts'
import { mayAct } from '../../identity/permitted-rows.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Registry } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { ChildrenTab } from '../../schema/view.ts'
import { connectionColumns } from '../cabling/connection-columns.ts'
import { type Content, html } from '../components/html.ts'
import { shownPlural, shownTitle } from '../components/model-title.ts'
import { offersMethod } from '../components/offered-methods.ts'
import { RETURN } from '../forms/saved.ts'
import { objectRows } from '../lists/object-rows.ts'
import { translate, translateLabel } from '../texts/translate.ts'
import { columnsOfChildren, listByRelation, listOfChildren } from './children.ts'
import type { FilteredList } from './count-lists.ts'
import { listWindow } from './list-window.ts'
import type { ObjectTab } from './object-content.ts'

/** The tab with the objects of another model that belong to the object. */
export function childrenTab(registry: Registry, children: ChildrenTab): ObjectTab {
  const label = (): string =>
    children.label === undefined
      ? shownPlural(registry.model(children.model))
      : translateLabel(children.label)
  return {
    models: (model) => registry.view(model).tabs?.includes(children) === true,
    path: children.path,
    label,
    list: (_registry, _model, object) => listOfChildren(registry, children, object),
    isCounted: true,
    isHiddenIfEmpty: children.hiddenIfEmpty === true,
    load: async ({ request, object }) => ({
      content: await listPart(request, listOfChildren(registry, children, object), label(), {
        columns: children.columns ?? columnsOfChildren(registry, children),
        hasConnections: children.columns !== undefined,
      }),
      styles: ['cabling.css'],
    }),
  }
}

const jobsOf = listByRelation(SYSTEM.job, 'object')

/** The tab with the background jobs of the object. */
export const jobsTab: ObjectTab = {
  models: (model) => model.has('jobs'),
  path: 'jobs',
  label: () => translate('Jobs'),
  list: jobsOf,
  load: async ({ request, model, object }) => {
    const jobs = jobsOf(request.service.registry, model, object)
    return { content: await listPart(request, jobs, translate('Jobs')) }
  },
}

/** Parameters of the address that the list of a tab takes over. */
const TAKEN = ['ordering', 'q']

/** Columns of a list within the pages of another object. */
interface PartColumns {
  readonly columns: readonly string[]
  /** Columns with the far ends of connections follow. */
  readonly hasConnections: boolean
}

/** A slice of a list within the pages of another object, with its own search, order and position. */
async function listPart(
  request: ApiRequest,
  list: FilteredList,
  label: string,
  own?: PartColumns,
): Promise<Content> {
  const { service, search } = request
  const columns = own?.columns ?? service.registry.view(list.model).columns
  const further = own?.hasConnections ? connectionColumns(request, list.model) : undefined
  const query = new URLSearchParams(list.query)
  for (const name of TAKEN) {
    const value = lastValue(search, name)
    if (value !== undefined && value !== '') query.set(name, value)
  }
  const { objects, table, extent } = await listWindow(request, query, (window) =>
    objectRows(request, list.model, { query: window, columns, isSortable: true, further, label }),
  )
  return html`<div class="list-head">${searchForm(search)}${linksOf(request, list)}</div>
${extent}${objects.length === 0 ? html`<p class="notice">${translate('There are none.')}</p>` : table}${objects.length > 20 && extent}`
}

const searchForm = (search: URLSearchParams): Content =>
  html`<form method="get" role="search"><input type="search" name="q" value="${lastValue(search, 'q') ?? ''}" aria-label="${translate('Search this list')}" placeholder="${translate('Search')}"> <button class="quiet">${translate('Search')}</button></form>`

function linksOf({ actor, service, url }: ApiRequest, { model, query }: FilteredList): Content {
  const { basePath } = service.settings
  const page = `${basePath}${pagePathOf(model)}`
  const mayAdd = offersMethod(model, 'POST') && mayAct(actor, 'add', model, service.settings)
  const values = new URLSearchParams(
    [...query].map(([name, value]): [string, string] => [name.replace(/_id$/, ''), value]),
  )
  values.set(RETURN, url.pathname)
  return html`<div class="actions">${mayAdd && html`<a class="button" href="${page}add/?${String(values)}">${translate('Add {model}', { model: shownTitle(model) })}</a>`}<a class="button quiet" href="${page}?${String(query)}">${translate('Open as a list')}</a></div>`
}
