import type { Messages } from '../../base/errors.ts'
import type { BatchQuery } from '../../schema/computed.ts'
import { type ComputedField, computed } from '../../schema/field.ts'
import { isJsonObject } from '../../schema/json.ts'
import { identifier, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'

/** Side of a pass-through port. */
export type PortSide = 'front' | 'rear'
export const OPPOSITE = { front: 'rear', rear: 'front' } as const

/** A link from a position of a port to a position of a port on the other side. */
export interface PortLink {
  readonly position: number
  /** Id of the port on the other side. */
  readonly port: number
  readonly portPosition: number
}

const LAST_POSITION = 1024
const REQUIRED = ['This field is required.']

/** Parses the links of a body for a port of the side. */
const readPortLinks =
  (side: PortSide) =>
  (input: unknown): { readonly value: readonly PortLink[] } | { readonly refused: Messages } => {
    if (input === null) return { refused: ['This field may not be null.'] }
    if (!Array.isArray(input)) return { refused: { non_field_errors: ['Expected a list.'] } }
    const read = input.map((item: unknown) => readLink(OPPOSITE[side], item))
    if (read.some((link) => 'refused' in link)) {
      return { refused: read.map((link) => ('refused' in link ? link.refused : {})) }
    }
    return { value: read.flatMap((link) => ('value' in link ? link.value : [])) }
  }

function readLink(other: PortSide, item: unknown): { readonly value: PortLink } | { readonly refused: Messages } {
  if (!isJsonObject(item)) return { refused: { non_field_errors: ['Expected an object.'] } }
  const name = `${other}_port`
  const { position, [name]: port, [`${name}_position`]: portPosition = 1 } = item
  const refused = {
    ...complaint('position', position, LAST_POSITION),
    ...complaint(name, port, Number.MAX_SAFE_INTEGER),
    ...complaint(`${name}_position`, portPosition, LAST_POSITION),
  }
  if (Object.keys(refused).length > 0) return { refused }
  return {
    value: {
      position: Number(position),
      port: Number(port),
      portPosition: Number(portPosition),
    },
  }
}

function complaint(name: string, value: unknown, most: number): Record<string, Messages> {
  if (value === undefined) return { [name]: REQUIRED }
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value
  if (!Number.isInteger(number)) return { [name]: ['A valid integer is required.'] }
  return Number(number) >= 1 && Number(number) <= most ? {} : { [name]: [`Must be between 1 and ${most}.`] }
}

/**
 * Mappings of the positions of a pass-through port: positions of rear ports for a front port and vice versa.
 * `mapping` is the model of the mappings of ports or of their templates.
 */
export function portMappings(mapping: 'dcim.portmapping' | 'dcim.porttemplatemapping', side: PortSide): ComputedField {
  const other = OPPOSITE[side]
  const mappings: BatchQuery = (ids) => sql`
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
    {
      input: readPortLinks(side),
      linksTo: `${other}_port`,
      queries: [mappings],
      recorded: {
        of: mapping,
        isValue: true,
        ids: (id) => sql`coalesce((
          select json_agg(json_build_object(
            'position', m.${identifier(`${side}_port_position`)}, ${`${other}_port`}::text, m.${identifier(`${other}_port_id`)},
            ${`${other}_port_position`}::text, m.${identifier(`${other}_port_position`)})
            order by m.${identifier(`${side}_port_position`)}, m.id)
          from ${table(mapping)} m where m.${identifier(`${side}_port_id`)} = ${id}), '[]')`,
      },
    },
  )
}
