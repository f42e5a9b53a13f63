import type { Column } from '../../schema/column.ts'
import { oncePer } from '../../schema/once-per.ts'
import type { Model } from '../../schema/registry.ts'
import { empty, identifier, join, raw, type Sql, sql } from '../../sql/fragment.ts'
import { numberedInsert, type PredictedIds } from '../../sql/predicted-ids.ts'
import { insertInto, ONLY_INSERTS } from '../../sql/table.ts'
import type { DraftRow } from '../rows.ts'
import { encodeValue } from '../values.ts'

/**
 * From this number of rows, a value that all rows share is sent once, although the statement's text then differs
 * between batches.
 */
const MANY_ROWS = 50

/** Rows that a statement writes. */
interface RowSource {
  /** The rows as a table `q`: id, position, and a text column for each column in which they differ. */
  readonly from: Sql
  /** The value of each column in a row of `q`. */
  readonly values: readonly Sql[]
}

/** The rows as the source of a statement whose text is the same for any number of them. */
export function rowSource(columns: readonly Column[], rows: readonly DraftRow[]): RowSource {
  const isOneEach = rows.length === 1 || rows.length >= MANY_ROWS
  const arrays: Sql[] = []
  const names: Sql[] = []
  const values = columns.map((column) => {
    const type = raw(column.type)
    const texts = rows.map((row) => encodeValue(column, row[column.key]))
    const [first = null] = texts
    if (isOneEach && texts.every((text) => text === first)) return sql`${first}::${type}`
    const name = identifier(`c${names.length}`)
    names.push(name)
    arrays.push(sql`${texts}::text[]`)
    return sql`q.${name}::${type}`
  })
  const ids = sql`${rows.map(({ id }) => id)}::bigint[]`
  const from = sql`unnest(${join([ids, ...arrays])})
    with ordinality as q(${join([identifier('id'), ...names, identifier('position')])})`
  return { from, values }
}

/**
 * Parts of an insert that depend only on the model: its columns except the id, by name, and the text around the values
 * of a row.
 */
const insertedOf = oncePer((model: Model) => {
  const columns = [...model.columns.values()].filter(({ key }) => key !== 'id')
  const names = join(columns.map(({ name }) => identifier(name)))
  return { columns, names }
})

/** Statement that inserts new rows into the model's table: all of them, or none if the condition does not hold. Returns their ids. */
export function insertStatement(
  model: Model,
  rows: readonly DraftRow[],
  condition: Sql | undefined,
  predictedIds: PredictedIds | undefined,
): Sql {
  const { columns, names } = insertedOf(model)
  const where = condition ? sql` where ${condition}` : empty
  const [row] = rows
  if (row && rows.length === 1 && !predictedIds) {
    const values = columns.map((column) => sql`${encodeValue(column, row[column.key])}::${raw(column.type)}`)
    return sql`
      ${insertInto(model, ONLY_INSERTS)} (${names}) select ${join(values)}${where} returning id`
  }
  const id = numberedInsert({ predictedIds }, model.name, rows.length, sql`q.position`)
  const { from, values } = rowSource(columns, rows)
  return sql`
    ${insertInto(model, ONLY_INSERTS)} (${id.column}${names})
    select ${id.value}${join(values)} from ${from}${where} order by q.position returning id`
}

/** Statement that inserts rows with their ids: all of them, or none if the condition does not hold. */
export function restoreStatement(model: Model, rows: readonly DraftRow[], condition?: Sql): Sql {
  const { columns, names } = insertedOf(model)
  const { from, values } = rowSource(columns, rows)
  return sql`
    ${insertInto(model)} (id, ${names}) overriding system value
    select q.id, ${join(values)} from ${from}${condition ? sql` where ${condition}` : empty} order by q.position`
}
