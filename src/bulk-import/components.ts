import { isJsonObject } from '../schema/json.ts'
import type { WriteContext } from '../write/context.ts'
import { customFieldsOf } from '../write/custom-fields.ts'
import { offeredColumns, readHeader, type SourceColumn } from './columns.ts'
import { demandRequired, type ImportRow, startRow } from './import-row.ts'
import { type Layout, nameObjects } from './name-objects.ts'
import type { SourceRecord } from './records.ts'
import { createRows } from './save-rows.ts'

/** A component of a list, with the row that has the list. */
interface Component {
  readonly owner: ImportRow
  readonly id: number
  /** `interfaces[3]`, from 1. */
  readonly place: string
  readonly record: SourceRecord
}

/** Creates the components that the records of new objects list. Their errors are problems of the rows. */
export async function createListedComponents(
  context: WriteContext,
  layout: Layout,
  created: readonly ImportRow[],
): Promise<void> {
  // The columns stand in the order in which components are created: later ones refer to earlier ones.
  const order = Object.keys(layout.registry.view(layout.model).importComponents ?? {})
  const columns = layout.columns.toSorted(
    (one, other) => order.indexOf(one.name) - order.indexOf(other.name),
  )
  for (const column of columns) {
    if (column.source.kind === 'components') await createList(context, layout, column, created)
  }
}

async function createList(
  context: WriteContext,
  { registry }: Layout,
  column: SourceColumn,
  owners: readonly ImportRow[],
): Promise<void> {
  const { source } = column
  if (source.kind !== 'components') return
  const components = owners.flatMap((owner) => componentsOf(owner, column))
  const model = registry.model(source.components.model)
  const customFields = await customFieldsOf(context, model)
  const columnContext = { registry, model, customFields }
  const headers = [...new Set(components.flatMap(({ record }) => Object.keys(record.cells)))]
  const { columns, problems } = readHeader(columnContext, headers)
  const offered = offeredColumns(columnContext)
  const rows = components.map(({ record, id }) =>
    startRow(record, columns, { [source.components.via]: id }),
  )
  const own: Layout = { registry, model, columns }
  await nameObjects(context, own, rows)
  for (const row of rows) {
    demandRequired(row, offered, columns)
    Object.assign(row.body, registry.view(model).importBody?.(row.values))
  }
  await createRows(context, own, rows)
  components.forEach(({ owner, place, record }, index) => {
    const unknown = problems.filter(({ column: name }) => name && name in record.cells)
    for (const { column: name, message } of [...unknown, ...(rows[index]?.problems ?? [])]) {
      const where = name === undefined ? place : `${place}.${name}`
      owner.problems.push({
        row: owner.row,
        column: column.header,
        message: `${where}: ${message}`,
      })
    }
  })
}

function componentsOf(owner: ImportRow, { header }: SourceColumn): readonly Component[] {
  const list = owner.cells[header]
  const { id } = owner
  if (id === undefined || list === undefined || list === null || list === '') return []
  if (!Array.isArray(list)) {
    owner.problems.push({ row: owner.row, column: header, message: 'Expected a list.' })
    return []
  }
  return list.flatMap((item: unknown, index): Component[] => {
    const place = `${header}[${index + 1}]`
    if (isJsonObject(item)) return [{ owner, id, place, record: { row: index + 1, cells: item } }]
    const message = `${place}: A component consists of names and values.`
    owner.problems.push({ row: owner.row, column: header, message })
    return []
  })
}
