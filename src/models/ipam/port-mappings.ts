import { choice, integer, list } from '../../schema/field.ts'
import { sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { updateTable } from '../../sql/table.ts'
import { serviceProtocol } from './choices.ts'

/**
 * The protocols and ports of a service. The separate fields for protocol and ports are null if there are several
 * protocols; bodies may contain them instead of the mappings.
 */
export const portFields = {
  port_mappings: list('portMapping', {
    choices: serviceProtocol,
    default: [],
    blank: false,
    filter: false,
    example: (n) => [`tcp/${8000 + n}`],
  }),
  protocol: choice(serviceProtocol, { nullable: true, unlogged: true, filter: false, example: null }),
  ports: list('integer', {
    range: [1, 65535],
    label: 'Port numbers',
    nullable: true,
    blank: false,
    unlogged: true,
    example: null,
    shownAs: (column) => sql`(select array_agg(port order by port) from unnest(${column('ports')}) port)`,
  }),
  _ports_lowest: integer({
    range: [0, 2147483647],
    nullable: true,
    hidden: true,
    compute: ({ ports }) => (Array.isArray(ports) && ports.length > 0 ? Math.min(...ports.map(Number)) : null),
  }),
}

/** Sets the mappings of rows that come from an earlier version. */
export const fillMappings =
  (model: string) =>
  async (database: Queryable): Promise<void> => {
    await database.execute(sql`
      ${updateTable(model)} set port_mappings = array(select protocol || '/' || port from unnest(ports) port)
      where port_mappings = '{}' and protocol is not null`)
  }

/** GraphQL clients that still ask for the separate fields are told what replaces them. */
export const deprecatedPorts = { protocol: 'Use port_mappings.', ports: 'Use port_mappings.' }
