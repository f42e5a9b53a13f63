import type { TableReference } from './table-names.ts'

/** A statement for PostgreSQL, with the properties that the program needs without parsing the text. */
export interface Statement {
  /** Text with the placeholders $1, $2, … for `values`. */
  readonly text: string
  readonly values: readonly unknown[]
  /** Names of the models whose tables (or join tables) are read, each once. */
  readonly reads: readonly string[]
  /** Names of the models whose tables (or join tables) are inserted into, updated or deleted from, each once. */
  readonly writes: readonly string[]
  /** Rows and columns that each write in `writes` may change, if known. */
  readonly changes: readonly TableChange[]
  /** Id of the branch whose rows it writes, in place of main's. */
  readonly branch?: number | undefined
  /** Rows that are read by their ids; their models are not in `reads` because of that. */
  readonly rowReads: readonly RowRead[]
  /** Names in the database of the tables that are read, each once. */
  readonly tables: readonly string[]
  /** Generic relations whose table, one of `tables`, is read only for some types of objects. */
  readonly typedReads: readonly TypedRead[]
  /** The names in `tables` that are read for all types of objects in at least one place. */
  readonly untypedReads: readonly string[]
  /** Whether the result may differ although no table has changed. */
  readonly isVolatile: boolean
}

/** Rows of a model that are read by their ids. */
interface RowRead {
  readonly model: string
  readonly ids: readonly number[]
}

/** Rows that are read only if their generic relation points to objects of certain types. */
interface TypedRead {
  readonly table: string
  /** Name of the column that holds the type. */
  readonly column: string
  /** Names of the models. */
  readonly types: readonly string[]
}

/** Upper bound of the rows of a table that a statement changes. */
export interface RowChange {
  /** Ids of the existing rows that it may update or delete. */
  readonly rows: readonly number[]
  /** Names of the columns that it may update; undefined if it inserts or deletes rows. */
  readonly columns: readonly string[] | undefined
}

/** A write of a model's table, or of one of its join tables; without `change` any row may be changed in any way. */
export interface TableChange {
  readonly model: string
  readonly change: RowChange | undefined
}

const NONE: readonly never[] = []

/** Builds a statement from its fragments, in order. */
export class StatementBuilder implements Statement {
  text = ''
  readonly values: unknown[] = []
  reads: readonly string[] = NONE
  writes: readonly string[] = NONE
  changes: readonly TableChange[] = NONE
  branch: number | undefined
  rowReads: readonly RowRead[] = NONE
  tables: readonly string[] = NONE
  typedReads: readonly TypedRead[] = NONE
  untypedReads: readonly string[] = NONE
  isVolatile = false

  /** The statement, to which nothing more is added. */

  addText(text: string): void {
    this.text += text
  }

  addValue(value: unknown): void {
    // A constructor of fragments, such as `table`, that was not called.
    if (typeof value === 'function') throw new Error(`A value of a statement is the function ${value.name}`)
    this.addText(`$${this.values.push(value)}`)
  }

  addRead({ table, model }: TableReference): void {
    this.reads = including(this.reads, model)
    this.tables = including(this.tables, table)
    this.untypedReads = including(this.untypedReads, table)
  }

  /** A read of the rows that have one of the types in the column. */
  addTypedRead({ table, model }: TableReference, column: string, types: readonly string[]): void {
    this.reads = including(this.reads, model)
    this.tables = including(this.tables, table)
    this.typedReads = [...this.typedReads, { table, column, types }]
  }

  addRowRead({ table, model }: TableReference, ids: readonly number[]): void {
    this.rowReads = [...this.rowReads, { model, ids }]
    this.tables = including(this.tables, table)
    this.untypedReads = including(this.untypedReads, table)
  }

  addWrite({ model }: TableReference, change: RowChange | undefined): void {
    this.writes = including(this.writes, model)
    this.changes = [...this.changes, { model, change }]
  }

  /** Adds a whole statement that has no values. */
  addConstant(constant: Statement): void {
    this.addText(constant.text)
    this.addProperties(constant)
  }

  /** Adds what is known about a part of the statement besides its text and values. */
  addProperties(constant: Omit<Statement, 'text' | 'values'>): void {
    const { changes, rowReads, typedReads } = constant
    if (changes.length > 0) this.changes = [...this.changes, ...changes]
    if (rowReads.length > 0) this.rowReads = [...this.rowReads, ...rowReads]
    if (typedReads.length > 0) this.typedReads = [...this.typedReads, ...typedReads]
    this.reads = union(this.reads, constant.reads)
    this.writes = union(this.writes, constant.writes)
    this.tables = union(this.tables, constant.tables)
    this.untypedReads = union(this.untypedReads, constant.untypedReads)
    this.isVolatile ||= constant.isVolatile
  }
}

const including = (names: readonly string[], name: string): readonly string[] =>
  names.includes(name) ? names : [...names, name]

/** Returns one of the lists itself if it contains all names of the other, which is the usual case. */
function union(one: readonly string[], other: readonly string[]): readonly string[] {
  if (one.length === 0 || one === other) return other
  const missing = other.filter((name) => !one.includes(name))
  return missing.length === 0 ? one : [...one, ...missing]
}
