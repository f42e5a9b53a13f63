import type { Field } from '../../schema/field.ts'
import { oncePer } from '../../schema/once-per.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { identifier, join, raw, type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { T } from '../query/alias.ts'
import { displayOf } from '../query/display.ts'
import { scalarPath } from '../query/scalar-path.ts'

/** How the value of an entry is compared: only texts are searched by their beginning and end. */
type EntryKind = 'text' | 'number' | 'address' | 'network' | 'hardwareAddress'

/** A field whose values the search finds. */
export interface SearchedField {
  readonly name: string
  readonly kind: EntryKind
  readonly weight: number
  /** Its value in the row `t`, as text. */
  readonly text: Sql
  /** The value is that of the column, so the row of a write is enough to know it. */
  readonly isPlain: boolean
  /** The model whose display is the value. */
  readonly shows: Model | undefined
}

/** The searched fields of every model that has any. */
export const searchedFields = oncePer(
  (registry: Registry): ReadonlyMap<Model, readonly SearchedField[]> =>
    new Map(
      [...registry.models.values()].flatMap((model) => {
        const weights = Object.entries(registry.view(model).search?.weights ?? {})
        if (weights.length === 0 || !registry.models.has(SYSTEM.searchEntry)) return []
        const fields = weights.map(([name, weight]) => searchedField(registry, model, name, weight))
        return [[model, fields]]
      }),
    ),
)

function searchedField(registry: Registry, model: Model, name: string, weight: number): SearchedField {
  const field = model.fields.get(name)
  const kind = field ? (KINDS[field.kind] ?? 'text') : 'text'
  const shows = field?.kind === 'foreignKey' ? registry.model(field.to) : undefined
  const isPlain = field !== undefined && PLAIN_KINDS.has(field.kind)
  return { name, kind, weight, text: textOf(model, name, field), isPlain, shows }
}

/** Kinds of fields whose values as text are the same in rows of a write as in PostgreSQL. */
const PLAIN_KINDS: ReadonlySet<string> = new Set([
  ...['text', 'integer', 'choice', 'date', 'address', 'network', 'hardwareAddress'],
])

const KINDS: Readonly<Record<string, EntryKind>> = {
  integer: 'number',
  decimal: 'number',
  address: 'address',
  network: 'network',
  hardwareAddress: 'hardwareAddress',
}

function textOf(model: Model, name: string, field: Field | undefined): Sql {
  if (!field) return displayOf(model, T)
  if (field.kind === 'foreignKey') return scalarPath(model, T, `${name}.display`, displayOf)
  const value = scalarPath(model, T, name, displayOf)
  // Unlike the cast's output, the function keeps the length of a host: 192.0.2.1/32.
  if (field.kind === 'address') return sql`text(${value})`
  if (field.kind === 'hardwareAddress') return sql`upper(${value}::text)`
  // The uploaded name: without the directory, and without the prefix for the object (site_25_front.png).
  if (field.kind === 'file') return sql`regexp_replace(${value}, '^.*/([a-z]+_[0-9]+_)?', '')`
  return sql`${value}::text`
}

/** The columns of an entry, in the order of the queries here. */
export const ENTRY_COLUMNS = sql`object_type, object_id, field, kind, value, weight`

/** Query for the entries of fields of the rows `t` that meet the condition. */
export function entriesOfFields(model: Model, fields: readonly SearchedField[], condition: Sql): Sql {
  const values = fields.map(
    ({ name, kind, weight, text }) =>
      sql`(${constant(name)}, ${constant(kind)}, ${text} collate "C", ${raw(String(weight))})`,
  )
  return sql`select ${constant(model.name)}, t.id, v.field, v.kind, v.value, v.weight
    from ${table(model)} t cross join lateral (values ${join(values)}) v(field, kind, value, weight)
    where ${condition} and v.value <> ''`
}

/** Types of custom fields whose values are searched. */
const SEARCHED_TYPES = ['text', 'longtext', 'integer', 'decimal', 'date', 'url']

/** Query for the entries of custom fields `f` of the rows `t` that meet the condition; undefined for a model without. */
export function entriesOfCustomFields(model: Model, condition: Sql): Sql | undefined {
  const column = [...model.columns.values()].find(({ field }) => field.kind === 'customFields')
  if (!column) return undefined
  const value = sql`(t.${identifier(column.name)} ->> f.name)`
  return sql`select ${constant(model.name)}, t.id, ${CUSTOM} || f.name,
      case when f.type in ('integer', 'decimal') then 'number' else 'text' end, ${value}, f.search_weight
    from ${table(SYSTEM.customField)} f join ${table(model)} t on ${value} <> ''
    where f.search_weight > 0 and f.type in (${join(SEARCHED_TYPES.map(constant))})
      and ${constant(model.name)} = any(f.object_types) and ${condition}`
}

/** Prefix of an entry's `field` for a custom field. */
export const CUSTOM = sql`'cf_'`

/** A name of a declaration, as a literal: the statement's text then stays the same for all batches. */
const constant = (name: string): Sql => raw(`'${name.replaceAll("'", "''")}'::text`)
