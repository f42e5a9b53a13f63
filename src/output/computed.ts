import type { Asked, ColumnRows, ComputeContext, PageQuery } from '../schema/computed.ts'
import type { ComputedField } from '../schema/field.ts'
import { tagsOf } from './many.ts'
import { type Reader, type RowBatch, shareOn, type WriteValue } from './plan.ts'
import type { PlanBuilder } from './plan-builder.ts'
import { readSharedRows } from './shared-rows.ts'

/** Writes what a function of the declaration computes for the page. */
export function writeComputed(
  builder: PlanBuilder,
  field: Pick<ComputedField, 'columns' | 'asks' | 'load'>,
): WriteValue {
  const { columns } = field
  const answerOf = answerer(builder, field)
  const columnsOf = columns && columnReader(builder, columns)
  const position = builder.loadByIds((page, reader) =>
    field.load(page.ids, contextOf(page, reader, answerOf(page, reader)), columnsOf?.(page)),
  )
  return (row, loaded) => loaded[position]?.get(Number(row[0])) ?? 'null'
}

type Answer = ComputeContext['answer']

/** Adds what the field asks; the result gives its `load` the answers. */
export function answerer(
  builder: PlanBuilder,
  { asks = [] }: Pick<ComputedField, 'asks'>,
): (page: RowBatch, reader: Reader) => Answer {
  const loads = new Map(asks.map((asked) => [asked, builder.ask(queryOf(builder, asked))]))
  return (page, reader) => async (asked) => {
    const load = loads.get(asked)
    if (!load) throw new Error('The field does not declare what it asks')
    return await load(page, reader)
  }
}

const queryOf = ({ service, model }: PlanBuilder, asked: Asked): PageQuery =>
  asked === 'tags' ? tagsOf(service, model) : asked

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

function contextOf(page: RowBatch, reader: Reader, answer: Answer): ComputeContext {
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
    answer,
    share: (query, load) => shareOn(page, query, load),
  }
}
