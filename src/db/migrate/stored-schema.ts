import type { GenericKeys } from '../../schema/generic-keys.ts'

/**
 * Tables, constraints and indexes as plain data. The database stores a copy of them, so that a later version of the
 * program can compute what has changed. Definitions are SQL text.
 */
export interface StoredSchema {
  readonly tables: Readonly<Record<string, StoredTable>>
  /** Unique constraints and foreign keys by name. */
  readonly constraints: Readonly<Record<string, StoredPart>>
  readonly indexes: Readonly<Record<string, StoredIndex>>
  /**
   * Triggers, with the functions that they call, by table; absent if an earlier version of the program stored the
   * schema.
   */
  readonly triggers?: Readonly<Record<string, StoredPart>>
  /**
   * Digests of the views through which branches read and write, by table; absent if an earlier version of the program
   * stored the schema.
   */
  readonly views?: Readonly<Record<string, string>>
}

export interface StoredTable {
  readonly columns: Readonly<Record<string, StoredColumn>>
  readonly primaryKey: readonly string[]
  /** Plugin that has declared it; absent for a table of the program itself. */
  readonly owner?: string
  /** Columns of the generic relations of a plugin's table, which protect their targets while the plugin is not loaded. */
  readonly generic?: readonly GenericKeys[]
}

export interface StoredColumn {
  readonly type: string
  readonly collation?: string
  readonly nullable: boolean
  /** SQL of the value that existing rows get when the column is added. */
  readonly default?: string
  /** The database numbers rows that come without a value. */
  readonly identity?: true
}

export interface StoredPart {
  readonly table: string
  /**
   * Text after the name: `unique ("name")`, `foreign key …`; for triggers, the statements that create or replace them.
   */
  readonly definition: string
}

export interface StoredIndex {
  readonly table: string
  readonly unique: boolean
  /** Text after the table: `("name", "id")`, `using gin ("tags")`. */
  readonly definition: string
}

export const EMPTY_SCHEMA: StoredSchema = { tables: {}, constraints: {}, indexes: {}, triggers: {} }
