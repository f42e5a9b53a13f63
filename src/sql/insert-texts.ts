import { empty, identifier, join, raw, type Sql, sql } from './fragment.ts'

/** A column whose values are written as text. */
interface TextColumn {
  readonly name: string
  /** PostgreSQL type. */
  readonly type: string
}

/**
 * Statement that inserts rows from the text forms of their values, one array per column, so that its own text is the
 * same for any number of rows. `into`: the words up to the table's name; `end`: the text after the rows.
 */
export function insertTexts(
  into: Sql,
  columns: readonly TextColumn[],
  lists: readonly (readonly (string | null)[])[],
  end: Sql = empty,
): Sql {
  const names = join(columns.map(({ name }) => identifier(name)))
  const values = columns.map(({ name, type }) => sql`${identifier('q', name)}::${raw(type)}`)
  const arrays = lists.map((list) => sql`${list}::text[]`)
  return sql`
    ${into} (${names}) select ${join(values)} from unnest(${join(arrays)}) as q (${names}) ${end}`
}
