import type { ApiRequest } from '../../api/api-request.ts'
import { lastValue } from '../../read/query/last-value.ts'
import { parametersOf } from '../../read/query/parameters.ts'
import { isJsonObject, type JsonObject } from '../../schema/json.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model, Referrer, Registry } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { ChildrenTab } from '../../schema/view.ts'
import { connectionColumns } from '../cabling/connection-columns.ts'
import { COLOUR, deviceFront } from '../cabling/device-front.ts'
import type { FurtherColumns } from '../components/further-columns.ts'
import { shownPlural, shownTitle } from '../components/model-title.ts'
import type { FilteredList } from '../data/count-lists.ts'
import type { ObjectTab, RequestedObject } from '../frame/object-content.ts'
import { type Content, html } from '../html.ts'
import {
  EMPTY_COLUMNS,
  emptyText,
  listFoot,
  SELECTION_FORM,
  selectionForm,
  signOfEmptyColumns,
} from '../list-pages/list-page.ts'
import { bulkActions } from '../lists/bulk-actions.ts'
import { searchBarOf } from '../lists/filter-form.ts'
import { objectRows } from '../lists/object-rows.ts'
import { addAddress, addressHere, addText } from '../object-parts/add-child.ts'
import { columnsOfChildren, listByRelation, listOfChildren } from '../object-parts/children.ts'
import { sentenceCase, translate } from '../texts/translate.ts'
import { listWindow } from './list-window.ts'
import { referrerQuery } from './referrer-query.ts'

/** The tab with the objects of another model that belong to the object. */
export function childrenTab(registry: Registry, children: ChildrenTab): ObjectTab {
  const label = (): string =>
    children.label === undefined ? shownPlural(registry.model(children.model)) : sentenceCase(children.label)
  return {
    models: (model) => registry.view(model).tabs?.includes(children) === true,
    path: children.path,
    label,
    list: (_registry, _model, object) => listOfChildren(registry, children, object),
    isCounted: true,
    isHiddenIfEmpty: children.hiddenIfEmpty === true,
    load: async (page) => {
      const list = listOfChildren(registry, children, page.object)
      const [front, table] = await Promise.all([
        deviceFront(page.request, list),
        listPart(page, list, label(), {
          columns: columnsOfTab(registry, children, page.object),
          hasConnections: children.columns !== undefined,
        }),
      ])
      return { content: html`${front}${table}`, ...LIST_FILES }
    },
  }
}

/** The columns of the tab's table; the column that distinguishes the children of different objects comes second. */
function columnsOfTab(registry: Registry, children: ChildrenTab, object: JsonObject): readonly string[] {
  const { columns: [name = '', ...others] = columnsOfChildren(registry, children) } = children
  const { context: [owner] = [] } = registry.view(registry.model(children.model))
  const isShared = children.sharedIf !== undefined && isJsonObject(object[children.sharedIf])
  return isShared && owner !== undefined ? [name, owner, ...others] : [name, ...others]
}

const jobsOf = listByRelation(SYSTEM.job, 'object')

/** The tab with the background jobs of the object. */
export const jobsTab: ObjectTab = {
  models: (model) => model.has('jobs'),
  path: 'jobs',
  label: () => translate('Jobs'),
  list: jobsOf,
  load: async (page) => {
    const jobs = jobsOf(page.request.service.registry, page.model, page.object)
    return { content: await listPart(page, jobs, translate('Jobs')), ...LIST_FILES }
  },
}

const findingsOf = listByRelation(SYSTEM.finding, 'object')

/** The tab with the rules that the object breaks. */
export const findingsTab: ObjectTab = {
  models: (model) => model.path !== '' && !model.definition.private,
  path: 'findings',
  label: () => translate('Findings'),
  list: findingsOf,
  isCounted: true,
  isHiddenIfEmpty: true,
  load: async (page) => {
    const findings = findingsOf(page.request.service.registry, page.model, page.object)
    const columns = ['rule', 'rule.severity', 'rule.message', 'since', 'accepted_until', 'reason']
    return {
      content: await listPart(page, findings, translate('Findings'), { columns, hasConnections: false }),
      ...LIST_FILES,
    }
  },
}

/** Styles and scripts of the tables. */
const LIST_FILES = {
  styles: ['inputs.css', 'lists.css', 'list-view.css', 'cabling.css'],
  scripts: ['lists.client.ts'],
} as const

/** Parameters of the address that the list of a tab takes over. */
const TAKEN = ['ordering', 'q']

