import type { Model, Registry } from '../schema/registry.ts'
import type { Queryable } from '../sql/queryable.ts'
import { rebuildCounters } from './rebuild-counters.ts'
import { rebuildTree } from './rebuild-trees.ts'

/** A node of a tree whose parents lead back to it. */
export interface LostNode {
  readonly model: Model
  readonly id: number
}

/**
 * Computes every derived column anew, for rows that came in by the side of the write pipeline: trees,
 * counters, and what models keep up to date themselves. Answers a node that no root leads to, if any.
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
