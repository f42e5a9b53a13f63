import { type ApiRequest, lastValue } from '../../api/api-request.ts'
import { mayAct, requirePermission } from '../../identity/permitted-rows.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { ChildrenTab } from '../../schema/view.ts'
import { connectionColumns } from '../cabling/connection-columns.ts'
import { type Content, html } from '../components/html.ts'
import { shownPlural, shownTitle } from '../components/model-title.ts'
import { offersMethod } from '../components/offered-methods.ts'
import { readOne } from '../frame/inner-request.ts'
import { objectRows } from '../lists/object-rows.ts'
import { translate, translateLabel } from '../texts/translate.ts'
import { columnsOfChildren, listOfChildren } from './children.ts'
import type { FilteredList } from './count-lists.ts'
import { listWindow } from './list-window.ts'
import { objectFrame } from './object-frame.ts'
import type { ModelPage } from './routes.ts'

/** A page of the objects of another model that belong to the object. */
export const childrenTab =
  (children: ChildrenTab): ModelPage =>
  async (frame, request, model) => {
    const { object } = await readOne(request, model)
    const list = listOfChildren(request.service.registry, children, object)
    const label =
      children.label === undefined ? shownPlural(list.model) : translateLabel(children.label)
    requirePermission(request.actor, 'view', list.model, request.service.settings)
    const body = await listPart(request, list, label, {
      columns: children.columns ?? columnsOfChildren(request.service.registry, children),
      hasConnections: children.columns !== undefined,
    })
    return await objectFrame(frame, request, model, object, {
      path: children.path,
      label,
      body,
      styles: ['cabling.css'],
    })
  }

/** Parameters of the address that the list of a tab takes over. */
const TAKEN = ['ordering', 'q']

/** Columns of a list within the pages of another object. */
interface PartColumns {
  readonly columns: readonly string[]
  /** Columns with the far ends of connections follow. */
  readonly hasConnections: boolean
}

/** A page of a list within the pages of another object, with its own search, order and position. */
export async function listPart(
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
  const { objects, table, extent } = await listWindow(request, query, (asked) =>
    objectRows(request, list.model, { query: asked, columns, isSortable: true, further, label }),
  )
  return html`<div class="list-head">${searchForm(search)}${linksOf(request, list)}</div>
${extent}${objects.length === 0 ? html`<p class="notice">${translate('There are none.')}</p>` : table}${objects.length > 20 && extent}`
}

const searchForm = (search: URLSearchParams): Content =>
  html`<form method="get" role="search"><input type="search" name="q" value="${lastValue(search, 'q') ?? ''}" aria-label="${translate('Search this list')}" placeholder="${translate('Search')}"> <button class="quiet">${translate('Search')}</button></form>`

function linksOf({ actor, service }: ApiRequest, { model, query }: FilteredList): Content {
  const { basePath } = service.settings
  const page = `${basePath}${pagePathOf(model)}`
  const mayAdd = offersMethod(model, 'POST') && mayAct(actor, 'add', model, service.settings)
  const given = new URLSearchParams(
    [...query].map(([name, value]): [string, string] => [name.replace(/_id$/, ''), value]),
  )
  return html`<div class="actions">${mayAdd && html`<a class="button" href="${page}add/?${String(given)}">${translate('Add {model}', { model: shownTitle(model) })}</a>`}<a class="button quiet" href="${page}?${String(query)}">${translate('Open as a list')}</a></div>`
}
