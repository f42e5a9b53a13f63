import { AsyncLocalStorage } from 'node:async_hooks'
import type { Connection, QueryResult } from './connection.ts'
import { isSkipped } from './failures.ts'

type Run = Connection['run']

interface Waiting {
  readonly call: Parameters<Run>
  resolve(result: QueryResult): void
  reject(error: unknown): void
}

/** Statements of a request. */
export interface StatementCounts {
  count: number
  /** Sum of their times, some of which may overlap. */
  milliseconds: number
}

const requests = new AsyncLocalStorage<{ readonly statements: StatementCounts | undefined }>()

/**
 * Runs the work of one request: its short queries of one turn of the event loop are sent together. Counts its
 * statements, if requested.
 */
export const asOneRequest = <T>(work: () => Promise<T>, statements?: StatementCounts): Promise<T> =>
  requests.run({ statements }, work)

/** Counts a statement that has been sent, if those of the request are counted. */
export function counted<T>(result: Promise<T>): Promise<T> {
  const statements = requests.getStore()?.statements
  if (!statements) return result
  const start = performance.now()
  return result.finally(() => {
    statements.count += 1
    statements.milliseconds += performance.now() - start
  })
}

/**
 * Runs queries so that those of one request and one turn of the event loop share a connection, which sends them in one
 * message: a message costs more than the execution of a short query. Requests never share a connection, so that the
 * failure of one cannot affect another. `withConnection` lends a connection for as long as its work takes.
 */
export function groupQueries(
  withConnection: (work: (connection: Pick<Connection, 'run'>) => Promise<void>) => Promise<void>,
): Run {
  const send = async (queries: readonly Waiting[]): Promise<void> => {
    try {
      await withConnection((connection) => runTogether(connection, queries))
    } catch (error) {
      for (const query of queries) query.reject(error)
    }
  }
  const groups = new WeakMap<object, Waiting[]>()
  const groupOf = (request: object): Waiting[] => {
    const group = groups.get(request)
    if (group) return group
    const queries: Waiting[] = []
    groups.set(request, queries)
    setImmediate(() => {
      groups.delete(request)
      void send(queries)
    })
    return queries
  }
  return (...call) =>
    new Promise((resolve, reject) => {
      const query = { call, resolve, reject }
      const request = requests.getStore()
      if (request) groupOf(request).push(query)
      else void send([query])
    })
}

/** Sends the queries in one message. Those that the server skips after one that failed are sent again, one by one. */
async function runTogether(connection: Pick<Connection, 'run'>, queries: readonly Waiting[]): Promise<void> {
  const skipped: Waiting[] = []
  await Promise.all(
    queries.map((query) =>
      connection.run(...query.call).then(query.resolve, (error) => {
        if (isSkipped(error)) skipped.push(query)
        else query.reject(error)
      }),
    ),
  )
  for (const { call, resolve, reject } of skipped) {
    await connection.run(...call).then(resolve, reject)
  }
}
