import { boundedName } from '../../schema/bounded-name.ts'
import type { Column } from '../../schema/column.ts'
import type { CounterField, Field } from '../../schema/field.ts'
import { oncePer } from '../../schema/once-per.ts'
import type { Model, Registry } from '../../schema/registry.ts'

/** Column of a versioned table: number of the transaction that wrote the row's current version. */
export const SINCE = '_since'
/** Column of a table of past versions: number of the transaction that replaced or deleted the version. */
export const UNTIL = '_until'

/** A counter of a row, which is counted when a past version is read instead of being stored. */
export interface VersionedCounter {
  readonly name: string
  /** Table of the counted rows, and its column that refers to this table. */
  readonly counted: string
  readonly column: string
}

/** A table whose past versions of rows are stored in a table of their own. */
export interface VersionedTable {
  /** Name in the database. */
  readonly table: string
  /** Table of the past versions. */
  readonly past: string
  /** Name of the model that the table, or the relation that it joins, belongs to. */
  readonly model: string
  readonly key: readonly string[]
  /** Columns whose changes create a new version, with the key, by name. */
  readonly columns: readonly VersionedColumn[]
  readonly counters: readonly VersionedCounter[]
  /** Columns that past versions lack: secrets. They are empty in reads of the past. */
  readonly omitted: readonly VersionedColumn[]
}

/** A column with its PostgreSQL type. */
export type VersionedColumn = Pick<Column, 'name' | 'type'>

/** Whether past versions of the model's rows are stored. */
export const hasHistory = (model: Model): boolean => model.definition.hasHistory ?? model.has('changeLogging')

/** The tables with history, by name in the database: those of models, and the join tables between them. */
export const versionedTables = oncePer((registry: Registry): ReadonlyMap<string, VersionedTable> => {
  const tables = new Map<string, VersionedTable>()
  for (const model of registry.models.values()) {
    if (!hasHistory(model)) continue
    tables.set(model.table, tableOf(registry, model))
    for (const [name, field] of model.fields) {
      if (field.kind !== 'manyToMany' || field.inverse !== undefined) continue
      const { table, ownColumn, otherColumn } = registry.joinTable(model, name, field)
      const columns = [ownColumn, otherColumn].map((column) => ({ name: column, type: 'bigint' }))
      tables.set(table, {
        ...{ table, past: pastName(table), model: model.name, columns },
        ...{ key: [ownColumn, otherColumn], counters: [], omitted: [] },
      })
    }
  }
  return tables
})

/** Names of the models whose writes create versions. */
export const versionedModels = oncePer(
  (registry: Registry): ReadonlySet<string> =>
    new Set([...versionedTables(registry).values()].map(({ model }) => model)),
)

const pastName = (table: string): string => boundedName(table, 'history')

function tableOf(registry: Registry, model: Model): VersionedTable {
  const all = [...model.columns.values()]
  return {
    table: model.table,
    past: pastName(model.table),
    model: model.name,
    key: ['id'],
    columns: all.filter(({ field }) => !isCounter(field) && !isSecret(field)),
    counters: all.flatMap(({ name, field }) => {
      if (!isCounter(field)) return []
      const counted = registry.model(field.of)
      const column = counted.columns.get(field.via)
      if (!column) throw new Error(`${model.name}.${name}: ${field.of} has no column ${field.via}`)
      return [{ name, counted: counted.table, column: column.name }]
    }),
    omitted: all.filter(({ field }) => isSecret(field)),
  }
}

const isCounter = (field: Field): field is CounterField => field.kind === 'counter'

const isSecret = (field: Field): boolean => 'writeOnly' in field && field.writeOnly === true
