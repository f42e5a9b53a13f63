import { packOwner } from '../../schema/custom-models.ts'
import type { AbsentRelation } from '../../schema/generic-keys.ts'
import type { PluginModels } from '../../schema/plugin.ts'
import type { Registry } from '../../schema/registry.ts'
import type { Queryable } from '../../sql/queryable.ts'
import type { StoredSchema } from './stored-schema.ts'
import { readSchemaVersion } from './version.ts'

/** Tables of a plugin that is not loaded. */
export interface AbsentPlugin {
  readonly name: string
  readonly tables: readonly string[]
  /** Generic relations of these tables. */
  readonly relations: readonly AbsentRelation[]
}

/** The stored schema, divided into two parts. */
interface DividedSchema {
  /** Everything that the registry must declare. */
  readonly present: StoredSchema
  /** Tables of plugins that are not loaded, with their constraints and indexes. */
  readonly absent: StoredSchema
}

/** The owner of the tables of a plugin. */
export const ownerOfPlugin = ({ name, pack }: Pick<PluginModels, 'name' | 'pack'>): string =>
  pack ? packOwner(name) : name

/** Divides the stored schema by whether the declaring plugin is loaded. */
export function divideByPlugin(stored: StoredSchema, { plugins }: Registry): DividedSchema {
  const loaded = new Set(plugins.map(ownerOfPlugin))
  const isAbsent = (table: string): boolean => {
    const owner = stored.tables[table]?.owner
    return owner !== undefined && !loaded.has(owner)
  }
  const partOf = (isWanted: (table: string) => boolean): StoredSchema => ({
    tables: filtered(stored.tables, isWanted),
    constraints: filtered(stored.constraints, (_name, { table }) => isWanted(table)),
    indexes: filtered(stored.indexes, (_name, { table }) => isWanted(table)),
    triggers: filtered(stored.triggers ?? {}, (_name, { table }) => isWanted(table)),
  })
  return { present: partOf((table) => !isAbsent(table)), absent: partOf(isAbsent) }
}

/** Plugins whose tables the database has, but which are not loaded. */
export async function absentPluginsIn(queryable: Queryable, registry: Registry): Promise<readonly AbsentPlugin[]> {
  const version = await readSchemaVersion(queryable)
  return version ? absentPlugins(divideByPlugin(version.schema, registry).absent) : []
}

/** Both parts together. */
export const joinSchemas = (left: StoredSchema, right: StoredSchema): StoredSchema => ({
  tables: { ...left.tables, ...right.tables },
  constraints: { ...left.constraints, ...right.constraints },
  indexes: { ...left.indexes, ...right.indexes },
  triggers: { ...left.triggers, ...right.triggers },
})

/** The plugins whose tables these are. */
export function absentPlugins({ tables }: StoredSchema): readonly AbsentPlugin[] {
  const groups = Map.groupBy(Object.keys(tables), (table) => tables[table]?.owner ?? '')
  return [...groups].map(([name, names]) => ({
    name,
    tables: names.toSorted(),
    relations: names.flatMap((table) => (tables[table]?.generic ?? []).map((keys) => ({ table, ...keys }))),
  }))
}

const filtered = <T>(
  entries: Readonly<Record<string, T>>,
  isWanted: (name: string, entry: T) => boolean,
): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.entries(entries).filter(([name, entry]) => isWanted(name, entry)))
