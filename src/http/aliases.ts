import type { Model, Registry } from '../schema/registry.ts'

/** Collections that answer at a second path too: the path, below /api/, by the model's name. */
export const ALIASES: Readonly<Record<string, string>> = {
  'core.objectchange': 'extras/object-changes',
}

/** Models of this registry by their second path. */
export const aliasesOf = (registry: Registry): ReadonlyMap<string, Model> =>
  new Map(
    Object.entries(ALIASES).flatMap(([name, path]) => {
      const model = registry.models.get(name)
      return model ? [[path, model]] : []
    }),
  )
