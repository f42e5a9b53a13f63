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
/** Values in a list, usually ids, above which a query takes so long that those of other requests do not wait for it. */
const LONG_LIST = 200

/**
 * Runs queries so that those of one turn of the event loop share a connection, which sends them in one message: a message costs
 * more than the execution of a short query. They may be of several requests, except those with long lists. `withConnection` lends
 * a connection for as long as its work takes.
 */
export function groupQueries(
  withConnection: (work: (connection: { readonly run: Run }) => Promise<void>) => Promise<void>,
): Run {
  const send = async (queries: readonly Waiting[]): Promise<void> => {
    try {
      await withConnection(async (connection) => {
        await Promise.all(queries.map((query) => settle(connection, query)))
      })
    } catch (error) {
      for (const query of queries) query.reject(error)
    }
  }
  // After all that has arrived on any connection was handled.
  const ofTurn = gather(setImmediate, send)
  // After what one message from a client or the server has led to.
  const ofMessage = gather(process.nextTick, send)
  return (...call) => (hasLongList(call) ? ofMessage(call) : ofTurn(call))
}

/** Collects queries until `later` calls back, and then sends them together. */
function gather(
  later: (callback: () => void) => unknown,
  send: (queries: readonly Waiting[]) => Promise<void>,
): (call: Waiting['call']) => Promise<QueryResult> {
  let group: Waiting[] = []
  const begin = (): Waiting[] => {
    const queries: Waiting[] = []
    later(() => {
      if (group === queries) group = []
      void send(queries)
    })
    return queries
  }
  return (call) => {
    if (group.length === 0 || group.length === MOST_TOGETHER) group = begin()
    return new Promise((resolve, reject) => group.push({ call, resolve, reject }))
  }
}

const hasLongList = ([, values]: Waiting['call']): boolean =>
  values.some((value) => Array.isArray(value) && value.length > LONG_LIST)

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
