import type { Database } from './database.ts'

class RolledBack extends Error {}

/**
 * `rollBack` of a database that runs `transaction` apart from all that follows. Nothing is stored whether the end of the transaction arrives or
 * not, so the result does not wait for it.
 */
export const rollBackOf =
  (transaction: Database['transaction']): Database['rollBack'] =>
  (work) =>
    new Promise((resolve, reject) => {
      runAndRollBack(transaction, async (inner) => resolve(await work(inner))).catch(reject)
    })

/** The same where what follows would become part of the transaction before its end: the result waits for that. */
export const rollBackFirstOf =
  (transaction: Database['transaction']): Database['rollBack'] =>
  async (work) => {
    const result = Promise.withResolvers<Awaited<ReturnType<typeof work>>>()
    await runAndRollBack(transaction, async (inner) => result.resolve(await work(inner)))
    return await result.promise
  }

/** Throws the error of the work. */
async function runAndRollBack(
  transaction: Database['transaction'],
  work: Parameters<Database['transaction']>[0],
): Promise<void> {
  try {
    await transaction(async (inner) => {
      await work(inner)
      throw new RolledBack()
    })
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error
  }
}
