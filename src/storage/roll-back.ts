import type { Database } from './database.ts'

class RolledBack extends Error {}

/** `rollBack` of a database whose transactions `transaction` runs. */
export const rollBackOf =
  (transaction: Database['transaction']): Database['rollBack'] =>
  async (work) => {
    const results: Awaited<ReturnType<typeof work>>[] = []
    try {
      await transaction(async (inner) => {
        results.push(await work(inner))
        throw new RolledBack()
      })
    } catch (error) {
      if (!(error instanceof RolledBack)) throw error
    }
    const [result] = results
    // The work has returned it, or its error has been thrown on.
    return result as NonNullable<typeof result>
  }
