import type { ApiRequest } from '../../api/api-request.ts'
import { requestedList } from '../../api/verbs/list.ts'
import { lastValue } from '../../read/query/last-value.ts'
import { isOrderable } from '../../read/query/order.ts'
import { isJsonObject, type JsonObject } from '../../schema/json.ts'
import { PART_OF } from '../../schema/part-of.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { fieldAt, unitAt, valueLabel } from '../components/field-label.ts'
import type { FurtherColumns } from '../components/further-columns.ts'
import { icon } from '../components/icon.ts'
import { shownTitle } from '../components/model-title.ts'
import {
  type ColumnKind,
  type ObjectColumn,
  type ObjectRow,
  objectTable,
  withoutEmptyColumns,
} from '../components/object-table.ts'
import { offersMethod } from '../components/offered-methods.ts'
import {
  choiceLabel,
  type DisplayOptions,
  isNamed,
  linkToObject,
  timestampText,
  valueDisplay,
  withUnit,
} from '../components/value.ts'
import { displayOptionsOf } from '../data/display-options.ts'
import { contextsBeside } from '../data/object-names.ts'
import { type ObjectList, permittedIds, readRequested, valueAt } from '../data/page-objects.ts'
import { isInlineField } from '../forms/inline-fields.ts'
import { RETURN } from '../forms/return-path.ts'
import { type Content, type Html, html } from '../html.ts'
import { numeral, translate, translateLabel } from '../texts/translate.ts'
import { columnLabels } from './columns.ts'
import { type GroupSizes, groupedOrder, groupKey, groupSizes } from './grouping.ts'
import type { ListPart } from './list-extent.ts'
import { changedQuery } from './list-query.ts'

/** A part of a model's list as a table. */
export interface RowsPage extends ObjectList, ListPart {
  readonly objects: ObjectList['objects']
  readonly table: Html
  /** Headings of the columns that are left out. */
  readonly emptyColumns: readonly string[]
}

export interface RowsQuery {
  /** Filters, order and window in the API's form. */
  readonly query: URLSearchParams
  /** Fields or paths. */
  readonly columns: readonly string[]
  /** The columns' headings are links that order the list; not for tables within other pages. */
  readonly isSortable?: boolean
  readonly selectionForm?: string | undefined
  /**
   * Rows have a link to the form that changes their object, if the sender may change it; `editReturn`: the page to which that
   * leads back.
   */
  readonly withEdit?: boolean
  /** Field whose equal values form groups, under headings with the number of their objects. */
  readonly group?: string | undefined
  readonly editReturn?: string
  /** The content of a cell in place of the field's value; undefined: the value. */
  readonly cellOf?: (object: JsonObject, path: string) => Content
  /** Columns after those of the fields. */
  readonly further?: FurtherColumns | undefined
  /** Number of all objects, if it is already known. */
  readonly count?: number
  /** Columns that are empty in all rows are left out. */
  readonly leavesOutEmpty?: boolean
  readonly label: string
}

/** The objects that the query selects, with these columns. Throws as the API's list does. */
export async function objectRows(request: ApiRequest, model: Model, rowsQuery: RowsQuery): Promise<RowsPage> {
  const { selectionForm, label, withEdit = false, isSortable = false, leavesOutEmpty = false } = rowsQuery
  const selected = await readObjects(request, model, rowsQuery)
  const isEditable = withEdit && offersMethod(model, 'PATCH')
  const all = {
    rows: await tableRows(request, model, rowsQuery, selected, isEditable),
    columns: await tableColumns(request, model, rowsQuery, isEditable),
  }
  const { rows, columns, emptyColumns } = leavesOutEmpty ? withoutEmptyColumns(all) : { ...all, emptyColumns: [] }
  return {
    ...selected.list,
    table: objectTable({ rows, columns, selectionForm, label, isMain: isSortable }),
    emptyColumns,
  }
}

interface SelectedObjects {
  readonly list: ObjectList
  /** Numbers of objects by the value of the group's field; false without groups. */
  readonly sizeOf: GroupSizes | false
  /** The objects are indented by their depth. */
  readonly isTree: boolean
}

