import type { StoredTable } from '../../db/migrate/stored-schema.ts'
import { empty, identifier, join, raw, type Sql, sql } from '../../sql/fragment.ts'
import { insertTexts } from '../../sql/insert-texts.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { systemTable } from '../../sql/table.ts'

/** A row as PostgreSQL's text forms, in the order of the table's columns. */
export type TextRow = readonly (string | null)[]

/** Maximum number of rows of a page, and maximum bytes of its long values unless a single row has more. */
const ROWS = 1_000
const BYTES = 4_000_000
const TOTAL = identifier('#bytes')
const POSITION = identifier('#position')

/** All rows of a table in the order of its key, in pages that fit in memory. */
export async function* readTable(
  queryable: Queryable,
  name: string,
  { columns, primaryKey }: StoredTable,
): AsyncGenerator<readonly TextRow[]> {
  const names = Object.keys(columns)
  const keys = primaryKey.map((key) => ({ key, position: names.indexOf(key) }))
  const types = primaryKey.map((key) => raw(columns[key]?.type ?? 'text'))
  const order = join(primaryKey.map((key) => identifier(key)))
  const select = join(names.map((column) => sql`${identifier(column)}::text`))
  let after: Sql = empty
  for (;;) {
    const rows = await queryable.queryArrays(sql`
      select ${select} from (
        select t.*, sum(${sizeOf(columns)}) over (order by ${order}) as ${TOTAL},
          row_number() over (order by ${order}) as ${POSITION}
        from (select * from ${systemTable(name)} ${after} order by ${order} limit ${ROWS}) t
      ) t where ${TOTAL} <= ${BYTES} or ${POSITION} = 1 order by ${POSITION}`)
    const last = rows.at(-1)
    if (last === undefined) return
    // The query casts every column to text.
    yield rows as TextRow[]
    const values = keys.map(({ position }, at) => sql`${last[position]}::text::${types[at]}`)
    after = sql`where (${order}) > (${join(values)})`
  }
}

const SHORT = /^(bigint|integer|smallint|boolean|date|uuid|timestamptz|numeric.*|inet|cidr|macaddr8?)$/

/** Total length of the values of a row that can be long. */
function sizeOf(columns: StoredTable['columns']): Sql {
  const long = Object.entries(columns).filter(([, { type }]) => !SHORT.test(type))
  if (long.length === 0) return sql`0`
  return join(
    long.map(([column, { type }]) => {
      const value = type === 'text' ? identifier(column) : sql`${identifier(column)}::text`
      return sql`coalesce(octet_length(${value}), 0)`
    }),
    ' + ',
  )
}

/** Inserts rows read by `readTable` into a table with the same columns. */
export async function insertBackupRows(
  queryable: Queryable,
  name: string,
  { columns }: StoredTable,
  rows: readonly TextRow[],
): Promise<void> {
  const named = Object.entries(columns).map(([column, { type }]) => ({ name: column, type }))
  const lists = named.map((_, at) => rows.map((row) => row[at] ?? null))
  await queryable.execute(insertTexts(sql`insert into ${systemTable(name)}`, named, lists))
}
