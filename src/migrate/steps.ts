import type { Transaction } from '../storage/database.ts'

/**
 * A change of the schema that cannot be read off the declarations: a column that is given up or
 * renamed, values that are computed anew. Runs once, before the declarations are compared with what
 * is stored; never in a new database.
 */
export interface MigrationStep {
  /** Never changed afterwards: it is how the database knows that the step has run. */
  readonly name: string
  readonly run: (transaction: Transaction) => Promise<void>
  /** Tables, or columns written `table.column`, that the step has dropped. */
  readonly removes?: readonly string[]
  /** Old to new name, written `table.column`, of columns that the step has renamed (not of constraints). */
  readonly renames?: Readonly<Record<string, string>>
}

/** All steps, oldest first. */
export const STEPS: readonly MigrationStep[] = []
