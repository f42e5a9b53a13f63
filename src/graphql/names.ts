import { isToMany } from '../query/to-many.ts'
import { className } from '../schema/class-name.ts'
import type { GraphqlNames } from '../schema/model.ts'
import type { Model, Registry } from '../schema/registry.ts'
import type { Step } from '../schema/step.ts'

/** Name of the object type of a model: `SiteType`. */
export const typeNameOf = (model: Model): string =>
  declaredNames(model).type ?? `${className(model)}Type`

/** Name of the input by which a model's rows are filtered: `SiteFilter`. */
export const filterNameOf = (model: Model): string => `${className(model)}Filter`

/** Name of the root field of one object of the model: `ip_address`. */
export const rootNameOf = (model: Model): string =>
  declaredNames(model).root ?? snakeCase(model.definition.labels[0])

/** `IP addresses` as `ip_addresses`. */
export const snakeCase = (label: string): string => label.toLowerCase().replace(/[^a-z0-9]+/g, '_')

/** Names of a relation back that declares none: `rackreservation_set`, `rack_reservations`, `rackreservations`. */
export function namesOfUnnamed(name: string, step: Step): readonly string[] {
  if (!isToMany(step) || name !== step.to.key) return []
  const plural = snakeCase(step.to.definition.labels[1])
  return [`${name}_set`, plural, plural.replaceAll('_', '')]
}

/** `vm_interface` as `VmInterface`: the part of a type's name that a field's name makes. */
export const pascalCase = (name: string): string =>
  name.replace(/(^|_)(\w)/g, (_all, _before, letter: string) => letter.toUpperCase())

/** The names that the model declares. */
export const declaredNames = ({ definition }: Model): GraphqlNames => definition.graphql || {}

/** The models that have a type. */
export const offeredModels = ({ models }: Registry): readonly Model[] =>
  [...models.values()].filter((model) => {
    const { path, definition } = model
    if (definition.graphql === false) return false
    return (
      declaredNames(model).isPart === true ||
      (path !== '' && !definition.private && !definition.internal)
    )
  })

/** Whether the model has root fields. */
export const hasRootFields = (model: Model): boolean => declaredNames(model).isPart !== true
