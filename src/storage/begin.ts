import type { Connection } from './connection.ts'

/**
 * Statements of a write are put again and again, and find their rows by ids: planning each anew for its values
 * takes longer than carrying it out. Pages outside of transactions are planned for the values that are asked for.
 */
const BEGIN = 'begin isolation level read committed; set local plan_cache_mode = force_generic_plan'
const READS = /^\s*select\b/i

/** A transaction that the server has been asked to begin. */
export interface Begun {
  /** Resolves when it has begun. */
  readonly begun: Promise<unknown>
  readonly connection: Connection
}

/**
 * Begins a transaction. What only reads may follow before the server has answered, and is refused together
 * with the beginning; whatever else comes waits, since without a transaction it would be carried out for good.
 */
export function begin(connection: Connection): Begun {
  let hasBegun = false
  let isWaiting = false
  const begun = connection.command(BEGIN).then(() => {
    hasBegun = true
  })
  // Whoever asks anything is told.
  begun.catch(() => undefined)
  const inTurn = async <T>(ask: () => Promise<T>): Promise<T> => {
    if (!hasBegun) {
      isWaiting = true
      await begun
    }
    return await ask()
  }
  return {
    begun,
    connection: {
      run: async (text, values, form) => {
        const ask = () => connection.run(text, values, form)
        // Nothing overtakes what waits.
        if (hasBegun || isWaiting || !READS.test(text)) return await inTurn(ask)
        const [answer] = await Promise.all([ask(), begun])
        return answer
      },
      script: (text) => inTurn(() => connection.script(text)),
      command: (text) => inTurn(() => connection.command(text)),
    },
  }
}
