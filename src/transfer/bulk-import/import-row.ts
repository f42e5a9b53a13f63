import { booleanCell } from '../../schema/fields/boolean.ts'
import { wholeNumber } from '../../schema/fields/integer.ts'
import { jsonCell } from '../../schema/fields/json.ts'
import type { CellValue } from '../../schema/fields/kind.ts'
import { genericPart } from '../../schema/generic-keys.ts'
import type { ImportColumn } from '../../schema/import-column.ts'
import { asJson, asPlain, asTexts } from '../../schema/json.ts'
import { REQUIRED } from '../../schema/outcome.ts'
import type { Model } from '../../schema/registry.ts'
import { isRequired } from '../../schema/writable.ts'
import { cellValue, customFieldValue, emptyValue, isEmptyCell } from './cell-value.ts'
import type { ColumnSource, Offered, SourceColumn } from './columns.ts'
import type { Problem, SourceRecord } from './records.ts'

/** A record on its way to a body. */
export interface ImportRow {
  readonly row: number
  readonly cells: Record<string, unknown>
  /** Columns that may change the object. */
  readonly columns: readonly SourceColumn[]
  /** The object that the row changes; undefined for a new one. */
  id: number | undefined
  readonly body: Record<string, unknown>
  /** Values of columns that are not fields. */
  readonly values: Record<string, unknown>
  /** Columns whose cell is present but empty. */
  readonly emptied: readonly SourceColumn[]
  readonly problems: Problem[]
  /** Relations that the object shares with the objects that the row names within the same owner. */
  readonly within: Readonly<Record<string, number>>
  /** Objects to which the owner of a component refers, by relation: they decide what an ambiguous name means. */
  readonly inherited: Readonly<Record<string, { readonly model: Model; readonly id: number }>>
}

/**
 * The cells without scalars that keep their text: exact numbers for documents and numbers, texts as written for
 * everything else.
 */
function typedCells(cells: SourceRecord['cells'], columns: readonly SourceColumn[]): Record<string, unknown> {
  const typed = columns.map(({ header, source }) => [header, typedCell(source, cells[header])])
  return { ...cells, ...Object.fromEntries(typed) }
}

function typedCell(source: ColumnSource, cell: unknown): unknown {
  if (source.kind === 'components') return cell
  if (source.kind === 'customField') {
    const isText = !['json', 'integer', 'decimal', 'boolean'].includes(source.definition.type)
    return isText ? asTexts(cell) : asJson(cell)
  }
  if (source.kind === 'extra') return source.extra.value === 'json' ? asJson(cell) : asTexts(cell)
  if (source.kind !== 'field') return asTexts(cell)
  const { field } = source
  if (field.kind === 'json' || (field.kind === 'list' && field.of === 'json')) return asJson(cell)
  return field.kind === 'integer' || field.kind === 'boolean' ? asPlain(cell) : asTexts(cell)
}

/** A row with all values of the record that do not name other objects. */
export function startRow(
  record: SourceRecord,
  columns: readonly SourceColumn[],
  { within, inherited }: Pick<ImportRow, 'within' | 'inherited'> = { within: {}, inherited: {} },
): ImportRow {
  const { row, unchanged } = record
  const changing = unchanged ? columns.filter(({ header }) => !unchanged.has(header)) : columns
  const cells = typedCells(record.cells, columns)
  const cellOf = ({ header }: SourceColumn): unknown => cells[header]
  const started: ImportRow = {
    row,
    cells,
    columns: changing,
    id: undefined,
    body: { ...within },
    values: {},
    emptied: changing.filter((column) => cellOf(column) !== undefined && isEmptyCell(cellOf(column))),
    problems: [],
    within,
    inherited,
  }
  for (const column of changing) {
    if (!isEmptyCell(cellOf(column))) readCell(started, column, cellOf(column))
  }
  return started
}

function readCell(row: ImportRow, column: SourceColumn, input: unknown): void {
  const { source, name } = column
  const take = (outcome: CellValue, store: (value: unknown) => void): void => {
    if ('message' in outcome) row.problems.push(problemAt(row, column, outcome.message))
    else store(outcome.value)
  }
  if (source.kind === 'id') readId(row, column, input)
  else if (source.kind === 'customField') {
    take(customFieldValue(source.definition, column.by, input), (value) => {
      setCustomField(row, source.definition.name, value)
    })
  } else if (source.kind === 'plain') row.body[name] = input
  else if (source.kind === 'extra' && source.extra.to === undefined) {
    take(extraValue(source.extra, input), (value) => {
      row.values[name] = value
      if (source.extra.field !== undefined) row.body[source.extra.field] = value
    })
  } else if (source.kind === 'field' && column.by === undefined) {
    take(cellValue(source.field, input), (value) => {
      row.body[name] = value
    })
  }
}

export const problemAt = ({ row }: ImportRow, column: SourceColumn, message: string): Problem => ({
  row,
  column: column.header,
  message,
})

function readId(row: ImportRow, column: SourceColumn, input: unknown): void {
  const id = wholeNumber(input)
  if (id === undefined || !Number.isSafeInteger(id)) {
    row.problems.push(problemAt(row, column, 'A valid integer is required.'))
  } else row.id = id
}

function setCustomField(row: ImportRow, name: string, value: unknown): void {
  row.body.custom_fields = { ...(row.body.custom_fields as object | undefined), [name]: value }
}

function extraValue({ value }: ImportColumn, input: unknown): CellValue {
  if (value === 'boolean') return booleanCell(input)
  if (value === 'json') return jsonCell(input)
  return { value: value === 'integer' ? (wholeNumber(input) ?? input) : input }
}

/** Clears what the cells of a change leave empty. */
export function clearEmptied(row: ImportRow, model: Model): void {
  for (const { name, source } of row.emptied) {
    if (source.kind === 'customField') setCustomField(row, source.definition.name, null)
    else if (source.kind === 'field') {
      const value = emptyValue(source.field)
      if (value !== undefined) row.body[name] = value
    } else if (source.kind === 'plain') {
      row.body[name] = null
      // An object without a type is none.
      const part = genericPart(model, name)
      if (part?.part === 'type') row.body[part.keys.id] ??= null
    }
  }
}

/** Refuses a new object without the values that an import requires. */
export function demandRequired(
  row: ImportRow,
  offered: ReadonlyMap<string, Offered>,
  columns: readonly SourceColumn[],
): void {
  for (const { name, isRequired: isDemanded, source } of offered.values()) {
    const required = isDemanded || (source.kind === 'field' && isRequired(source.field))
    if (!required || row.body[name] !== undefined || row.values[name] !== undefined) continue
    if (row.problems.some(({ column }) => columnNamed(columns, name)?.header === column)) continue
    const column = columnNamed(columns, name)?.header ?? name
    row.problems.push({ row: row.row, column, message: REQUIRED })
  }
}

const columnNamed = (columns: readonly SourceColumn[], name: string): SourceColumn | undefined =>
  columns.find((column) => column.name === name)
