import { oncePer } from '../../schema/once-per.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { offersMethod } from '../components/offered-methods.ts'
import { isNamedByPattern } from '../forms/name-pattern.ts'

/** Objects that are parts of others, and the relation to these: the interfaces of a device. */
export interface ComponentModel {
  readonly model: Model
  readonly owner: string
}

/** The models of parts that an object of the model may have several of, and that patterns name. */
export const componentModelsOf = (registry: Registry, model: Model): readonly ComponentModel[] =>
  componentsByOwner(registry).get(model.name) ?? []

const componentsByOwner = oncePer(
  (registry: Registry): ReadonlyMap<string, readonly ComponentModel[]> =>
    Map.groupBy(
      [...registry.models.values()].flatMap((part) => {
        const owner = registry.view(part).context?.[0] ?? ''
        const field = part.fields.get(owner)
        const isPart = isNamedByPattern(registry, part) && field?.kind === 'foreignKey'
        return isPart && offersMethod(part, 'POST') ? [{ model: part, owner, to: field.to }] : []
      }),
      ({ to }) => to,
    ),
)
