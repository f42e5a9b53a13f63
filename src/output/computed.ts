import type { ColumnRows, ComputeContext } from '../schema/computed.ts'
import type { ComputedField } from '../schema/field.ts'
import { type Reader, type RowBatch, shareOn, type WriteValue } from './plan.ts'
import type { PlanBuilder } from './plan-builder.ts'
import { readSharedRows } from './shared-rows.ts'

/** Writes what a function of the declaration computes for the page. */
export function writeComputed(
  builder: PlanBuilder,
  field: Pick<ComputedField, 'columns' | 'load'>,
): WriteValue {
  const { columns } = field
  const columnsOf = columns && columnReader(builder, columns)
  const position = builder.loadByIds((page, reader) =>
    field.load(page.ids, contextOf(page, reader), columnsOf?.(page)),
  )
  return (row, loaded) => loaded[position]?.get(Number(row[0])) ?? 'null'
}

/** Takes the ids and the named columns out of the page's rows. */
function columnReader(
  builder: PlanBuilder,
  columns: readonly string[],
): (page: RowBatch) => Promise<ColumnRows> {
  const indexes = [0, ...columns.map((column) => builder.stored(column))]
  return async ({ rows }) => {
    const read = await rows
    return read.map((row) => indexes.map((index) => row[index]))
  }
}

function contextOf(page: RowBatch, reader: Reader): ComputeContext {
  const { service, database, cached } = reader
  return {
    database,
    cached,
    model: (name) => service.registry.model(name),
    nested: (name, wanted, projection) => {
      const model = service.registry.model(name)
      return reader.nested(model, projection ?? model.nested, wanted)
    },
    rows: (shared, wanted) => readSharedRows(reader, shared, wanted),
    share: (query, load) => shareOn(page, query, load),
  }
}
