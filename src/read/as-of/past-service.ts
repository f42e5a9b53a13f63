import { invalid } from '../../base/errors.ts'
import { CachePart } from '../../db/cache/cache.ts'
import type { Database } from '../../db/database.ts'
import { type CommittedTransactions, pastStatement } from '../../db/versions/past-statement.ts'
import { oncePerText } from '../../schema/once-per.ts'
import type { Registry } from '../../schema/registry.ts'
import type { Service } from '../../service.ts'
import type { Sql } from '../../sql/fragment.ts'
import { AS_OF, type PastTimestamp } from './past-timestamp.ts'

/** Points in time whose services are reused. */
const MOST_TIMESTAMPS = 50

/**
 * The service with the rows of that time: all its statements read past versions. It cannot write. Its cached values are
 * found only by services of the same time.
 */
export const pastService = (service: Service, { committed }: PastTimestamp): Service =>
  serviceAt(service, JSON.stringify(committed), committed)

const serviceAt = oncePerText(
  MOST_TIMESTAMPS,
  (service: Service, key, committed: CommittedTransactions): Service => ({
    registry: service.registry,
    database: pastDatabase(service.database, service.registry, committed),
    cache: new CachePart(service.cache, `as of ${key} `),
    get settings() {
      return service.settings
    },
    currentSettings: service.currentSettings,
    startSettings: service.startSettings,
    clock: service.clock,
    isPast: true,
    reconfigure: refuseWrite,
  }),
)

function pastDatabase(database: Database, registry: Registry, committed: CommittedTransactions): Database {
  const past = (statement: Sql): Sql =>
    statement.writes.length > 0 ? refuseWrite() : pastStatement(registry, committed, statement)
  return {
    ...database,
    query: async (statement, options) => await database.query(past(statement), options),
    queryArrays: async (statement, options) => await database.queryArrays(past(statement), options),
    queryColumn: async (statement, options) => await database.queryColumn(past(statement), options),
    execute: async (statement) => await database.execute(past(statement)),
    transaction: async () => refuseWrite(),
    script: async () => refuseWrite(),
  }
}

function refuseWrite(): never {
  throw invalid({ [AS_OF]: ['Nothing can be changed in the past.'] })
}
