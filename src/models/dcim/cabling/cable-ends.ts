import type { Messages } from '../../../base/errors.ts'
import type { BatchQuery } from '../../../schema/computed.ts'
import { type ComputedField, computed } from '../../../schema/field.ts'
import type { Example } from '../../../schema/fields/kind.ts'
import { isJsonObject } from '../../../schema/json.ts'
import { sql } from '../../../sql/fragment.ts'
import { table } from '../../../sql/table.ts'
import { CABLE_TERMINATION_MODELS } from './cabled.ts'
import { nestedTexts } from './link-peers.ts'

/** An object that a body names as an end of a cable. */
export interface NamedEnd {
  readonly type: string
  readonly id: number
}

const REQUIRED = ['This field is required.']

/** Reads the list of objects at one end of a cable. */
function readCableEnds(input: unknown): { readonly value: readonly NamedEnd[] } | { readonly refused: Messages } {
  if (input === null) return { refused: ['This field may not be null.'] }
  if (!Array.isArray(input)) return { refused: { non_field_errors: ['Expected a list.'] } }
  const read = input.map(readEnd)
  return read.some((end) => 'refused' in end)
    ? { refused: read.map((end) => ('refused' in end ? end.refused : {})) }
    : { value: read.flatMap((end) => ('value' in end ? end.value : [])) }
}

function readEnd(item: unknown): { readonly value: NamedEnd } | { readonly refused: Messages } {
  if (!isJsonObject(item)) return { refused: { non_field_errors: ['Expected an object.'] } }
  const { object_type: type, object_id: id } = item
  const number = typeof id === 'string' && /^\d+$/.test(id) ? Number(id) : id
  const refused = {
    ...(type === undefined ? { object_type: REQUIRED } : {}),
    ...(type !== undefined && (typeof type !== 'string' || !/^\w+\.\w+$/.test(type))
      ? { object_type: ['Specify an object type as "app.model".'] }
      : {}),
    ...(id === undefined ? { object_id: REQUIRED } : {}),
    ...(id !== undefined && !Number.isSafeInteger(number) ? { object_id: ['A valid integer is required.'] } : {}),
  }
  return Object.keys(refused).length > 0
    ? { refused }
    : { value: { type: String(type).toLowerCase(), id: Number(number) } }
}

const ENDS = table('dcim.cabletermination')

const OBJECTS_AT_ENDS: BatchQuery = (ids) => sql`
  select t.cable_id, t.cable_end, t.termination_type, t.termination_id
  from ${ENDS} t where t.cable_id = any(${ids}::bigint[]) order by t.connector, t.id`

/** The objects at one end of a cable, each with its type and id. */
export const cableEnds = (end: 'A' | 'B', example: Example): ComputedField =>
  computed(
    {
      type: 'array',
      items: {
        type: 'object',
        required: ['object_type', 'object_id'],
        properties: {
          object_type: { type: 'string' },
          object_id: { type: 'integer' },
          object: { type: 'object', readOnly: true },
        },
      },
    },
    async (_ids, context) => {
      const objects = new Map(
        [...(await context.results(OBJECTS_AT_ENDS))].map(([cable, terminations]) => [
          cable,
          objectsAt(end, terminations),
        ]),
      )
      const texts = await nestedTexts([...objects.values()].flat(), context)
      return {
        get: (id) => {
          const items = (objects.get(id) ?? []).map(
            ({ type, object }) =>
              `{"object_type":"${type}","object_id":${object},"object":${texts(type, object) ?? 'null'}}`,
          )
          return `[${items.join()}]`
        },
      }
    },
    {
      objects: CABLE_TERMINATION_MODELS,
      queries: [OBJECTS_AT_ENDS],
      input: readCableEnds,
      example,
      recorded: {
        of: 'dcim.cabletermination',
        ids: (id) => sql`array(
          select t.id from ${ENDS} t
          where t.cable_id = ${id} and t.cable_end = ${end} order by t.id)`,
      },
    },
  )

const objectsAt = (end: 'A' | 'B', rows: readonly (readonly unknown[])[]) =>
  rows.flatMap(([at, type, object]) => (at === end ? [{ type: String(type), object: Number(object) }] : []))