/** Columns of a list within the pages of another object. */
interface PartColumns {
  readonly columns: readonly string[]
  /** Columns with the far ends of connections follow. */
  readonly hasConnections: boolean
}

/** A slice of a list within the page of another object, with its own search, order and position. */
async function listPart(
  page: RequestedObject,
  list: FilteredList,
  label: string,
  partColumns?: PartColumns,
): Promise<Content> {
  const { request } = page
  const { service, search } = request
  const columns = partColumns?.columns ?? service.registry.view(list.model).columns
  const connections = partColumns?.hasConnections ? connectionColumns(request, list.model) : undefined
  const query = new URLSearchParams(list.query)
  for (const name of TAKEN) {
    const value = lastValue(search, name)
    if (value !== undefined && value !== '') query.set(name, value)
  }
  const returnTo = addressHere(request)
  const { model } = list
  const window = await listWindow(request, query, (part) =>
    objectRows(request, model, {
      query: part,
      columns,
      isSortable: true,
      leavesOutEmpty: !search.has(EMPTY_COLUMNS),
      further: addedInRows(request, model, connections),
      label,
      selectionForm: bulkActions(request, model).length > 0 ? SELECTION_FORM : undefined,
      withEdit: true,
      editReturn: returnTo,
    }),
  )
  const { objects, count, table, extent, emptyColumns } = window
  const selection = { query: window.query, onPage: objects.length, count, returnTo }
  return html`<div class="list-view" id="list"><div class="list-head">${searchBarOf(request, model, [COLOUR])}${linksOf(page, list)}</div>
<div class="list-result" data-live="result" aria-live="polite">${objects.length === 0 ? html`<p class="notice">${emptyText(model, search)}</p>` : html`${table}${listFoot(html`${selectionForm(request, model, selection)}${signOfEmptyColumns(search, emptyColumns)}`, extent)}`}</div></div>`
}

function linksOf(page: RequestedObject, list: FilteredList): Content {
  const address = addAddress(page, list)
  const { basePath } = page.request.service.settings
  return html`<div class="actions">${address !== undefined && html`<a class="button" href="${address}">${addText(list.model)}</a>`}<a class="button quiet" href="${basePath}${pagePathOf(list.model)}?${String(list.query)}">${translate('Open in {list}', { list: shownPlural(list.model) })}</a></div>`
}

/** Cells of a list with links to forms for what can be added to each object of the model from its row. */
function addedInRows(
  request: ApiRequest,
  model: Model,
  further: FurtherColumns | undefined,
): FurtherColumns | undefined {
  const { registry } = request.service
  const { addedInRows: names = [], context = [] } = registry.view(model)
  const places = names.flatMap((name): readonly AddedInRow[] => {
    const referrer = model.referrers.find((referrer) => referrer.model.name === name)
    return referrer ? [{ referrer, taken: reverseOf(model, referrer) }] : []
  })
  if (places.length === 0) return further
  const parameters = new Map(places.map(({ referrer }) => [referrer, parametersOf(registry, referrer.model)]))
  return {
    headings: [],
    ...further,
    fields: [...(further?.fields ?? []), ...context.slice(0, 1), ...places.flatMap(({ taken }) => taken ?? [])],
    load: async (objects) => {
      const cellsOf = await further?.load(objects)
      return (object, options) => {
        const furtherCells = cellsOf?.(object, options)
        const links = places.map(({ referrer, taken }): Content => {
          const filters = parameters.get(referrer)
          const query = filters && referrerQuery(filters, referrer, model, object)
          if (query === undefined || (taken !== undefined && isJsonObject(object[taken]))) return undefined
          const child = { model: referrer.model, query: new URLSearchParams(query) }
          const address = addAddress({ request, model, object }, child)
          const name = `${addText(child.model)}: ${object.display}`
          const text = taken === undefined ? `+ ${shownTitle(child.model)}` : addText(child.model)
          return address !== undefined && html`<a href="${address}" aria-label="${name}">${text}</a> `
        })
        return { cells: furtherCells?.cells ?? [], actions: html`${links}${furtherCells?.actions}` }
      }
    },
  }
}

interface AddedInRow {
  readonly referrer: Referrer
  /** Field with the object that occupies the only place; undefined if there may be several. */
  readonly taken: string | undefined
}

/** The field that shows the only object that may refer to one of the model by this relation. */
function reverseOf({ fields }: Model, { model, name, field }: Referrer): string | undefined {
  if (!('unique' in field) || field.unique !== true) return undefined
  return [...fields].find(
    ([, candidate]) => candidate.kind === 'reverse' && candidate.of === model.name && candidate.via === name,
  )?.[0]
}
