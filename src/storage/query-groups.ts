import type { Connection, QueryResult } from './connection.ts'
import { isSkipped } from './failures.ts'

type Run = Connection['run']

interface Waiting {
  readonly call: Parameters<Run>
  resolve(result: QueryResult): void
  reject(error: unknown): void
}

/** Queries that are sent together; one that comes after them begins another group. */
const MOST_TOGETHER = 12

/**
 * Runs queries so that those of one turn of the event loop share a connection, which sends them in one message: a message costs
 * more than the execution of a short query. `withConnection` lends a connection for as long as its work takes.
 */
export function groupQueries(
  withConnection: (work: (connection: { readonly run: Run }) => Promise<void>) => Promise<void>,
): Run {
  let group: Waiting[] = []
  const send = async (queries: readonly Waiting[]): Promise<void> => {
    try {
      await withConnection(async (connection) => {
        await Promise.all(queries.map((query) => settle(connection, query)))
      })
    } catch (error) {
      for (const query of queries) query.reject(error)
    }
  }
  const begin = (): Waiting[] => {
    const queries: Waiting[] = []
    process.nextTick(() => {
      if (group === queries) group = []
      void send(queries)
    })
    return queries
  }
  return (...call) => {
    if (group.length === 0 || group.length === MOST_TOGETHER) group = begin()
    return new Promise((resolve, reject) => group.push({ call, resolve, reject }))
  }
}

async function settle(
  connection: { readonly run: Run },
  { call, resolve, reject }: Waiting,
): Promise<void> {
  try {
    resolve(await connection.run(...call))
  } catch (error) {
    if (!isSkipped(error)) reject(error)
    // It was not executed, because a query before it has failed.
    else await connection.run(...call).then(resolve, reject)
  }
}
