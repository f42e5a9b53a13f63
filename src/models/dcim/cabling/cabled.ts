import { boolean, choice, computed, derived, foreignKey, integer, list } from '../../../schema/field.ts'
import { choiceFilter, custom, numberFilter, present } from '../../../schema/filter.ts'
import type { Json } from '../../../schema/json.ts'
import type { ColumnOf } from '../../../schema/path.ts'
import { type Sql, sql, volatile } from '../../../sql/fragment.ts'
import type { Queryable } from '../../../sql/queryable.ts'
import { table } from '../../../sql/table.ts'
import { cableEnd } from '../choices.ts'
import { linkPeersOf, nestedLists, pathEndpointsOf } from './link-peers.ts'

// Fields and filters of all objects that a cable can connect.

/** Models that a cable can connect. */
export const CABLE_TERMINATION_MODELS = [
  'circuits.circuittermination',
  'dcim.consoleport',
  'dcim.consoleserverport',
  'dcim.frontport',
  'dcim.interface',
  'dcim.powerfeed',
  'dcim.poweroutlet',
  'dcim.powerport',
  'dcim.rearport',
] as const

/** Models at which a path may end. */
const PATH_END_MODELS = [...CABLE_TERMINATION_MODELS, 'circuits.providernetwork', 'circuits.virtualcircuittermination']

/** The cable and its end, copied here from the cable's terminations. */
export const cabled = {
  mark_connected: boolean({ default: false }),
  cable: foreignKey('dcim.cable', { onDelete: 'setNull', related: '+', readOnly: true, maintained: true }),
  cable_end: choice(cableEnd, { nullable: true, readOnly: true, maintained: true, max: 1, bare: true }),
}

/** Connector and positions of the cable's profile that end here. */
export const cablePosition = {
  cable_connector: integer({ size: 'small', range: [1, 256], nullable: true, hidden: true, maintained: true }),
  cable_positions: list('integer', { nullable: true, hidden: true, maintained: true, range: [1, 1024] }),
}

/** As `cablePosition`, with the path, for models at which a path may start. */
export const pathStart = {
  ...cablePosition,
  _path: foreignKey('dcim.cablepath', { onDelete: 'setNull', hidden: true }),
}

const OBJECTS: Json = { type: 'array', items: { type: 'object' }, readOnly: true }
const OBJECTS_OR_NULL: Json = { ...OBJECTS, nullable: true }
const TYPE_NAME: Json = { type: 'string', nullable: true, readOnly: true }

/** The directly connected peers of an object of `model`, and their type. */
export function linkPeers(model: string) {
  const { queries, find } = linkPeersOf(model)
  return {
    link_peers: computed(
      OBJECTS,
      async (_ids, context) => {
        const lists = await nestedLists(await find(context), context)
        return { get: (id) => lists.get(id) ?? '[]' }
      },
      { objects: CABLE_TERMINATION_MODELS, queries },
    ),
    link_peers_type: computed(
      TYPE_NAME,
      async (_ids, context) => {
        const peers = await find(context)
        return new Map(
          // A wireless link has no ends like a cable, and its peer determines no type.
          peers.flatMap(({ id, type, wireless }) => (wireless ? [] : [[id, JSON.stringify(type)] as const])),
        )
      },
      { queries },
    ),
  }
}

/** The ends of the complete path from an object of `model`; null without one. */
export function connectedEndpoints(model: string) {
  const { queries, find } = pathEndpointsOf(model)
  return {
    connected_endpoints: computed(
      OBJECTS_OR_NULL,
      async (_ids, context) => await nestedLists((await find(context)).ends, context),
      { objects: PATH_END_MODELS, queries },
    ),
    connected_endpoints_type: computed(
      TYPE_NAME,
      async (_ids, context) => {
        const { ends } = await find(context)
        return new Map(ends.map(({ id, type }) => [id, JSON.stringify(type)]))
      },
      { queries },
    ),
    connected_endpoints_reachable: computed(
      { type: 'boolean' },
      async (_ids, context) => {
        const { reachable } = await find(context)
        return { get: (id) => String(reachable.has(id)) }
      },
      { queries },
    ),
  }
}

const isOccupied = (column: ColumnOf): Sql => sql`(${column('cable')} is not null or ${column('mark_connected')})`
const isOccupiedOrLinked = (column: ColumnOf): Sql =>
  sql`(${isOccupied(column)} or ${column('wireless_link')} is not null)`

/** Whether the object cannot be connected because it already is. */
export const occupied = derived('boolean', isOccupied)
/** As `occupied`; a wireless link counts too. */
export const occupiedByLink = derived('boolean', isOccupiedOrLinked)

const occupiedFilter = (predicate: (column: ColumnOf) => Sql) =>
  custom({
    value: 'boolean',
    multiple: false,
    where: ({ column }, [expected]) => (expected ? predicate(column) : sql`not ${predicate(column)}`),
  })

export const cabledFilters = {
  cabled: present('cable'),
  occupied: occupiedFilter(isOccupied),
  cable_end: choiceFilter('cable_end', cableEnd, { single: true }),
  cable_connector: numberFilter('cable_connector'),
}

export const interfaceLinkFilters = {
  ...cabledFilters,
  occupied: occupiedFilter(isOccupiedOrLinked),
}

/** Filters of models at which a path may start. */
export const pathFilters = {
  connected: custom({
    value: 'boolean',
    multiple: false,
    where: ({ column }, [expected]) => {
      const connected = sql`exists (
        select 1 from ${table('dcim.cablepath')} p
        where p.id = ${column('_path')} and p.is_active and p.is_complete
      )`
      return expected ? connected : sql`not ${connected}`
    },
  }),
}

/** Lock of the models whose writes change cable paths. */
export const CABLING = 'dcim.cabling'

/** Takes the lock until the end of the transaction, for writes that change cables indirectly. */
export async function lockCabling(database: Queryable): Promise<void> {
  await database.query(volatile`select pg_advisory_xact_lock(hashtextextended(${`cadastre ${CABLING}`}, 0))`)
}
