import type { ComputedField } from '../../schema/field.ts'
import { computed } from '../../schema/field.ts'
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
    async (ids, { database }) => {
      const rows = await database.query<{
        port: number
        position: number
        other: number
        otherPosition: number
      }>(sql`
        select m.${identifier(`${side}_port_id`)} as port,
          m.${identifier(`${side}_port_position`)} as position,
          m.${identifier(`${other}_port_id`)} as other,
          m.${identifier(`${other}_port_position`)} as "otherPosition"
        from ${table(mapping, 'id')} m
        where m.${identifier(`${side}_port_id`)} = any(${ids}::bigint[])
        order by 2, m.id
      `)
      const lists = new Map<number, string[]>(ids.map((id) => [id, []]))
      for (const row of rows) {
        lists
          .get(row.port)
          ?.push(
            `{"position":${row.position},"${other}_port":${row.other},"${other}_port_position":${row.otherPosition}}`,
          )
      }
      return new Map([...lists].map(([id, items]) => [id, `[${items.join()}]`]))
    },
    { input: readPortLinks(side) },
  )
}
