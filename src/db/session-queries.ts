import type { Queryable } from '../sql/queryable.ts'
import type { Connection } from './connection.ts'
import { groupQueries } from './query-groups.ts'
import { queryableOver } from './transaction.ts'

/** Lends a session for as long as the work takes. */
type WithSession = <T>(work: (session: Connection) => Promise<T>) => Promise<T>

/**
 * Queries outside of transactions: short queries of a request share a session, every other one has its own. `check`
 * throws if none may be sent.
 */
export function sessionQueries(withSession: WithSession, check: () => void = () => undefined): Queryable {
  const runTogether = groupQueries(withSession)
  return queryableOver(
    { run: (...call) => withSession((session) => session.run(...call)) },
    undefined,
    async (...call) => {
      check()
      return await runTogether(...call)
    },
  )
}
