import type { Database } from './database.ts'

class RolledBack extends Error {}

/** `rollBack` of a database that runs `transaction`. Throws the error of the work. */
export const rollBackOf =
  (transaction: Database['transaction']): Database['rollBack'] =>
  async (work) => {
    const result = Promise.withResolvers<Awaited<ReturnType<typeof work>>>()
    try {
      await transaction(async (inner) => {
        result.resolve(await work(inner))
        throw new RolledBack()
      })
    } catch (error) {
      if (!(error instanceof RolledBack)) throw error
    }
    return await result.promise
  }
