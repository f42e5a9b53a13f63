import { boundedName } from '../../schema/bounded-name.ts'
import { oncePer } from '../../schema/once-per.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { hasHistory, type VersionedCounter, versionedTables } from '../versions/versioned-tables.ts'

/** Column of an overlay: id of the branch to which the row belongs. */
export const BRANCH = '_branch'
/** Column of an overlay: the branch has deleted the row. */
export const DELETED = '_deleted'
/**
 * Column of an overlay: main's row as JSON at the branch's first change or last synchronisation; null for a row that
 * only the branch has.
 */
export const BASE = '_base'

/** Table of main's rows that refer to objects that a branch has deleted. */
export const ORPHANS = 'branch_orphan'

/** A table of which each branch has its own rows. */
export interface BranchedTable {
  /** Name in the database. */
  readonly table: string
  /** Table of the rows that branches have created, changed or deleted. */
  readonly overlay: string
  /** Name of the model to which the table, or the relation that it joins, belongs. */
  readonly model: string
  readonly key: readonly string[]
  /** Counters, which are computed on every read. */
  readonly counters: readonly VersionedCounter[]
}

/** Internal data of the service that is part of the inventory of a branch. */
const OWN: readonly string[] = [SYSTEM.objectChange, SYSTEM.searchEntry, SYSTEM.unindexedChange]

/**
 * Names of the models whose objects branches can change: those with history, and others that refer to them, such as
 * bookmarks. Objects of other models are shared: branches show main's.
 */
export const branchedModels = oncePer((registry: Registry): ReadonlySet<string> => {
  const isOpen = ({ definition }: Model) => definition.isShared !== true
  const recorded = new Set([...registry.models.values()].filter((model) => hasHistory(model) && isOpen(model)))
  const refers = ({ fields }: Model) =>
    [...fields.values()].some((field) => {
      if (field.kind === 'foreignKey') return recorded.has(registry.model(field.to))
      return field.kind === 'genericForeignKey' && registry.targets(field).some((target) => recorded.has(target))
    })
  const all = [...registry.models.values()].filter((model) => recorded.has(model) || (isOpen(model) && refers(model)))
  return new Set([...all.map(({ name }) => name), ...OWN])
})

/** The tables with overlays, by name in the database. */
export const branchedTables = oncePer((registry: Registry): ReadonlyMap<string, BranchedTable> => {
  const tables = new Map<string, BranchedTable>()
  const models = branchedModels(registry)
  for (const { table, model, key, counters } of versionedTables(registry).values()) {
    if (models.has(model)) tables.set(table, { table, overlay: boundedName(table, 'branch'), model, key, counters })
  }
  for (const name of models) {
    const table = registry.models.get(name)?.table
    if (table === undefined || tables.has(table)) continue
    tables.set(table, { table, overlay: boundedName(table, 'branch'), model: name, key: ['id'], counters: [] })
  }
  return tables
})
