import type { ApiRequest } from '../../api/api-request.ts'
import { isJsonObject, type Json, type JsonObject } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'
import { type Offered, offeredColumns, targetOf } from '../../transfer/bulk-import/columns.ts'
import { committedCustomFields } from '../../write/validate/custom-fields.ts'
import { valueAt } from '../data/page-objects.ts'
import { columnLabels } from '../lists/columns.ts'

/** A column of a grid: its name in an import, and the possible values of its cells. */
export interface GridColumn {
  /** Name of the column of an import: `status`, `site`, `cf_owner`. */
  readonly name: string
  readonly label: string
  /** Attribute by which a cell names related objects; undefined for plain values. */
  readonly by: string | undefined
  /** Values that can be entered; empty if any value may. */
  readonly choices: readonly string[]
}

/** Kinds of fields whose values are one text in a cell. */
const PLAIN_KINDS: ReadonlySet<string> = new Set([
  ...['text', 'integer', 'decimal', 'boolean', 'choice', 'date', 'dateTime'],
  ...['cidr', 'inet', 'mac', 'timeZone', 'url', 'color'],
])
/** Types of custom fields whose values are one text. */
const PLAIN_TYPES: ReadonlySet<string> = new Set([
  ...['text', 'longtext', 'integer', 'decimal', 'boolean', 'date', 'datetime', 'url', 'select'],
])

/**
 * The columns of a list, in its order, whose values can be edited as texts. A cell has the same meaning as in an
 * import.
 */
export async function gridColumns(
  request: ApiRequest,
  model: Model,
  names: readonly string[],
): Promise<readonly GridColumn[]> {
  const { service } = request
  const { registry } = service
  const customFields = await committedCustomFields(service, model)
  const offered = offeredColumns({ registry, model, customFields })
  const usable = names.flatMap((name) => {
    const column = offered.get(name)
    return column && isEditable(column) ? [column] : []
  })
  const labels = await columnLabels(
    request,
    model,
    usable.map(({ name }) => name),
  )
  return usable.map((column, index) => ({
    name: column.name,
    label: labels[index] ?? column.name,
    by: targetOf(registry, column.source) && column.by,
    choices: choicesOfColumn(column),
  }))
}

function isEditable({ source }: Offered): boolean {
  if (source.kind === 'customField') return PLAIN_TYPES.has(source.definition.type)
  if (source.kind !== 'field') return false
  const { kind } = source.field
  return PLAIN_KINDS.has(kind) || kind === 'foreignKey' || kind === 'tags'
}

function choicesOfColumn({ source }: Offered): readonly string[] {
  if (source.kind !== 'field') return []
  if (source.field.kind === 'boolean') return ['true', 'false']
  return source.field.kind === 'choice' ? source.field.choices.list.map(({ value }) => String(value)) : []
}

/** Texts of the cells of these objects, by id and column, in the notation of an import. */
export const cellTexts = (
  model: Model,
  objects: readonly JsonObject[],
  columns: readonly GridColumn[],
): ReadonlyMap<number, ReadonlyMap<string, string>> =>
  new Map(
    objects.map((object) => [
      Number(object.id),
      new Map(columns.map((column) => [column.name, textOf(valueAt(object, pathOfColumn(model, column)), column.by)])),
    ]),
  )

/** The path of the values of a column. */
export const pathOfColumn = (model: Model, { name, by }: GridColumn): string =>
  by === undefined || model.fields.get(name)?.kind === 'tags' ? name : `${name}.${by}`

function textOf(value: Json | undefined, by: string | undefined): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map((part) => textOf(part, by)).join(',')
  if (!isJsonObject(value)) return String(value)
  // A choice is shown by its value, an object by its identifying attribute.
  return String(value.value ?? value[by ?? 'id'] ?? '')
}
