import { ApiError } from '../../src/base/errors.ts'
import { compileFilters } from '../../src/read/query/compile-filters.ts'
import { type Parameter, parametersOf } from '../../src/read/query/parameters.ts'
import { allVisible } from '../../src/read/query/row-predicate.ts'
import { isJsonObject, type JsonObject } from '../../src/schema/json.ts'
import type { Model } from '../../src/schema/registry.ts'
import type { Service } from '../../src/service.ts'
import { join, type Sql, sql } from '../../src/sql/fragment.ts'
import { table } from '../../src/sql/table.ts'
import { filterValue, isAlwaysRefused } from '../registry/filter-values.ts'
import { runSize } from '../support/run-size.ts'

/** Predicates that one statement asks about. */
const TOGETHER = 40

/** The other lookups compare the same columns with other operators, through the same joins. */
const LOOKUPS = runSize<ReadonlySet<string> | 'all'>({ full: 'all', usual: new Set(['exact', 'n', 'any']) })

/** Filters of a model with values of its objects: a pair of a parameter and a value for each. */
export type FilterValues = readonly (readonly [parameter: string, value: string])[]

/** Values for each parameter of the model, of its first and last objects in lists of the API. `lists`: by model. */
export function filterValues(
  { registry }: Service,
  model: Model,
  lists: ReadonlyMap<string, readonly JsonObject[]>,
): FilterValues {
  const ends = [0, -1] as const
  return [...parametersOf(registry, model).values()]
    .filter(({ lookup }) => LOOKUPS === 'all' || LOOKUPS.has(lookup))
    .filter((parameter) => !isAlwaysRefused(model, parameter) && !isOfWrites(parameter))
    .flatMap((parameter) => {
      const values = ends.flatMap((end) => {
        const field = (of: string, name: string) => textOf(lists.get(of)?.at(end)?.[name])
        const own = field(model.name, parameter.base)
        const general = filterValue(parameter, { field, objectTypeId: '1' })
        return own === undefined || parameter.lookup === 'empty' ? [general] : [general, own]
      })
      return [...new Set(values)].map((value) => [parameter.name, value] as const)
    })
}

/** Times and requests of writes differ between a branch and its merge. */
const isOfWrites = ({ base, filter }: Parameter): boolean =>
  filter.kind === 'request' || base === 'created' || base === 'last_updated'

/** The value as text of a query; undefined if it cannot be one. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string' || typeof value === 'number') return String(value)
  return isJsonObject(value) ? textOf(value.value ?? value.id) : undefined
}

/** Ids of the objects that each filter finds, or the refusal of its value, by the text of the query. */
export async function filteredIds(
  service: Service,
  model: Model,
  filters: FilterValues,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  const predicates: [string, Sql][] = []
  for (const [name, value] of filters) {
    const query = new URLSearchParams([[name, value]])
    const predicate = await compiled(service, model, query)
    if (typeof predicate === 'string') found.set(String(query), predicate)
    else if (predicate) predicates.push([String(query), predicate])
  }
  for (let at = 0; at < predicates.length; at += TOGETHER) {
    const part = predicates.slice(at, at + TOGETHER)
    const lists = part.map(
      ([, where]) => sql`array(select t.id from ${table(model)} t where ${where} order by t.id)::text`,
    )
    const [row = []] = await service.database.queryArrays(sql`select ${join(lists)}`)
    part.forEach(([query], index) => {
      found.set(query, String(row[index]))
    })
  }
  return found
}

async function compiled(service: Service, model: Model, query: URLSearchParams): Promise<Sql | string | undefined> {
  try {
    return await compileFilters(service, model, query, allVisible)
  } catch (error) {
    if (error instanceof ApiError) return JSON.stringify(error.reason)
    throw error
  }
}
