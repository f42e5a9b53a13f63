import { CachePart } from '../cache/cache.ts'
import { invalid } from '../errors.ts'
import { oncePerText } from '../schema/once-per.ts'
import type { Registry } from '../schema/registry.ts'
import type { Service } from '../service.ts'
import type { Sql } from '../sql/fragment.ts'
import type { Database } from '../storage/database.ts'
import { StatementFailed } from '../storage/failures.ts'
import {
  type CommittedTransactions,
  pastStatement,
  VERSIONS_MISSED,
} from '../versions/past-statement.ts'
import { filledTables } from './filled-tables.ts'
import { AS_OF, type PastMoment } from './moment.ts'

/** Points in time whose services are reused. */
const MOST_MOMENTS = 50

/**
 * The service with the rows as they were at the time: every statement that it sends reads past versions. It cannot write. Its
 * cached values are found only by services of the same time.
 */
export const pastService = (service: Service, { committed }: PastMoment): Service =>
  serviceAt(service, JSON.stringify(committed), committed)

const serviceAt = oncePerText(
  MOST_MOMENTS,
  (service: Service, key, committed: CommittedTransactions): Service => ({
    registry: service.registry,
    database: pastDatabase(service.database, service.registry, committed),
    cache: new CachePart(service.cache, `as of ${key} `),
    get settings() {
      return service.settings
    },
    startSettings: service.startSettings,
    clock: service.clock,
    isPast: true,
    reconfigure: refuseWrite,
  }),
)

function pastDatabase(
  database: Database,
  registry: Registry,
  committed: CommittedTransactions,
): Database {
  const tables = filledTables(database, registry)
  const read = async <T>(statement: Sql, send: (past: Sql) => Promise<T>): Promise<T> => {
    if (statement.writes.length > 0) return refuseWrite()
    const past = (filled: ReadonlySet<string>) =>
      pastStatement(registry, { committed, filled }, statement)
    try {
      return await send(past(await tables.names()))
    } catch (error) {
      if (!isMissed(error)) throw error
      await tables.read()
      // A standby may not have them yet.
      return await send(past(tables.all))
    }
  }
  return {
    ...database,
    query: (statement, options) => read(statement, (past) => database.query(past, options)),
    queryArrays: (statement, options) =>
      read(statement, (past) => database.queryArrays(past, options)),
    queryColumn: (statement, options) =>
      read(statement, (past) => database.queryColumn(past, options)),
    execute: (statement) => read(statement, (past) => database.execute(past)),
    transaction: async () => refuseWrite(),
    script: async () => refuseWrite(),
  }
}

const isMissed = (error: unknown): boolean =>
  error instanceof StatementFailed && error.code === VERSIONS_MISSED

function refuseWrite(): never {
  throw invalid({ [AS_OF]: ['Nothing can be changed in the past.'] })
}
