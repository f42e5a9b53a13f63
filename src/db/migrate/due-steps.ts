import type { MigrationStep } from './steps.ts'
import type { StoredColumn, StoredSchema, StoredTable } from './stored-schema.ts'

/** Steps that have not run yet. Steps of a plugin whose tables are new count as done. */
export const dueSteps = (
  steps: readonly MigrationStep[],
  done: ReadonlySet<string>,
  { tables }: StoredSchema,
): readonly MigrationStep[] =>
  steps.filter(
    ({ name, plugin }) =>
      !done.has(name) && (plugin === undefined || Object.values(tables).some(({ owner }) => owner === plugin)),
  )

/** The schema after the step: without the removed parts and with the renamed columns. */
export function afterStep(
  { tables, constraints, indexes, triggers = {} }: StoredSchema,
  { removes = [], renames = {}, adds = {} }: MigrationStep,
): StoredSchema {
  const remaining: Record<string, StoredTable> = {}
  for (const [name, table] of Object.entries(tables)) {
    if (removes.includes(name)) continue
    const columns: Record<string, StoredColumn> = {}
    for (const [column, declaration] of Object.entries(table.columns)) {
      const path = `${name}.${column}`
      if (removes.includes(path)) continue
      columns[renames[path]?.slice(name.length + 1) ?? column] = declaration
    }
    for (const [path, column] of Object.entries(adds)) {
      if (path.startsWith(`${name}.`)) columns[path.slice(name.length + 1)] = column
    }
    remaining[name] = { ...table, columns }
  }
  // Dropping a column takes its constraints and indexes with it.
  const removedColumns = removes.filter((path) => path.includes('.')).map((path) => path.split('.'))
  const isLeft = ([, part]: [string, { table: string; definition: string }]) =>
    remaining[part.table] !== undefined &&
    !removedColumns.some(([table, column]) => table === part.table && part.definition.includes(`"${column}"`))
  return {
    tables: remaining,
    constraints: Object.fromEntries(Object.entries(constraints).filter(isLeft)),
    indexes: Object.fromEntries(Object.entries(indexes).filter(isLeft)),
    triggers: Object.fromEntries(Object.entries(triggers).filter(isLeft)),
  }
}
