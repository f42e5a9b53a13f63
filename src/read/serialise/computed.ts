import type { ColumnRows, ComputeContext, FieldQuery, PageQuery } from '../../schema/computed.ts'
import type { ComputedField } from '../../schema/field.ts'
import { tagsOf } from './many.ts'
import { type Reader, type RowBatch, shareOn, type WriteValue } from './plan.ts'
import type { PlanBuilder } from './plan-builder.ts'
import { readSharedRows } from './shared-rows.ts'

/** Writes what a function of the declaration computes for the page. */
export function writeComputed(
  builder: PlanBuilder,
  field: Pick<ComputedField, 'columns' | 'queries' | 'load'>,
): WriteValue {
  const { columns } = field
  const resultsOf = queryResults(builder, field)
  const columnsOf = columns && columnReader(builder, columns)
  const position = builder.loadByIds((page, reader) =>
    field.load(page.ids, contextOf(page, reader, resultsOf(page, reader)), columnsOf?.(page)),
  )
  return (row, loaded) => loaded[position]?.get(Number(row[0])) ?? 'null'
}

type Results = ComputeContext['results']

/** Adds the field's queries; the returned function passes their results to `load`. */
export function queryResults(
  builder: PlanBuilder,
  { queries = [] }: Pick<ComputedField, 'queries'>,
): (page: RowBatch, reader: Reader) => Results {
  const loads = new Map(queries.map((query) => [query, builder.addQuery(queryOf(builder, query))]))
  return (page, reader) => async (query) => {
    const load = loads.get(query)
    if (!load) throw new Error('The field does not declare this query')
    return await load(page, reader)
  }
}

const queryOf = ({ service, model }: PlanBuilder, query: FieldQuery): PageQuery =>
  query === 'tags' ? tagsOf(service, model) : query

/** Takes the ids and the declared columns from the page's rows. */
function columnReader(builder: PlanBuilder, columns: readonly string[]): (page: RowBatch) => Promise<ColumnRows> {
  const indexes = [0, ...columns.map((column) => builder.stored(column))]
  return async ({ rows }) => {
    const read = await rows
    return read.map((row) => indexes.map((index) => row[index]))
  }
}

function contextOf(page: RowBatch, reader: Reader, results: Results): ComputeContext {
  const { service, database, cached } = reader
  return {
    database,
    cached,
    nested: (name, wanted, projection) => {
      const model = service.registry.model(name)
      return reader.nested(model, projection ?? model.nested, wanted)
    },
    rows: (shared, wanted) => readSharedRows(reader, shared, wanted),
    results,
    share: (query, load) => shareOn(page, query, load),
  }
}
