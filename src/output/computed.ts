import type { ComputeContext } from '../schema/computed.ts'
import type { ComputedField } from '../schema/field.ts'
import type { Reader, WriteValue } from './plan.ts'
import type { PlanBuilder } from './plan-builder.ts'

/** Writes what a function of the declaration computes for the page. */
export function writeComputed(builder: PlanBuilder, field: ComputedField): WriteValue {
  const position = builder.loadByIds((ids, reader) => field.load(ids, contextOf(ids, reader)))
  return (row, loaded) => loaded[position]?.get(Number(row[0])) ?? 'null'
}

/** Answers that fields of a page share, by the page's ids, which all loads of a page are given. */
const shared = new WeakMap<readonly number[], Map<string, Promise<unknown>>>()

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
    share: <T>(question: string, load: () => Promise<T>): Promise<T> => {
      const asked = shared.get(ids) ?? new Map<string, Promise<unknown>>()
      shared.set(ids, asked)
      const answer = asked.get(question) ?? load()
      asked.set(question, answer)
      return answer as Promise<T> // the name of a query determines the type of its result
    },
  }
}
