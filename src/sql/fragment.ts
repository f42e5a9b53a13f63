import template, {
  empty as emptyFragment,
  join as joinFragments,
  type RawValue,
  raw as rawFragment,
  Sql,
} from 'sql-template-tag'

/** A piece of SQL with its bound values; fragments nest. Values are never part of the text. */
export type { Sql }

/** What may stand in `${…}`: a fragment becomes part of the text, anything else a bound value. */
export type SqlValue = RawValue

/** Builds a fragment: sql`select * from site where id = ${id}`. */
export const sql: (strings: TemplateStringsArray, ...values: readonly SqlValue[]) => Sql = template

/** Pieces of text, which are no input, with a bound value between each two: a fragment of which only the values change. */
export const filled = (texts: readonly string[], values: readonly SqlValue[]): Sql =>
  template(texts, ...values)

/** A fragment without text, for the branch of a condition that adds nothing. */
export const empty: Sql = emptyFragment

/** Fragments or values with `separator` between them. Throws for an empty list, which no SQL list may be. */
export const join = (parts: readonly SqlValue[], separator = ', '): Sql =>
  joinFragments(parts, separator)

/** Text that goes into the statement as it is. For constants of the program only, never for input. */
export const raw = (text: string): Sql => rawFragment(text)

/** Fragments of single names: those of declarations, which are few, come with every statement. */
const quoted = new Map<string, Sql>()
const KEPT = 10_000

/** A quoted name, or several joined by dots: identifier('site', 'name') is "site"."name". */
export function identifier(...names: readonly [string, ...string[]]): Sql {
  if (names.length > 1) return rawFragment(names.map(quoteIdentifier).join('.'))
  const [name] = names
  const known = quoted.get(name)
  if (known) return known
  const made = rawFragment(quoteIdentifier(name))
  if (quoted.size < KEPT) quoted.set(name, made)
  return made
}

/** Where a fragment keeps its text. A weak map of texts by fragments would cost the garbage collector more than it spares. */
const TEXT = Symbol('text')

/**
 * Text of the statement with the placeholders $1, $2, … for `statement.values`. Put together once for each: whoever watches
 * what is asked wants it too.
 */
export function text(statement: Sql & { [TEXT]?: string }): string {
  statement[TEXT] ??= statement.text
  return statement[TEXT]
}

/** Whether a value is a fragment, and so part of the text rather than a bound value. */
export const isSql = (value: unknown): value is Sql => value instanceof Sql

function quoteIdentifier(name: string): string {
  // PostgreSQL refuses both; saying so here names the identifier rather than a position in a statement.
  if (name === '') throw new Error('An SQL identifier is empty')
  if (name.includes('\0'))
    throw new Error(`An SQL identifier contains NUL: ${JSON.stringify(name)}`)
  return `"${name.replaceAll('"', '""')}"`
}
