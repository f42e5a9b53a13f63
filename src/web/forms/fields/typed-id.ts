import type { Model, Registry } from '../../../schema/registry.ts'

/** An object of any type as one value of a form: `dcim.interface:12`. */
export const typedId = (type: string, id: string | number): string => `${type}:${id}`

/** The type and the id in such a value. */
export function partsOfTypedId(value: string): { readonly type: string; readonly id: string } | undefined {
  const [, type, id] = /^([\w-]+\.[\w-]+):(\d+)$/.exec(value) ?? []
  return type === undefined || id === undefined ? undefined : { type, id }
}

/** The models whose objects a generic relation accepts; none if there is no such relation. */
export function typesOfRelation(registry: Registry, model: string, relation: string): readonly Model[] {
  const field = registry.models.get(model)?.fields.get(relation)
  if (field?.kind !== 'genericForeignKey') return []
  return registry.targets(field).filter(({ definition, path }) => !definition.private && path !== '')
}
