import { LRUCache } from 'lru-cache'
import { CachePart } from '../cache/cache.ts'
import { invalid } from '../errors.ts'
import { oncePer } from '../schema/once-per.ts'
import type { Registry } from '../schema/registry.ts'
import type { Service } from '../service.ts'
import type { Sql } from '../sql/fragment.ts'
import type { Database } from '../storage/database.ts'
import { type CommittedTransactions, pastStatement } from '../versions/past-statement.ts'
import { AS_OF, type PastMoment } from './moment.ts'

/** Points in time whose services are reused. */
const MOST_MOMENTS = 50

const servicesOf = oncePer(
  (_service: Service) => new LRUCache<string, Service>({ max: MOST_MOMENTS }),
)

/**
 * The service with the rows as they were at the time: every statement that it sends reads past versions. It cannot write. Its
 * cached values are found only by services of the same time.
 */
export function pastService(service: Service, { committed }: PastMoment): Service {
  const services = servicesOf(service)
  const key = JSON.stringify(committed)
  const cached = services.get(key)
  if (cached) return cached
  const created: Service = {
    registry: service.registry,
    database: pastDatabase(service.database, service.registry, committed),
    cache: new CachePart(service.cache, `as of ${key} `),
    get settings() {
      return service.settings
    },
    startSettings: service.startSettings,
    clock: service.clock,
    reconfigure: refuseWrite,
  }
  services.set(key, created)
  return created
}

function pastDatabase(
  database: Database,
  registry: Registry,
  committed: CommittedTransactions,
): Database {
  const past = (statement: Sql): Sql =>
    statement.writes.length > 0 ? refuseWrite() : pastStatement(registry, committed, statement)
  return {
    ...database,
    query: async (statement) => await database.query(past(statement)),
    queryArrays: async (statement) => await database.queryArrays(past(statement)),
    execute: async (statement) => await database.execute(past(statement)),
    transaction: async () => refuseWrite(),
    script: async () => refuseWrite(),
  }
}

function refuseWrite(): never {
  throw invalid({ [AS_OF]: ['Nothing can be changed in the past.'] })
}
