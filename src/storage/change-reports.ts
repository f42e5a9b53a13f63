import { ApiError } from '../errors.ts'
import type { Sql } from '../sql/fragment.ts'
import type { Queryable } from '../sql/queryable.ts'
import {
  type Database,
  NO_OTHER_PROCESSES,
  type OtherProcesses,
  type Transaction,
} from './database.ts'
import type { Memory } from './memory.ts'

/**
 * The database, with an eye on every statement that changes something: at its commit the other
 * processes are told, and the memory forgets. So nothing that is remembered can outlive a change, whoever
 * makes it and whether or not they think of it. A change is done when `otherProcesses` have forgotten too.
 */
export function reportingChanges(
  database: Database,
  memory: Memory,
  otherProcesses: OtherProcesses = NO_OTHER_PROCESSES,
): Database {
  const requireRoom = (): void => {
    const detail = database.writeProblem?.()
    if (detail !== undefined) throw new ApiError({ kind: 'storageFull', detail })
  }
  return {
    ...database,
    ...watched(async (statement, run) => {
      const models = statement.writes
      if (models.length === 0) return await run(database)
      requireRoom()
      const result = await database.transaction(async (transaction) => {
        const done = await run(transaction)
        await transaction.announce(models)
        transaction.afterCommit(() => memory.forget(models))
        return done
      })
      await otherProcesses.invalidate(models)
      return result
    }),
    script: async (statements) => {
      await database.script(statements)
      memory.clear()
    },
    transaction: async (work) => {
      const changed = new Map<string, number>()
      let result: Awaited<ReturnType<typeof work>>
      try {
        result = await database.transaction(async (transaction) => {
          const done = await work(watchedTransaction(transaction, changed, requireRoom))
          await transaction.announce(changed.keys())
          return done
        })
      } finally {
        // After a rollback too: what was loaded while the transaction ran may have seen its changes.
        if (changed.size > 0) memory.forget(changed.keys())
      }
      if (changed.size > 0) await otherProcesses.invalidate(changed.keys())
      return result
    },
  }
}

/** The transaction, with the models that its statements change counted; `requireRoom` throws where none may be. */
function watchedTransaction(
  transaction: Transaction,
  changed: Map<string, number>,
  requireRoom: () => void,
): Transaction {
  const note = (models: readonly string[]): void => {
    if (models.length > 0) requireRoom()
    for (const model of models) changed.set(model, (changed.get(model) ?? 0) + 1)
  }
  return {
    ...transaction,
    uncommitted: changed,
    ...watched((statement, run) => {
      note(statement.writes)
      return run(transaction)
    }),
    send: (statement) => {
      note(statement.writes)
      transaction.send(statement)
    },
    announce: async (models) => {
      // Whoever announces has mostly changed them by statements, which are counted already.
      for (const model of models) if (!changed.has(model)) changed.set(model, 1)
    },
  }
}

/** The three questions, each of which passes `look` with its statement and with what puts it. */
function watched(
  look: <T>(statement: Sql, run: (queryable: Queryable) => Promise<T>) => Promise<T>,
): Queryable {
  return {
    query: (statement) => look(statement, (queryable) => queryable.query(statement)),
    queryArrays: (statement) => look(statement, (queryable) => queryable.queryArrays(statement)),
    execute: (statement) => look(statement, (queryable) => queryable.execute(statement)),
  }
}
