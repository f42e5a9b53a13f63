import type { PageQuery } from '../../schema/computed.ts'
import { type ComputedField, computed } from '../../schema/field.ts'
import { identifier, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { OPPOSITE, type PortSide, readPortLinks } from './port-links.ts'

/**
 * Mappings of the positions of a pass-through port: positions of rear ports for a front port and vice versa.
 * `mapping` is the model of the mappings of ports or of their templates.
 */
export function portMappings(
  mapping: 'dcim.portmapping' | 'dcim.porttemplatemapping',
  side: PortSide,
): ComputedField {
  const other = OPPOSITE[side]
  const mappings: PageQuery = (ids) => sql`
    select m.${identifier(`${side}_port_id`)}, m.${identifier(`${side}_port_position`)},
      m.${identifier(`${other}_port_id`)}, m.${identifier(`${other}_port_position`)}
    from ${table(mapping)} m
    where m.${identifier(`${side}_port_id`)} = any(${ids}::bigint[])
    order by m.${identifier(`${side}_port_position`)}, m.id`
  return computed(
    {
      type: 'array',
      items: {
        type: 'object',
        required: ['position', `${other}_port`],
        properties: {
          position: { type: 'integer' },
          [`${other}_port`]: { type: 'integer', format: 'id' },
          [`${other}_port_position`]: { type: 'integer', minimum: 1, maximum: 1024 },
        },
      },
    },
    async (_ids, { results }) => {
      const lists = await results(mappings)
      const textOf = ([position, port, there]: readonly unknown[]): string =>
        `{"position":${position},"${other}_port":${port},"${other}_port_position":${there}}`
      return { get: (id) => `[${(lists.get(id) ?? []).map(textOf)}]` }
    },
    { input: readPortLinks(side), queries: [mappings] },
  )
}
