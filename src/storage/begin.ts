import type { Connection, QueryResult } from './connection.ts'

/**
 * Statements of a write are put again and again, and find their rows by ids and unique values: planning each anew for its
 * values takes longer than carrying it out, and a plan that is kept must not have been made for tables that were small
 * then, which are read whole. Pages outside of transactions are planned for the values that are asked for.
 */
const BEGIN = [
  'begin isolation level read committed',
  // No query: a transaction may still choose another isolation.
  'set local plan_cache_mode = force_generic_plan',
  'set local enable_seqscan = off',
] as const

/** A transaction that the server has been asked to begin. */
export interface Begun {
  /** Resolves when it has begun. */
  readonly begun: Promise<unknown>
  readonly connection: Connection
}

/**
 * Begins a transaction. What goes out in one piece with the beginning is not carried out where that fails; whatever
 * else comes waits for it, since without a transaction it would be carried out for good.
 */
export function begin(connection: Connection): Begun {
  let hasBegun = false
  let isWaiting = false
  const begun = Promise.all(BEGIN.map((text) => connection.command(text))).then(() => {
    hasBegun = true
  })
  // Whoever asks anything is told.
  begun.catch(() => undefined)
  const piece = connection.pipelineId()
  const inTurn = async <T>(ask: () => Promise<T>): Promise<T> => {
    // Nothing overtakes what waits.
    if (!hasBegun && (isWaiting || connection.pipelineId() !== piece)) {
      isWaiting = true
      await begun
    }
    return await ask()
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
