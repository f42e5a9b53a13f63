import type { parametersOf } from '../../read/query/parameters.ts'
import { genericKeys } from '../../schema/generic-keys.ts'
import type { JsonObject } from '../../schema/json.ts'
import type { Model, Referrer } from '../../schema/registry.ts'

/** Filters with which the referring collection lists just those objects; undefined if no filter does. */
export function referrerQuery(
  parameters: ReturnType<typeof parametersOf>,
  { kind, name, field }: Referrer,
  model: Model,
  { id }: JsonObject,
): string | undefined {
  if (kind === 'genericForeignKey') {
    const { type, id: key } = genericKeys(name, field)
    return parameters.has(type) && parameters.has(key) ? `${type}=${model.name}&${key}=${id}` : undefined
  }
  for (const { filter, lookup, name: parameter } of parameters.values()) {
    const isIt = filter.kind === 'related' && filter.path === name && filter.to === model.name
    if (isIt && filter.by === 'id' && lookup === 'exact') return `${parameter}=${id}`
  }
  return undefined
}
