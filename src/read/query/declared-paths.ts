import type { OrderTerm } from '../../schema/model.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { parametersOf } from './parameters.ts'

/** Every dotted path in the declaration of a model: those of its filters, its search and its orders. */
export function declaredPaths(registry: Registry, model: Model): readonly string[] {
  const { search = [], order, endpointOrder = [] } = model.definition
  const filters = [...parametersOf(registry, model).values()].map(({ filter }) => filter)
  const searched = typeof search === 'function' ? [] : search
  return [
    ...filters.flatMap((filter) => ('path' in filter ? filter.path : [])),
    ...searched.filter((term) => typeof term === 'string'),
    ...[...order, ...endpointOrder].map(fieldOf),
  ]
}

const fieldOf = (term: OrderTerm): string => (typeof term === 'string' ? term : term.field).replace(/^-/, '')
