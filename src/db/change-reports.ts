import { ApiError } from '../base/errors.ts'
import type { Sql } from '../sql/fragment.ts'
import type { Queryable } from '../sql/queryable.ts'
import type { ChangeLog } from './cache/change-log.ts'
import { encodeChanges, type ModelChange } from './cache/model-change.ts'
import { type Database, NO_OTHER_PROCESSES, type OtherProcesses, type Transaction } from './database.ts'

/** A statement that is sent with the commit of a transaction with these changes. */
type EndOfTransaction = (changes: readonly ModelChange[]) => Sql | undefined

/**
 * The database, with every changing statement reported: at its commit the change is recorded in the log, and other
 * processes are notified. So no cached value outlives a change, whichever part of the program makes it. A change is
 * complete when the `otherProcesses` have recorded it too.
 */
export function reportingChanges(
  database: Database,
  log: ChangeLog,
  otherProcesses: OtherProcesses = NO_OTHER_PROCESSES,
  endOf: EndOfTransaction = () => undefined,
): Database {
  const requireWritable = (): void => {
    const problem = database.writeProblem()
    if (problem) throw new ApiError({ kind: REASONS[problem.kind], detail: problem.detail })
  }
  const transaction: Database['transaction'] = async (work) => {
    let changes = (): readonly ModelChange[] => []
    let result: Awaited<ReturnType<typeof work>>
    try {
      result = await database.transaction(async (inner) => {
        changes = () => inner.uncommitted.all
        const done = await work(requiringWritable(inner, requireWritable))
        const end = endOf(changes())
        if (end) inner.send(end)
        return done
      })
    } finally {
      // Recorded after a rollback too: values loaded while the transaction ran may have seen its changes.
      log.record(changes())
    }
    if (changes().length > 0) await otherProcesses.invalidate(encodeChanges(changes()))
    return result
  }
  return {
    ...database,
    ...watched((statement, run) => (statement.writes.length === 0 ? run(database) : transaction(run))),
    script: async (statements) => {
      await database.script(statements)
      log.clear()
    },
    transaction,
    rollBack: (work) => database.rollBack((inner) => work(requiringWritable(inner, requireWritable))),
  }
}

const REASONS = { readOnly: 'unavailable', storageFull: 'storageFull' } as const

/** The transaction; `requireWritable` is called before each changing statement and throws if no writes are allowed. */
function requiringWritable(transaction: Transaction, requireWritable: () => void): Transaction {
  const check = ({ writes }: Sql): void => {
    if (writes.length > 0) requireWritable()
  }
  return {
    ...transaction,
    ...watched((statement, run) => {
      check(statement)
      return run(transaction)
    }),
    send: (statement) => {
      check(statement)
      transaction.send(statement)
    },
  }
}

/** The methods of a Queryable, which pass each statement to `look` with a function that executes it. */
function watched(look: <T>(statement: Sql, run: (queryable: Queryable) => Promise<T>) => Promise<T>): Queryable {
  return {
    query: (statement, options) => look(statement, (queryable) => queryable.query(statement, options)),
    queryArrays: (statement, options) => look(statement, (queryable) => queryable.queryArrays(statement, options)),
    queryColumn: (statement, options) => look(statement, (queryable) => queryable.queryColumn(statement, options)),
    execute: (statement) => look(statement, (queryable) => queryable.execute(statement)),
  }
}
