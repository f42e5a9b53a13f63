import { isCustomColumn, isCustomTable } from '../../schema/custom-models.ts'
import type { StoredSchema, StoredTable } from './stored-schema.ts'

/**
 * The declared schema with what custom models have stored and no longer declare: removed fields and types keep
 * their columns and tables until they are deleted for good, so that an undo finds the values. Their foreign keys are
 * dropped: a value that nobody sees must not protect an object.
 */
export function keptParts(stored: StoredSchema, declared: StoredSchema): StoredSchema {
  const removed = new Set(
    Object.entries(stored.tables).flatMap(([name, table]) =>
      isCustomTable(table) && !declared.tables[name] ? [name] : [],
    ),
  )
  const tables = Object.entries(stored.tables).flatMap(([name, table]): readonly (readonly [string, StoredTable])[] => {
    const current = declared.tables[name]
    if (!current) return removed.has(name) ? [[name, table]] : []
    const gone = Object.entries(table.columns).flatMap(([column, declaration]) =>
      // New rows have no value.
      !current.columns[column] && isCustomColumn(table, column) ? [[column, { ...declaration, nullable: true }]] : [],
    )
    return gone.length === 0
      ? []
      : [[name, { ...current, columns: { ...current.columns, ...Object.fromEntries(gone) } }] as const]
  })
  const ofRemoved = <Part extends { readonly table: string }>(parts: Readonly<Record<string, Part>> = {}) =>
    Object.fromEntries(Object.entries(parts).filter(([, { table }]) => removed.has(table)))
  const constraints = Object.entries(ofRemoved(stored.constraints)).filter(
    ([, { definition }]) => !definition.startsWith('foreign key'),
  )
  return {
    tables: { ...declared.tables, ...Object.fromEntries(tables) },
    constraints: { ...declared.constraints, ...Object.fromEntries(constraints) },
    indexes: { ...declared.indexes, ...ofRemoved(stored.indexes) },
    triggers: { ...declared.triggers, ...ofRemoved(stored.triggers) },
  }
}
