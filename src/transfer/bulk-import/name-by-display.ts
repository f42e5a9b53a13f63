import { T } from '../../read/query/alias.ts'
import { columnOf } from '../../read/query/column.ts'
import { displayOf } from '../../read/query/display.ts'
import { applyRowSecurity } from '../../read/query/row-security.ts'
import { cellItems } from '../../schema/fields/list.ts'
import type { Model } from '../../schema/registry.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import type { WriteContext } from '../../write/context.ts'
import { isEmptyCell } from './cell-value.ts'
import { type SourceColumn, targetOf } from './columns.ts'
import type { ImportRow } from './import-row.ts'

/**
 * Replaces the texts of cells that only the display of an object matches, since exports show displays: `corp (100)` for
 * a VLAN. One query for each column and model.
 */
export async function readDisplays(
  context: WriteContext,
  columns: readonly SourceColumn[],
  rows: readonly ImportRow[],
): Promise<void> {
  for (const column of columns) {
    const { by, header, source } = column
    if (by === undefined) continue
    const isList = source.kind === 'field' && source.field.kind !== 'foreignKey'
    const itemsOf = isList ? cellItems : (cell: unknown) => [cell]
    const filled = rows.filter(({ cells }) => !isEmptyCell(cells[header]))
    for (const [to, ofModel] of Map.groupBy(filled, (row) => modelIn(context, columns, column, row))) {
      if (!to || (targetOf(context.service.registry, source) && !isColumn(to, by))) continue
      const texts = new Set(
        ofModel.flatMap(({ cells }) => itemsOf(cells[header])).filter((item) => typeof item === 'string'),
      )
      // Objects of one of several types need not have the attribute.
      const replacements = await replacementsOf(context, to, isColumn(to, by) ? by : 'id', [...texts])
      if (replacements.size === 0) continue
      for (const { cells } of ofModel) {
        const items = itemsOf(cells[header]).map((item) => replacements.get(item) ?? item)
        cells[header] = items.length === 1 ? items[0] : items
      }
    }
  }
}

/** The model of the objects of a column: always the same, or the one that another column of the row names. */
function modelIn(
  { service: { registry } }: WriteContext,
  columns: readonly SourceColumn[],
  { source }: SourceColumn,
  { cells }: ImportRow,
): Model | undefined {
  const to = source.kind === 'extra' ? source.extra.to : undefined
  if (typeof to !== 'object' || !('typeIn' in to)) return targetOf(registry, source)
  const typeColumn = columns.find(({ name }) => name === to.typeIn)
  const type = String((typeColumn && cells[typeColumn.header]) ?? '')
  return registry.models.get(to.types?.[type] ?? type)
}

const isColumn = (model: Model, name: string): boolean => name === 'id' || model.columns.has(name)

/** What identifies the object with a display: its id, or the attribute that all objects with this display share. */
async function replacementsOf(
  { transaction, security }: WriteContext,
  model: Model,
  by: string,
  texts: readonly string[],
): Promise<ReadonlyMap<unknown, unknown>> {
  if (texts.length === 0) return new Map()
  const key = sql`${columnOf(model, T)(by)}::text`
  const rows = await transaction.query<{ id: number; key: string | null; display: string }>(
    applyRowSecurity(
      security,
      sql`
        select r.* from (select t.id, ${key} as key, ${displayOf(model, T)} as display from ${table(model)} t) r
        where r.display = any(${texts}::text[]) or r.key = any(${texts}::text[])`,
    ),
  )
  const keys = new Set(rows.map(({ key }) => key))
  const replacements = new Map<unknown, unknown>()
  for (const [display, objects] of Map.groupBy(rows, (row) => row.display)) {
    if (keys.has(display)) continue
    const [first, second] = objects
    if (first && !second) replacements.set(display, { id: first.id })
    else if (first && objects.every(({ key }) => key === first.key)) replacements.set(display, first.key)
  }
  return replacements
}
