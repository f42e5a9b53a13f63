import { isEmptyCell } from './cell-value.ts'
import { type SourceColumn, targetOf } from './columns.ts'
import type { ImportRow } from './import-row.ts'
import type { Layout } from './name-objects.ts'

/**
 * The rows in groups, so that each row refers to objects of rows in earlier groups only: a region may have a parent
 * that an earlier row of the same text creates. `parents`: the rows that a row refers to.
 */
export function wavesOf(
  layout: Layout,
  rows: readonly ImportRow[],
): {
  readonly waves: readonly (readonly ImportRow[])[]
  readonly parents: ReadonlyMap<ImportRow, readonly ImportRow[]>
} {
  const references = layout.columns.flatMap((column) => {
    const named = layout.columns.find(({ name }) => name === column.by)
    const isOwn = targetOf(layout.registry, column.source) === layout.model
    return named && isOwn ? [{ column, named, earlier: new Map<unknown, ImportRow>() }] : []
  })
  const depth = new Map<ImportRow, number>()
  const parents = new Map<ImportRow, readonly ImportRow[]>()
  for (const row of rows) {
    const pairs = references.flatMap(({ column, earlier }) => {
      const cell = cellOf(row, column)
      return (isEmptyCell(cell) ? undefined : earlier.get(cell)) ?? []
    })
    parents.set(row, pairs)
    depth.set(row, Math.max(-1, ...pairs.map((parent) => depth.get(parent) ?? 0)) + 1)
    for (const { named, earlier } of references) earlier.set(cellOf(row, named), row)
  }
  const waves = Map.groupBy(rows, (row) => depth.get(row) ?? 0)
  return {
    waves: [...waves].sort(([left], [right]) => left - right).map(([, wave]) => wave),
    parents,
  }
}

const cellOf = ({ cells }: ImportRow, { header }: SourceColumn): unknown => cells[header]
