import type { TableReference } from './table-names.ts'

/** What a statement says about its tables. */
interface TableUses {
  /** Names of the models whose tables (or join tables) are read, each once. */
  readonly reads: readonly string[]
  /** Names of the models whose tables (or join tables) are inserted into, updated or deleted from, each once. */
  readonly writes: readonly string[]
  /** Rows and columns that each write in `writes` may change, if known. */
  readonly changes: readonly TableChange[]
  /** Rows that are read by their ids; their models are not in `reads` because of that. */
  readonly rowReads: readonly RowRead[]
  /** Names in the database of the tables that are read, each once. */
  readonly tables: readonly string[]
  /** Generic relations whose table, one of `tables`, is read only for some types of objects. */
  readonly typedReads: readonly TypedRead[]
  /** The names in `tables` that are read for all types of objects in at least one place. */
  readonly untypedReads: readonly string[]
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

/** One place of a statement that names a table. */
export type TableUse = TableReference &
  (
    | { readonly kind: 'read' }
    | { readonly kind: 'typed read'; readonly column: string; readonly types: readonly string[] }
    | { readonly kind: 'row read'; readonly ids: readonly number[] }
    | { readonly kind: 'write'; readonly change: RowChange | undefined }
  )

/**
 * A statement for PostgreSQL, built from its fragments in order. It knows which tables it uses, so that nothing has to
 * parse its text.
 */
export class Statement {
  /** Text with the placeholders $1, $2, … for `values`. */
  text = ''
  readonly values: unknown[] = []
  /** Id of the branch whose rows it writes, in place of main's. */
  branch: number | undefined
  /** Whether the result may differ although no table has changed. */
  isVolatile = false
  readonly #uses: TableUse[] = []
  #summary: TableUses | undefined

  addValue(value: unknown): void {
    // A constructor of fragments, such as `table`, that was not called.
    if (typeof value === 'function') throw new Error(`A value of a statement is the function ${value.name}`)
    this.text += `$${this.values.push(value)}`
  }

  addUse(use: TableUse): void {
    this.#uses.push(use)
  }

  /** Adds a whole statement that has no values. */
  addConstant(constant: Statement): void {
    this.text += constant.text
    this.isVolatile ||= constant.isVolatile
    if (constant.#uses.length > 0) this.#uses.push(...constant.#uses)
  }

  /** Its uses of tables; asked for when the statement is complete. */
  get uses(): TableUses {
    this.#summary ??= summaryOf(this.#uses)
    return this.#summary
  }
}

function summaryOf(uses: readonly TableUse[]): TableUses {
  const [reads, writes, tables, untypedReads] = [
    new Set<string>(),
    new Set<string>(),
    new Set<string>(),
    new Set<string>(),
  ]
  const changes: TableChange[] = []
  const rowReads: RowRead[] = []
  const typedReads: TypedRead[] = []
  for (const use of uses) {
    if (use.kind === 'write') {
      writes.add(use.model)
      changes.push(use)
      continue
    }
    tables.add(use.table)
    if (use.kind === 'row read') rowReads.push(use)
    else reads.add(use.model)
    if (use.kind === 'typed read') typedReads.push(use)
    else untypedReads.add(use.table)
  }
  return {
    ...{ changes, rowReads, typedReads },
    ...{ reads: [...reads], writes: [...writes], tables: [...tables], untypedReads: [...untypedReads] },
  }
}
