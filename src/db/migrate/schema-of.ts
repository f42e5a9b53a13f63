import { boundedName } from '../../schema/bounded-name.ts'
import { foreignKeyName } from '../../schema/constraint-names.ts'
import type { Registry } from '../../schema/registry.ts'
import { branchesOf } from './branches.ts'
import { ownerOf, tableOf } from './columns.ts'
import { columnName, foreignKeys, referenceConstraint, uniqueParts } from './constraints.ts'
import { historyOf } from './history.ts'
import { indexesOf, trigramIndexesOf } from './indexes.ts'
import { quoted } from './quote.ts'
import type { StoredIndex, StoredPart, StoredSchema, StoredTable } from './stored-schema.ts'

/** Optional capabilities of a database. */
interface Abilities {
  /** The extension pg_trgm is installed (trigrams.ts). */
  readonly trigrams: boolean
}

/** Tables, constraints and indexes that the declarations need in a database with these capabilities. */
export function schemaOf(registry: Registry, { trigrams }: Abilities): StoredSchema {
  const tables: Record<string, StoredTable> = {}
  const constraints: Record<string, StoredPart> = {}
  const indexes: Record<string, StoredIndex> = {}
  for (const model of registry.models.values()) {
    if (tables[model.table]) throw new Error(`${model.name}: the table ${model.table} is taken`)
    tables[model.table] = tableOf(model)
    const covered: string[][] = []
    for (const { kind, name, part } of uniqueParts(model)) {
      if (kind === 'index') indexes[name] = part
      else constraints[name] = part
    }
    for (const [name, field] of model.fields) {
      if ('unique' in field && field.unique) covered.push([columnName(model, name)])
    }
    for (const { fields, ignoreCase, whereNull, whereNotNull, whereNotEmpty } of model.definition.unique ?? []) {
      if (ignoreCase || whereNull || whereNotNull || whereNotEmpty) continue
      covered.push(fields.map((field) => columnName(model, field)))
    }
    Object.assign(constraints, foreignKeys(registry, model))
    Object.assign(indexes, indexesOf(model, covered))
    if (trigrams) Object.assign(indexes, trigramIndexesOf(model))
    for (const [name, field] of model.fields) {
      if (field.kind !== 'manyToMany' || field.inverse !== undefined) continue
      const join = registry.joinTable(model, name, field)
      if (tables[join.table]) throw new Error(`${model.name}: the table ${join.table} is taken`)
      const { ownColumn, otherColumn } = join
      const column = { type: 'bigint', nullable: false }
      tables[join.table] = {
        columns: { [ownColumn]: column, [otherColumn]: column },
        primaryKey: [ownColumn, otherColumn],
        ...ownerOf(model),
      }
      const ends = [
        [ownColumn, model.table],
        [otherColumn, registry.model(field.to).table],
      ] as const
      for (const [end, target] of ends) {
        const key = foreignKeyName(join.table, end)
        // Rows of join tables are deleted before those that they join.
        constraints[key] = referenceConstraint(join.table, end, {
          table: target,
          isRestricting: true,
        })
      }
      indexes[boundedName(join.table, otherColumn, 'index')] = {
        table: join.table,
        unique: false,
        definition: `(${quoted(otherColumn)})`,
      }
    }
  }
  const history = historyOf(registry, tables, indexes)
  Object.assign(tables, history.tables)
  const branches = branchesOf(registry, tables)
  return {
    tables: Object.assign(tables, branches.tables),
    constraints,
    indexes: Object.assign(indexes, history.indexes, branches.indexes),
    triggers: { ...history.triggers, ...branches.triggers },
  }
}
