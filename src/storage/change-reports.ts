import { type Sql, text } from '../sql/fragment.ts'
import type { Queryable } from '../sql/queryable.ts'
import type { Database, Transaction } from './database.ts'
import type { Memory } from './memory.ts'

/** Names of the models that a statement changes. */
export type ModelsChangedBy = (statement: string) => readonly string[]

/**
 * The database, with an eye on every statement that changes something: at its commit the other
 * processes are told, and the memory forgets. So nothing that is remembered can outlive a change, whoever
 * makes it and whether or not they think of it.
 */
export function reportingChanges(
  database: Database,
  changedBy: ModelsChangedBy,
  memory: Memory,
): Database {
  return {
    ...database,
    ...watched(async (statement, run) => {
      const models = changedBy(text(statement))
      if (models.length === 0) return await run(database)
      return await database.transaction(async (transaction) => {
        const done = await run(transaction)
        await transaction.announce(models)
        transaction.afterCommit(() => memory.forget(models))
        return done
      })
    }),
    script: async (statements) => {
      await database.script(statements)
      memory.clear()
    },
    transaction: async (work) => {
      const changed = new Set<string>()
      try {
        return await database.transaction(async (transaction) => {
          const result = await work(watchedTransaction(transaction, changedBy, changed))
          await transaction.announce(changed)
          return result
        })
      } finally {
        // After a rollback too: what was loaded while the transaction ran may have seen its changes.
        if (changed.size > 0) memory.forget(changed)
      }
    },
  }
}

function watchedTransaction(
  transaction: Transaction,
  changedBy: ModelsChangedBy,
  changed: Set<string>,
): Transaction {
  return {
    ...transaction,
    uncommitted: changed,
    ...watched((statement, run) => {
      for (const model of changedBy(text(statement))) changed.add(model)
      return run(transaction)
    }),
    announce: async (models) => {
      for (const model of models) changed.add(model)
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
