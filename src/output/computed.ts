import type { ComputeContext } from '../schema/computed.ts'
import type { ComputedField } from '../schema/field.ts'
import { oncePer } from '../schema/once-per.ts'
import type { Reader, WriteValue } from './plan.ts'
import type { PlanBuilder } from './plan-builder.ts'
import { readSharedRows } from './shared-rows.ts'

/** Writes what a function of the declaration computes for the page. */
export function writeComputed(builder: PlanBuilder, field: ComputedField): WriteValue {
  const position = builder.loadByIds((ids, reader) => field.load(ids, contextOf(ids, reader)))
  return (row, loaded) => loaded[position]?.get(Number(row[0])) ?? 'null'
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
