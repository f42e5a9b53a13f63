import type { Model, Registry } from '../schema/registry.ts'
import type { Queryable } from '../sql/queryable.ts'
import { rebuildCounters } from './rebuild-counters.ts'
import { rebuildTree } from './rebuild-trees.ts'

/** A node of a tree whose parents form a circle. */
export interface LostNode {
  readonly model: Model
  readonly id: number
}

/**
 * Recomputes every derived column, for rows inserted without the write pipeline: trees, counters, and values that
 * models maintain themselves. Returns a node that cannot be reached from a root, if there is one.
 */
export async function rebuildAll(
  queryable: Queryable,
  registry: Registry,
): Promise<LostNode | undefined> {
  for (const model of registry.models.values()) {
    const id = await rebuildTree(queryable, model)
    if (id !== undefined) return { model, id }
    await rebuildCounters(queryable, registry, model)
  }
  for (const { behaviour } of registry.models.values()) await behaviour?.rebuild?.(queryable)
  return undefined
}
