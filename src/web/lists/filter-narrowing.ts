import { type Parameter, type ParameterFilter, parametersOf } from '../../read/query/parameters.ts'
import { oncePer } from '../../schema/once-per.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import type { Narrowing } from '../forms/pickers.ts'

/**
 * Defines which filters of a list narrow the choices of other filters: a filter by objects is narrowed by those earlier
 * filters in its group by which its choices can be filtered. A site therefore narrows the locations, and both narrow
 * the racks.
 */
export const filterNarrowing = oncePer(narrowingOfFilters)

function narrowingOfFilters(model: Model, registry: Registry): ReadonlyMap<string, Narrowing> {
  const parameters = parametersOf(registry, model)
  const narrowing = new Map<string, Narrowing>()
  for (const { fields } of registry.view(model).filters ?? []) {
    const before: Parameter[] = []
    for (const name of fields) {
      const parameter = parameters.get(name)
      const to = parameter && objectsOf(parameter.filter)?.to
      if (!parameter || to === undefined) continue
      const entries = before.flatMap((earlier) => {
        const narrowing = narrowingParameter(registry, registry.model(to), earlier)
        return narrowing === undefined ? [] : [[narrowing, earlier.name] as const]
      })
      if (entries.length > 0) narrowing.set(name, Object.fromEntries(entries))
      before.push(parameter)
    }
  }
  return narrowing
}

/**
 * The filter of the choices that accepts the values of another filter: the one with its name, otherwise the only one.
 */
function narrowingParameter(registry: Registry, choices: Model, { name, filter }: Parameter): string | undefined {
  const objects = objectsOf(filter)
  if (!objects || objects.to === choices.name) return undefined
  const fitting = [...parametersOf(registry, choices).values()].filter((parameter) => {
    const target = parameter.lookup === 'exact' ? objectsOf(parameter.filter) : undefined
    return target?.to === objects.to && target.by === objects.by
  })
  const sameName = fitting.find((parameter) => parameter.name === name)
  return (sameName ?? (fitting.length === 1 ? fitting[0] : undefined))?.name
}

/** The model and the column of the objects that the values of a filter name. */
function objectsOf(filter: ParameterFilter): { readonly to: string; readonly by: string } | undefined {
  if (filter.kind === 'related') return { to: filter.to, by: filter.by }
  if (filter.kind !== 'custom' || filter.to === undefined) return undefined
  return { to: filter.to, by: filter.by ?? 'id' }
}
