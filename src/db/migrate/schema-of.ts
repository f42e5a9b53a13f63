import { boundedName } from '../../schema/bounded-name.ts'
import type { Column } from '../../schema/column.ts'
import { foreignKeyName } from '../../schema/constraint-names.ts'
import { genericKeys } from '../../schema/generic-keys.ts'
import { oncePer } from '../../schema/once-per.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { encode } from '../encode.ts'
import { ownerOfPlugin } from './absent-plugins.ts'
import { branchesOf } from './branches.ts'
import { columnName, foreignKeys, referenceConstraint, uniqueParts } from './constraints.ts'
import { historyOf } from './history.ts'
import { indexesOf, trigramIndexesOf } from './indexes.ts'
import { literal, quoted } from './quote.ts'
import type { StoredColumn, StoredIndex, StoredPart, StoredSchema, StoredTable } from './stored-schema.ts'

/** Optional capabilities of a database. */
interface Abilities {
  /** The extension pg_trgm is installed (trigrams.ts). */
  readonly trigrams: boolean
}

/** Tables, constraints and indexes that the declarations need in a database with these capabilities; do not change it. */
export const schemaOf = (registry: Registry, { trigrams }: Abilities): StoredSchema =>
  (trigrams ? withTrigrams : withoutTrigrams)(registry)

const withTrigrams = oncePer((registry: Registry) => derivedSchema(registry, { trigrams: true }))
const withoutTrigrams = oncePer((registry: Registry) => derivedSchema(registry, { trigrams: false }))

function derivedSchema(registry: Registry, { trigrams }: Abilities): StoredSchema {
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
    views: branches.views,
  }
}

const NATURAL = 'natural_sort'

/** The table of a model. */
const tableOf = (model: Model): StoredTable => ({
  columns: Object.fromEntries([...model.columns.values()].map((column) => [column.name, stored(column)])),
  primaryKey: ['id'],
  ...ownerOf(model),
  ...(model.plugin && genericOf(model)),
})

function genericOf(model: Model): Pick<StoredTable, 'generic'> {
  const generic = [...model.fields].flatMap(([name, field]) => {
    if (field.kind !== 'genericForeignKey') return []
    const { type, id } = genericKeys(name, field)
    return [{ type: columnName(model, type), id: columnName(model, id) }]
  })
  return generic.length > 0 ? { generic } : {}
}

/** The owner of a table that belongs to the model. */
const ownerOf = ({ plugin }: Model): Pick<StoredTable, 'owner'> => (plugin ? { owner: ownerOfPlugin(plugin) } : {})

function stored(column: Column): StoredColumn {
  const { type, nullable } = column
  const start = startValue(column)
  return {
    type,
    nullable,
    ...(type.startsWith('text') && {
      collation: column.collation === 'natural' ? NATURAL : 'C',
    }),
    ...(start !== undefined && { default: start }),
    ...(column.key === 'id' && { identity: true as const }),
  }
}

/** Trees are positioned when their rows are written, or rebuilt as a whole. */
const TREE_START: ReadonlyMap<string, string> = new Map([
  ['_level', '0'],
  ['_ancestors', `'{}'`],
  ['_sort', `'{}'`],
])

function startValue({ key, field, type }: Column): string | undefined {
  if (field.kind === 'counter') return '0'
  if (field.kind === 'customFields') return `'{}'`
  const tree = TREE_START.get(key)
  if (tree !== undefined) return tree
  if (!('default' in field) || field.default === undefined || field.default === null) return
  const value = encodeStart(type, field.default)
  return value === null ? undefined : literal(value)
}

/** PostgreSQL's text form of a default as declarations write it. */
function encodeStart(type: string, value: unknown): string | null {
  if (type === 'jsonb' || type === 'json') return JSON.stringify(value)
  if (!Array.isArray(value)) return encode(value)
  if (type === 'jsonb[]') return encode(value.map((item) => JSON.stringify(item)))
  if (type === 'int4range[]') return encode(value.map(([low, high]) => `[${low},${high}]`))
  return encode(value)
}
