import { textOfValue, valueOfText } from '../../schema/custom-models.ts'
import { raw, type Sql, sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { table } from '../../sql/table.ts'
import { conversionKind, type FieldType, LINE } from './value-field.ts'

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

const NUMBERS: ReadonlySet<FieldType> = new Set(['integer', 'decimal'])

/**
 * The conversion between two types; undefined if there is none. Every value becomes a text as responses show it; a text
 * becomes a value of another type if that has the same text. So every conversion can be undone.
 */
export function conversionOf(from: FieldType, to: FieldType): Conversion | undefined {
  const [before, after] = [conversionKind(from), conversionKind(to)]
  if (before === undefined || after === undefined) return undefined
  const textOf = (column: string) => textOfValue(before === 'text' ? 'text' : before.column, column)
  if (after === 'text') {
    return { lost: async (database, values) => await count(database, values, textOf, LOST_TEXTS[to] ?? nothing) }
  }
  if (before !== 'text' && !(NUMBERS.has(from) && NUMBERS.has(to))) return undefined
  const isLost = (text: string) =>
    raw(`${textOfValue(after.column, `(${valueOfText(after.column, text)})`)} is distinct from ${text}`)
  return { lost: async (database, values) => await count(database, values, textOf, isLost) }
}

type IsLost = (text: string, values: Values) => Sql

const nothing: IsLost = () => sql`false`

/** Texts that a kind of texts does not accept. */
const LOST_TEXTS: Readonly<Partial<Record<FieldType, IsLost>>> = {
  text: (text) => sql`char_length(${raw(text)}) > ${LINE}`,
  select: (text, { set }) => sql`not exists (
    select from ${table('extras.customfieldchoiceset')} s, generate_subscripts(s.extra_choices, 1) position
    where s.id = ${set}::bigint and s.extra_choices[position][1] = ${raw(text)})`,
}

async function count(
  database: Queryable,
  values: Values,
  textOf: (column: string) => string,
  isLost: IsLost,
): Promise<{ readonly count: number; readonly example: string }> {
  const text = textOf(`t."${values.column}"`) // of the form f1
  const [row] = await database.query<{ count: number; example: string | null }>(sql`
    select count(*)::int as count, min(${raw(text)}) as example
    from ${table({ name: values.model, table: values.table })} t
    where ${raw(text)} is not null and ${isLost(text, values)}`)
  return { count: row?.count ?? 0, example: row?.example ?? '' }
}
