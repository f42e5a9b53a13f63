import { empty, identifier, join, raw, type Sql, sql } from './fragment.ts'

/** A column that texts are written to. */
interface TextColumn {
  readonly name: string
  /** PostgreSQL type. */
  readonly type: string
}

/**
 * Statement that inserts rows by the text forms of their values, one list a column, so that its own text is the same
 * for any number of rows. `into`: the words up to the table's name; `end`: what follows the rows.
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
