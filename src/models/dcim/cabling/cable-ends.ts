import type { PageQuery } from '../../../schema/computed.ts'
import { type ComputedField, computed } from '../../../schema/field.ts'
import type { Example } from '../../../schema/fields/kind.ts'
import { sql } from '../../../sql/fragment.ts'
import { table } from '../../../sql/table.ts'
import { nestedTexts } from '../nested-texts.ts'
import { readCableEnds } from './cable-end-input.ts'
import { CABLE_TERMINATION_MODELS } from './cabled.ts'

const ENDS = table('dcim.cabletermination')

const OBJECTS_AT_ENDS: PageQuery = (ids) => sql`
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
        [...(await context.results(OBJECTS_AT_ENDS))].map(([cable, own]) => [
          cable,
          objectsAt(end, own),
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
      recorded: (id) => sql`array(
        select t.id from ${ENDS} t
        where t.cable_id = ${id} and t.cable_end = ${end} order by t.id)`,
    },
  )

const objectsAt = (end: 'A' | 'B', rows: readonly (readonly unknown[])[]) =>
  rows.flatMap(([at, type, object]) =>
    at === end ? [{ type: String(type), object: Number(object) }] : [],
  )
