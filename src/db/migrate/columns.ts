import type { Column } from '../../schema/column.ts'
import { genericKeys } from '../../schema/generic-keys.ts'
import type { Model } from '../../schema/registry.ts'
import { encode } from '../encode.ts'
import { columnName } from './constraints.ts'
import { literal } from './quote.ts'
import type { StoredColumn, StoredTable } from './stored-schema.ts'

const NATURAL = 'natural_sort'

/** The table of a model. */
export const tableOf = (model: Model): StoredTable => ({
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
export const ownerOf = ({ plugin }: Model): Pick<StoredTable, 'owner'> => (plugin ? { owner: plugin.name } : {})

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
const TREE_START: Readonly<Record<string, string>> = {
  _level: '0',
  _ancestors: `'{}'`,
  _sort: `'{}'`,
}

function startValue({ key, field, type }: Column): string | undefined {
  if (field.kind === 'counter') return '0'
  if (field.kind === 'customFields') return `'{}'`
  const tree = TREE_START[key]
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