async function readObjects(
  request: ApiRequest,
  model: Model,
  { query, columns, group, further, count }: RowsQuery,
): Promise<SelectedObjects> {
  const search = new URLSearchParams(query)
  if (group !== undefined) search.set('ordering', groupedOrder(model, group, lastValue(search, 'ordering')))
  const units = columns.flatMap((path) => unitField(model, path) ?? [])
  // Lists of trees, and of prefixes, have parents before their children.
  const isTree = model.answer.includes(DEPTH) && !lastValue(search, 'ordering')
  const depth = isTree ? [DEPTH] : []
  const groups = group === undefined ? [] : [group]
  const paths = ['id', 'url', 'display', ...columns, ...units, ...depth, ...groups, ...(further?.fields ?? [])]
  const listRequest = { ...request, search }
  const requested = await requestedList(listRequest, model)
  const [list, sizeOf] = await Promise.all([
    readRequested(listRequest, model, requested, { paths, count }),
    group !== undefined && groupSizes(request.service, model, requested, group),
  ])
  return { list, sizeOf, isTree }
}

async function tableRows(
  request: ApiRequest,
  model: Model,
  rowsQuery: RowsQuery,
  { list: { objects }, sizeOf, isTree }: SelectedObjects,
  isEditable: boolean,
): Promise<readonly ObjectRow[]> {
  const { registry } = request.service
  const { further, editReturn, group } = rowsQuery
  const [options, furtherCellsOf] = await Promise.all([
    displayOptionsOf(request, objects.map(relationsOf)),
    further?.load(objects),
  ])
  const ids = objects.map(({ id }) => Number(id))
  const changeable = new Set(isEditable ? await permittedIds(request, 'change', model, ids) : [])
  const edit = editLink(options, editReturn)
  const plain = withoutContexts(options)
  return objects.map((object, index): ObjectRow => {
    const furtherCells = furtherCellsOf?.(object, plain)
    const value = group === undefined ? undefined : object[group]
    const startsGroup =
      group !== undefined && (index === 0 || groupKey(objects[index - 1]?.[group]) !== groupKey(value))
    return {
      id: Number(object.id),
      ...(startsGroup &&
        sizeOf && {
          group: html`${valueDisplay(fieldAt(registry, model, group), value, plain)} <span class="count">${numeral(sizeOf(value))}</span>`,
        }),
      label: String(object.display),
      ...(isTree && { depth: Number(object[DEPTH] ?? 0) }),
      cells: fieldCells(registry, model, rowsQuery, object, options).toSpliced(
        furtherPosition(rowsQuery),
        0,
        ...(furtherCells?.cells ?? []),
      ),
      actions: html`${furtherCells?.actions} ${changeable.has(Number(object.id)) && edit(object)}`,
    }
  })
}

/** The cells of an object's fields. */
function fieldCells(
  registry: Registry,
  model: Model,
  { columns, cellOf }: RowsQuery,
  object: JsonObject,
  options: DisplayOptions,
): readonly Content[] {
  const values = columns.map((path, index) => {
    const value = valueAt(object, path)
    // The first column names the row: a notification has the name of its job, whose short form lacks it.
    return index === 0 && isJsonObject(value) && typeof value.url === 'string' && !isNamed(value)
      ? { ...value, display: String(object.display) }
      : value
  })
  const rowOptions = { ...options, contexts: contextsBeside(registry, options.contexts, values) }
  return columns.map((path, index) => {
    const cell = cellOf?.(object, path)
    if (cell !== undefined) return cell
    // The first column needs no context: the other columns identify the object.
    if (index === 0 && isName(model, path)) {
      return linkToObject({ ...object, display: nameOf(registry, model, object, path) }, withoutContexts(options))
    }
    const display = valueDisplay(fieldAt(registry, model, path), values[index], rowOptions)
    return withUnit(display, unitAt(registry, model, path, object))
  })
}

const withoutContexts = (options: DisplayOptions): DisplayOptions => ({ ...options, contexts: new Map() })

/** Number of columns of fields before the further ones. */
const furtherPosition = ({ columns, further }: RowsQuery): number =>
  (further?.after === undefined ? 0 : columns.indexOf(further.after) + 1) || columns.length

