import type { ColumnRows, ComputeContext } from '../schema/computed.ts'
import type { ComputedField } from '../schema/field.ts'
import { oncePer } from '../schema/once-per.ts'
import type { Reader, Reading, WriteValue } from './plan.ts'
import type { PlanBuilder } from './plan-builder.ts'
import { readSharedRows } from './shared-rows.ts'

/** Writes what a function of the declaration computes for the page. */
export function writeComputed(
  builder: PlanBuilder,
  field: Pick<ComputedField, 'columns' | 'load'>,
): WriteValue {
  const { columns } = field
  const columnsOf = columns && columnReader(builder, columns)
  const position = builder.loadByIds((ids, reader, reading) =>
    field.load(ids, contextOf(ids, reader), columnsOf?.(reading)),
  )
  return (row, loaded) => loaded[position]?.get(Number(row[0])) ?? 'null'
}

/** Takes the ids and the named columns out of the page's rows. */
function columnReader(
  builder: PlanBuilder,
  columns: readonly string[],
): (reading: Reading) => Promise<ColumnRows> {
  const indexes = [0, ...columns.map((column) => builder.stored(column))]
  return async (reading) => {
    const rows = await reading
    return rows.map((row) => indexes.map((index) => row[index]))
  }
}

/** Results that fields of a page share, by name. All loads of a page are given the same list of ids. */
const sharedOf = oncePer((_ids: readonly number[]) => new Map<string, Promise<unknown>>())

function contextOf(ids: readonly number[], reader: Reader): ComputeContext {
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
    share: <T>(question: string, load: () => Promise<T>): Promise<T> => {
      const shared = sharedOf(ids)
      const answer = shared.get(question) ?? load()
      shared.set(question, answer)
      return answer as Promise<T> // the name of a query determines the type of its result
    },
  }
}
