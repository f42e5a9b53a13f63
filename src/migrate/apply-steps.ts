import type { Transaction } from '../storage/database.ts'
import type { MigrationStep } from './steps.ts'
import type { StoredColumn, StoredSchema, StoredTable } from './stored-schema.ts'

/** Runs the steps that have not run yet and says what the database then holds. */
export async function applySteps(
  transaction: Transaction,
  steps: readonly MigrationStep[],
  done: ReadonlySet<string>,
  stored: StoredSchema,
): Promise<StoredSchema> {
  let schema = stored
  for (const step of steps) {
    if (done.has(step.name)) continue
    await step.run(transaction)
    schema = afterStep(schema, step)
  }
  return schema
}

/** The schema without what the step removed and with its new names. */
export function afterStep(
  { tables, constraints, indexes }: StoredSchema,
  { removes = [], renames = {} }: MigrationStep,
): StoredSchema {
  const kept: Record<string, StoredTable> = {}
  for (const [name, table] of Object.entries(tables)) {
    if (removes.includes(name)) continue
    const columns: Record<string, StoredColumn> = {}
    for (const [column, declaration] of Object.entries(table.columns)) {
      const path = `${name}.${column}`
      if (removes.includes(path)) continue
      columns[renames[path]?.slice(name.length + 1) ?? column] = declaration
    }
    kept[name] = { ...table, columns }
  }
  // Dropping a column takes its constraints and indexes with it.
  const gone = removes.filter((path) => path.includes('.')).map((path) => path.split('.'))
  const isLeft = ([, part]: [string, { table: string; definition: string }]) =>
    kept[part.table] !== undefined &&
    !gone.some(([table, column]) => table === part.table && part.definition.includes(`"${column}"`))
  return {
    tables: kept,
    constraints: Object.fromEntries(Object.entries(constraints).filter(isLeft)),
    indexes: Object.fromEntries(Object.entries(indexes).filter(isLeft)),
  }
}
