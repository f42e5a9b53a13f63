import { CONVERTED_TEXTS } from '../../schema/custom-objects.ts'
import { identifier, type Sql, sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { table } from '../../sql/table.ts'

/** Where the values of a field are. */
interface Values {
  readonly table: string
  readonly model: string
  readonly column: string
  /** Id of the set with the choices that are allowed afterwards. */
  readonly set: number | null
}

/** A change of a field's type. */
export interface Conversion {
  /** How many stored values the conversion would lose or change, and one of them. */
  lost(database: Queryable, values: Values): Promise<{ readonly count: number; readonly example: string }>
}

const TEXTS: ReadonlySet<string> = new Set(['text', 'longtext', 'url', 'select'])
const PLAIN: ReadonlySet<string> = new Set([
  'integer',
  'decimal',
  'boolean',
  'date',
  'datetime',
  'address',
  'prefix',
  'mac_address',
])

/** PostgreSQL types that texts can be converted to, by the type of the field. */
const COLUMNS: Readonly<Record<string, string>> = { integer: 'bigint', boolean: 'boolean', date: 'date' }

/**
 * The conversion between two types; undefined if there is none. Every value becomes a text unchanged; a text becomes a
 * value of another type if that has the same text.
 */
export function conversionOf(from: string, to: string): Conversion | undefined {
  if (TEXTS.has(to) && (TEXTS.has(from) || PLAIN.has(from))) {
    return { lost: async (database, values) => await count(database, values, to === 'select' ? notChosen : nothing) }
  }
  if (from === 'integer' && to === 'decimal') return { lost: async () => NONE }
  const form = CONVERTED_TEXTS[COLUMNS[to] ?? '']
  if (form === undefined || !TEXTS.has(from)) return undefined
  return { lost: async (database, values) => await count(database, values, (value) => sql`${value} !~ ${form}`) }
}

const NONE = { count: 0, example: '' }

const nothing = (): Sql => sql`false`

const notChosen = (value: Sql, { set }: Values): Sql => sql`not exists (
  select from ${table('extras.customfieldchoiceset')} s, generate_subscripts(s.extra_choices, 1) position
  where s.id = ${set}::bigint and s.extra_choices[position][1] = ${value})`

async function count(
  database: Queryable,
  values: Values,
  isLost: (value: Sql, values: Values) => Sql,
): Promise<{ readonly count: number; readonly example: string }> {
  const value = sql`t.${identifier(values.column)}::text`
  const [row] = await database.query<{ count: number; example: string | null }>(sql`
    select count(*)::int as count, min(${value}) as example
    from ${table({ name: values.model, table: values.table })} t
    where ${value} is not null and ${isLost(value, values)}`)
  return { count: row?.count ?? 0, example: row?.example ?? '' }
}
