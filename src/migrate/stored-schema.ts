/**
 * What the database holds, as plain data: it is kept beside the tables, so that a later version of the
 * declarations can tell what it has to add. Definitions are SQL text.
 */
export interface StoredSchema {
  readonly tables: Readonly<Record<string, StoredTable>>
  /** Unique constraints and foreign keys by name. */
  readonly constraints: Readonly<Record<string, StoredPart>>
  readonly indexes: Readonly<Record<string, StoredIndex>>
}

export interface StoredTable {
  readonly columns: Readonly<Record<string, StoredColumn>>
  readonly primaryKey: readonly string[]
}

export interface StoredColumn {
  readonly type: string
  readonly collation?: string
  readonly nullable: boolean
  /** SQL of the value that existing rows get when the column is added. */
  readonly default?: string
  /** Numbered by the database where a row does not say otherwise. */
  readonly identity?: true
}

export interface StoredPart {
  readonly table: string
  /** What follows the name: `unique ("name")`, `foreign key …`. */
  readonly definition: string
}

export interface StoredIndex {
  readonly table: string
  readonly unique: boolean
  /** What follows the table: `("name", "id")`, `using gin ("tags")`. */
  readonly definition: string
}

export const EMPTY_SCHEMA: StoredSchema = { tables: {}, constraints: {}, indexes: {} }
