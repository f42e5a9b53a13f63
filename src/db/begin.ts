import type { Connection, QueryResult } from './connection.ts'

/** A transaction whose `begin` has been sent. */
interface Begun {
  /** Resolves when the transaction has begun. */
  readonly begun: Promise<unknown>
  readonly connection: Connection
}

/**
 * Begins a transaction. If `begin` fails, the server skips the statements that were sent in the same message; all
 * others wait for `begin`, since without a transaction they would be committed at once.
 */
export function begin(connection: Connection): Begun {
  let hasBegun = false
  let isWaiting = false
  const begun = connection.command('begin isolation level read committed').then(() => {
    hasBegun = true
  })
  // Every caller awaits `begun`, so the rejection is handled there.
  begun.catch(() => undefined)
  const piece = connection.pipelineId()
  const inTurn = <T>(ask: () => Promise<T>): Promise<T> => {
    // Nothing overtakes the waiting statements.
    if (hasBegun || (!isWaiting && connection.pipelineId() === piece)) return ask()
    isWaiting = true
    return begun.then(ask)
  }
  return {
    begun,
    connection: {
      pipelineId: () => connection.pipelineId(),
      run: (...call): Promise<QueryResult> => inTurn(() => connection.run(...call)),
      script: (text) => inTurn(() => connection.script(text)),
      command: (text) => inTurn(() => connection.command(text)),
    },
  }
}