async function tableColumns(
  request: ApiRequest,
  model: Model,
  rowsQuery: RowsQuery,
  isEditable: boolean,
): Promise<readonly ObjectColumn[]> {
  const { registry } = request.service
  const { columns, further, isSortable = false } = rowsQuery
  const labels = await columnLabels(request, model, columns)
  const ofFields = columns.map((name, index): ObjectColumn => {
    const column = {
      name,
      label: valueLabel(registry, model, name, labels[index] ?? name),
      kind: kindOfColumn(registry, model, name),
      // The first column leads to the object.
      inline: index > 0 && isEditable && isInlineField(registry, model, name) ? name : undefined,
    }
    return isSortable ? sortableColumn(request, model, column) : column
  })
  const headings = further?.headings ?? []
  return ofFields.toSpliced(furtherPosition(rowsQuery), 0, ...headings.map((label) => ({ name: label, label })))
}

/** Kinds of fields whose values are numbers, and those whose values are addresses. */
const NUMBERS: ReadonlySet<string | undefined> = new Set(['integer', 'decimal', 'counter', 'relatedCount'])
const ADDRESSES: ReadonlySet<string | undefined> = new Set(['address', 'network', 'hardwareAddress'])

function kindOfColumn(registry: Registry, model: Model, path: string): ColumnKind {
  const field = fieldAt(registry, model, path)
  if (NUMBERS.has(field?.kind) || (field?.kind === 'derived' && /int|numeric|float/.test(field.type))) return 'num'
  const isPort = path === 'name' && PART_OF.some((owner) => owner === registry.view(model).context?.[0])
  return isPort || ADDRESSES.has(field?.kind) || MAC_OR_ADDRESS.test(path) ? 'mono' : undefined
}

/** Relations to addresses. */
const MAC_OR_ADDRESS = /^(primary_ip[46]?|oob_ip|primary_mac_address|prefix|address)$/

/** Number of ancestors of an object in its tree. */
const DEPTH = '_depth'

/** The text of the column that leads to the object's page: timestamps to the second. */
function nameOf(registry: Registry, model: Model, object: JsonObject, path: string): string {
  const value = object[path] ?? null
  // The type of a related object.
  const type = fieldAt(registry, model, path)?.kind === 'genericForeignKey' && registry.models.get(String(value))
  if (type) return shownTitle(type)
  const label = choiceLabel(model.fields.get(path), value)
  if (label !== undefined) return translateLabel(label)
  if (typeof value === 'string' && TIMESTAMP.test(value)) return timestampText(value, 'seconds')
  return typeof value === 'string' || typeof value === 'number' ? String(value) : String(object.display)
}

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/

/** Whether the field can serve as an object's name: relations lead elsewhere. */
const isName = (model: Model, path: string): boolean => {
  const kind = model.fields.get(path)?.kind
  return !path.includes('.') && kind !== 'foreignKey' && kind !== 'genericForeignKey' && kind !== 'derivedKey'
}

/** The field of the model that chooses the unit of another field. */
function unitField(model: Model, path: string): string | undefined {
  const field = model.fields.get(path)
  const unit = field && 'unit' in field ? field.unit : undefined
  return unit !== undefined && model.fields.has(unit) ? unit : undefined
}

const relationsOf = ({ url: _url, ...object }: JsonObject): JsonObject => object

/** Creates links to the forms that change objects. */
const editLink =
  ({ basePath, pageOf }: DisplayOptions, returnTo: string | undefined) =>
  ({ url, display }: JsonObject): Html | undefined => {
    const page = pageOf(String(url))
    if (page === undefined) return undefined
    const query = returnTo === undefined ? '' : `?${new URLSearchParams({ [RETURN]: returnTo })}`
    return html`<a href="${basePath}${page}edit/${query}" data-edits title="${translate('Edit')}" aria-label="${translate('Edit {name}', { name: String(display) })}">${icon('edit')}</a>`
  }

function sortableColumn(request: ApiRequest, model: Model, column: ObjectColumn): ObjectColumn {
  const { name } = column
  if (name.includes('.') || !isOrderable(request.service.registry, model, name)) return column
  const ordering = lastValue(request.search, 'ordering')
  return {
    ...column,
    sortHref: changedQuery(request.search, { ordering: ordering === name ? `-${name}` : name }),
    sorted: ordering === name ? 'ascending' : ordering === `-${name}` ? 'descending' : undefined,
  }
}
