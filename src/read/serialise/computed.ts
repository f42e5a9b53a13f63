import type { BatchQuery, ColumnRows, ComputeContext, FieldQuery } from '../../schema/computed.ts'
import type { ComputedField } from '../../schema/field.ts'
import { membershipsIn } from '../groups/memberships.ts'
import { joinedObjects, tagsOf } from './many.ts'
import { type Reader, type RowBatch, shareOn, type ValueRenderer } from './plan.ts'
import type { PlanBuilder } from './plan-builder.ts'
import { readSharedRows } from './shared-rows.ts'

/** Renders what a function of the declaration computes for the batch. */
export function computedRenderer(
  builder: PlanBuilder,
  declared: Pick<ComputedField, 'columns' | 'queries' | 'load' | 'joins'>,
): ValueRenderer {
  const { columns, joins } = declared
  const field = joins ? joinedObjects(builder.service, builder.model, joins) : declared
  const resultsOf = queryResults(builder, field)
  const columnsOf = columns && columnReader(builder, columns)
  const position = builder.loadByIds((batch, reader) =>
    field.load(batch.ids, contextOf(batch, reader, resultsOf(batch, reader)), columnsOf?.(batch)),
  )
  return (row, loaded) => loaded[position]?.get(Number(row[0])) ?? 'null'
}

type Results = ComputeContext['results']

/** Adds the field's queries; the returned function passes their results to `load`. */
export function queryResults(
  builder: PlanBuilder,
  { queries = [] }: Pick<ComputedField, 'queries'>,
): (batch: RowBatch, reader: Reader) => Results {
  const loads = new Map(queries.map((query) => [query, builder.addQuery(queryOf(builder, query))]))
  return (batch, reader) => async (query) => {
    const load = loads.get(query)
    if (!load) throw new Error('The field does not declare this query')
    return await load(batch, reader)
  }
}

const queryOf = ({ service, model }: PlanBuilder, query: FieldQuery): BatchQuery =>
  query === 'tags' ? tagsOf(service, model) : query

/** Takes the ids and the declared columns from the batch's rows. */
function columnReader(builder: PlanBuilder, columns: readonly string[]): (batch: RowBatch) => Promise<ColumnRows> {
  const indexes = [0, ...columns.map((column) => builder.stored(column))]
  return async ({ rows }) => {
    const read = await rows
    return read.map((row) => indexes.map((index) => row[index]))
  }
}

function contextOf(batch: RowBatch, reader: Reader, results: Results): ComputeContext {
  const { service, database, cached } = reader
  return {
    database,
    cached,
    nested: (name, ids, projection) => {
      const model = service.registry.model(name)
      return reader.nested(model, projection ?? model.nested, ids)
    },
    rows: (shared, ids) => readSharedRows(reader, shared, ids),
    results,
    memberships: membershipsIn({ registry: service.registry, database }),
    share: (query, load) => shareOn(batch, query, load),
  }
}
