import { quoteName } from './quote-name.ts'
import { Statement } from './statement.ts'
import { isDeclaredTable } from './table-names.ts'

/** A part of a template `${…}`: a fragment becomes part of the text, anything else a bound value. */
type SqlValue = unknown

/**
 * A piece of SQL with its bound values; fragments nest. Values are never part of the text. A fragment is a tree until
 * its text is needed: one pass then collects text, values and tables.
 */
export class Sql {
  readonly #texts: readonly string[]
  readonly #parts: readonly SqlValue[]
  #statement: Statement | undefined
  #isReused = false

  /** `texts`: the text around the parts, one item more than there are parts. */
  constructor(texts: readonly string[], parts: readonly SqlValue[]) {
    this.#texts = texts
    this.#parts = parts
  }

  /** The fragment as a complete statement, built once. */
  get statement(): Statement {
    if (!this.#statement) {
      const statement = new Statement()
      this.write(statement)
      this.#statement = statement
    }
    return this.#statement
  }

  /** Text with the placeholders $1, $2, … for `values`. */
  get text(): string {
    return this.statement.text
  }

  get values(): readonly unknown[] {
    return this.statement.values
  }

  /** Names of the models whose tables (or join tables) are read, each once. */
  get reads(): readonly string[] {
    return this.statement.uses.reads
  }

  /** Names of the models whose tables (or join tables) are written, each once. */
  get writes(): readonly string[] {
    return this.statement.uses.writes
  }

  /** Names in the database of the tables that are read, each once. */
  get tables(): readonly string[] {
    return this.statement.uses.tables
  }

  /** Whether the result may differ although no table has changed. */
  get isVolatile(): boolean {
    return this.statement.isVolatile
  }

  /** Adds the fragment to a statement. */
  appendTo(statement: Statement): void {
    // A fragment that occurs in several statements usually belongs to a declaration; its own statement is cached.
    const compiled = this.#statement ?? (this.#isReused ? this.statement : undefined)
    this.#isReused = true
    if (compiled?.values.length === 0) statement.addConstant(compiled)
    else this.write(statement)
  }

  /** Appends text and parts one by one. */
  protected write(statement: Statement): void {
    const texts = this.#texts
    const parts = this.#parts
    statement.text += texts[0] ?? ''
    // A loop by index: this runs for every statement of every request.
    for (let index = 0; index < parts.length; index++) {
      const part = parts[index]
      if (part instanceof Sql) part.appendTo(statement)
      else statement.addValue(part)
      statement.text += texts[index + 1] ?? ''
    }
  }
}

/** Whether a value is a fragment, and so part of the text rather than a bound value. */
export const isSql = (value: unknown): value is Sql => value instanceof Sql

/** Builds a fragment: sql`select * from ${table('dcim.site')} where id = ${id}`. */
export const sql = (texts: TemplateStringsArray, ...parts: readonly SqlValue[]): Sql => new Sql(texts, parts)

/** A fragment without text, for an optional part of a statement. */
export const empty: Sql = new Sql([''], [])

/** Fragments or values, separated by `separator`. Throws for an empty list, which SQL does not allow. */
export function join(parts: readonly SqlValue[], separator = ', '): Sql {
  if (parts.length === 0) throw new Error('An SQL list is empty')
  return new Sql(['', ...Array<string>(parts.length - 1).fill(separator), ''], parts)
}

/** Equal for expressions with the same text and values. */
export const expressionKey = ({ text, values }: Sql): string => JSON.stringify([text, values])

/** Text that becomes part of the statement unchanged. Only for constants of the program, never for input. */
export const raw = (text: string): Sql => new Sql([text], [])

/** The quoted name of a column, or of any other database object except the table of a model. */
class Identifier extends Sql {
  readonly name: string

  constructor(name: string) {
    super([quoteName(name)], [])
    this.name = name
  }

  protected override write(statement: Statement): void {
    // Otherwise the use of the table would not be recorded: no dependency, no row-level security.
    if (isDeclaredTable(this.name)) throw new Error(`The table ${this.name} is named as a column is`)
    super.write(statement)
  }
}

/** Cached fragments of single names: declarations use few different names, and most statements use some of them. */
const identifiers = new Map<string, Identifier>()
const MOST_CACHED = 10_000

/**
 * A quoted name, or several joined by dots: identifier('site', 'name') is "site"."name". Tables of models are named
 * by `table` and similar functions, which record their use.
 */
export function identifier(...names: readonly [string, ...string[]]): Sql {
  if (names.length > 1) return join(names.map(single), '.')
  return single(names[0])
}

function single(name: string): Identifier {
  const cached = identifiers.get(name)
  if (cached) return cached
  const created = new Identifier(name)
  if (identifiers.size < MOST_CACHED) identifiers.set(name, created)
  return created
}

class VolatileSql extends Sql {
  protected override write(statement: Statement): void {
    statement.isVolatile = true
    super.write(statement)
  }
}

/** A fragment whose value changes by itself, or that reads a table without a model, so its results are not cached. */
export const volatile = (texts: TemplateStringsArray, ...parts: readonly SqlValue[]): Sql =>
  new VolatileSql(texts, parts)

class BranchSql extends Sql {
  readonly #branch: number | undefined

  constructor(statement: Sql, branch: number | undefined) {
    super(['/* branch */ ', ''], [statement])
    this.#branch = branch
  }

  protected override write(statement: Statement): void {
    statement.branch = this.#branch
    super.write(statement)
  }
}

/**
 * The statement for a transaction that works in a branch: its text differs from that on main, since the plan of a
 * prepared statement belongs to one search path. `branch`: the branch whose rows it writes.
 */
export const branchStatement = (statement: Sql, branch: number | undefined): Sql => new BranchSql(statement, branch)

/** Start time of the transaction. */
export const NOW: Sql = volatile`now()`
