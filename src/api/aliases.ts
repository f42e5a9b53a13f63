import type { Model, Registry } from '../schema/registry.ts'
import { SYSTEM } from '../schema/system-models.ts'

/** Second paths of collections, below /api/, by model name. */
export const ALIASES: Readonly<Record<string, string>> = {
  [SYSTEM.objectChange]: 'extras/object-changes',
  // Of the branching plug-in that clients support (pynetbox.extensions.BranchingExtension).
  [SYSTEM.branch]: 'plugins/branching/branches',
}

/** Models of this registry by their second path. */
export const aliasesOf = (registry: Registry): ReadonlyMap<string, Model> =>
  new Map(
    Object.entries(ALIASES).flatMap(([name, path]) => {
      const model = registry.models.get(name)
      return model ? [[path, model]] : []
    }),
  )
