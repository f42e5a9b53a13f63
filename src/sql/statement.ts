import type { TableReference } from './table-names.ts'

/** What PostgreSQL is sent, and what the program has to know of it without reading the text. */
export interface Statement {
  /** Text with the placeholders $1, $2, … for `values`. */
  readonly text: string
  readonly values: readonly unknown[]
  /** Names of the models whose tables (or join tables) are read, each once. */
  readonly reads: readonly string[]
  /** Names of the models whose tables (or join tables) are inserted into, updated or deleted from, each once. */
  readonly writes: readonly string[]
  /** Names in the database of the tables that are read, each once. */
  readonly tables: readonly string[]
  /** Whether the result may differ although no table has changed. */
  readonly isVolatile: boolean
}

const NONE: readonly string[] = []

/** Puts a statement together from its fragments, one after the other. */
export class StatementBuilder implements Statement {
  text = ''
  readonly values: unknown[] = []
  reads = NONE
  writes = NONE
  tables = NONE
  isVolatile = false

  addValue(value: unknown): void {
    // A constructor of fragments, such as `table`, that was not called.
    if (typeof value === 'function')
      throw new Error(`A value of a statement is the function ${value.name}`)
    this.text += `$${this.values.push(value)}`
  }

  addRead({ table, model }: TableReference): void {
    this.reads = including(this.reads, model)
    this.tables = including(this.tables, table)
  }

  addWrite({ model }: TableReference): void {
    this.writes = including(this.writes, model)
  }

  /** Adds a statement without values as a whole. */
  addConstant({ text, reads, writes, tables, isVolatile }: Statement): void {
    this.text += text
    this.reads = union(this.reads, reads)
    this.writes = union(this.writes, writes)
    this.tables = union(this.tables, tables)
    this.isVolatile ||= isVolatile
  }
}

const including = (names: readonly string[], name: string): readonly string[] =>
  names.includes(name) ? names : [...names, name]

/** Shares one of the lists where it holds all names of the other, as it mostly does. */
function union(one: readonly string[], other: readonly string[]): readonly string[] {
  if (one.length === 0 || one === other) return other
  const missing = other.filter((name) => !one.includes(name))
  return missing.length === 0 ? one : [...one, ...missing]
}
