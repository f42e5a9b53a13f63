import type { ChangeLog } from '../cache/change-log.ts'
import { ChangeSet, changeOf, encodeChanges, wholeModel } from '../cache/model-change.ts'
import { ApiError } from '../errors.ts'
import type { Sql } from '../sql/fragment.ts'
import type { Queryable } from '../sql/queryable.ts'
import {
  type Database,
  NO_OTHER_PROCESSES,
  type OtherProcesses,
  type Transaction,
} from './database.ts'

/**
 * The database, which reports every statement that changes something: at its commit the change is recorded in the log, and
 * other processes are notified. So nothing that is cached outlives a change, whatever part of the program makes it. A change
 * is done when the `otherProcesses` have recorded it too.
 */
export function reportingChanges(
  database: Database,
  log: ChangeLog,
  otherProcesses: OtherProcesses = NO_OTHER_PROCESSES,
): Database {
  const requireRoom = (): void => {
    const detail = database.writeProblem?.()
    if (detail !== undefined) throw new ApiError({ kind: 'storageFull', detail })
  }
  const transaction: Database['transaction'] = async (work) => {
    const changes = new ChangeSet()
    let result: Awaited<ReturnType<typeof work>>
    try {
      result = await database.transaction(async (inner) => {
        const done = await work(watchedTransaction(inner, changes, requireRoom))
        await inner.announce(encodeChanges(changes.all))
        return done
      })
    } finally {
      // After a rollback too: what was loaded while the transaction ran may have seen its changes.
      log.record(changes.all)
    }
    if (changes.all.length > 0) await otherProcesses.invalidate(encodeChanges(changes.all))
    return result
  }
  return {
    ...database,
    ...watched((statement, run) =>
      statement.writes.length === 0 ? run(database) : transaction(run),
    ),
    script: async (statements) => {
      await database.script(statements)
      log.clear()
    },
    transaction,
  }
}

/** The transaction, which adds what its statements change; `requireRoom` throws where nothing may be changed. */
function watchedTransaction(
  transaction: Transaction,
  changes: ChangeSet,
  requireRoom: () => void,
): Transaction {
  const note = ({ statement }: Sql): void => {
    if (statement.changes.length > 0) requireRoom()
    for (const change of statement.changes) changes.add(changeOf(change))
  }
  return {
    ...transaction,
    uncommitted: changes.statements,
    ...watched((statement, run) => {
      note(statement)
      return run(transaction)
    }),
    send: (statement) => {
      note(statement)
      transaction.send(statement)
    },
    announce: async (models) => {
      // Their statements have mostly been noted already, and say more.
      for (const model of models) if (!changes.statements.has(model)) changes.add(wholeModel(model))
    },
  }
}

/** The three methods of a Queryable, which pass each statement to `look` with a function that executes it. */
function watched(
  look: <T>(statement: Sql, run: (queryable: Queryable) => Promise<T>) => Promise<T>,
): Queryable {
  return {
    query: (statement) => look(statement, (queryable) => queryable.query(statement)),
    queryArrays: (statement) => look(statement, (queryable) => queryable.queryArrays(statement)),
    execute: (statement) => look(statement, (queryable) => queryable.execute(statement)),
  }
}
