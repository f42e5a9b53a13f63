import type { Transaction } from '../database.ts'

/**
 * A change of the schema that cannot be derived from the declarations: a column that is removed or renamed, values
 * that are computed again. Runs once, before the declarations are compared with the stored schema; never in a new
 * database.
 */
export interface MigrationStep {
  /** Identifies the step in the database for good; it must never change. */
  readonly name: string
  readonly run: (transaction: Transaction) => Promise<void>
  /** Plugin whose tables it changes: the step does not run where these do not exist yet. */
  readonly plugin?: string
  /** Tables, or columns written `table.column`, that the step has dropped. */
  readonly removes?: readonly string[]
  /** Old to new name, written `table.column`, of columns that the step has renamed (not of constraints). */
  readonly renames?: Readonly<Record<string, string>>
}

/** All steps, oldest first. */
export const STEPS: readonly MigrationStep[] = []
