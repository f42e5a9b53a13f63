import type { Transaction } from '../db/database.ts'
import { ANONYMOUS } from '../identity/actor.ts'
import { loadUserById } from '../identity/load-user.ts'
import { rowSecurityOf } from '../identity/permitted-rows.ts'
import { membershipsIn } from '../read/groups/memberships.ts'
import { allVisible, type VisibleRows } from '../read/query/row-predicate.ts'
import { ignoresCase } from '../schema/natural-key.ts'
import type { StoredObjects } from '../schema/rule.ts'
import type { Service } from '../service.ts'
import type { Queryable } from '../sql/queryable.ts'
import { attributeQuery } from './parse/attribute-query.ts'
import { findByAttributes } from './parse/find-by-attributes.ts'
import { announceRows } from './record/announce-rows.ts'
import { loadRows } from './rows.ts'

const isTransaction = (database: Queryable): database is Transaction => 'send' in database

/** Reads of objects, whatever users may view. */
export const storedObjects = (service: Service, database: Queryable): StoredObjects => ({
  registry: service.registry,
  isBranch: service.branch !== undefined,
  members: async (name, group, ids) => {
    const groups = await membershipsIn({ registry: service.registry, database })(name, [group], ids)
    return ids.filter((id) => groups.has(id))
  },
  announce: (name, type, ids) => {
    if (!isTransaction(database)) throw new Error('Events are stored in transactions')
    return announceRows({ service, transaction: database }, service.registry.model(name), type, ids)
  },
  rows: (name, ids) => loadRows(service, database, service.registry.model(name), ids),
  find: finder(service, database, allVisible),
  findableBy: async (id) => {
    const { registry, settings } = service
    const actor = (await loadUserById(service, database, id)) ?? ANONYMOUS
    return { registry, find: finder(service, database, rowSecurityOf(actor, registry, settings).visibleRows) }
  },
})

const finder =
  ({ registry }: Service, database: Queryable, visibleRows: VisibleRows): StoredObjects['find'] =>
  async (name, sought) => {
    const model = registry.model(name)
    const queries = sought.map((attributes) => {
      const folded = Object.entries(attributes).map(([key, value]) => [
        typeof value === 'string' && ignoresCase(model, key) ? `${key}__iexact` : key,
        value,
      ])
      const query = attributeQuery(registry, model, Object.fromEntries(folded))
      return 'key' in query ? query : undefined
    })
    const found = await findByAttributes(
      {
        transaction: database,
        security: { registry, visibleRows },
        found: { of: () => new Map() },
      },
      model,
      [...new Map(queries.flatMap((query) => (query ? [[query.key, query] as const] : []))).values()],
    )
    return queries.map((query) => (query && found.get(query.key)) ?? [])
  }
