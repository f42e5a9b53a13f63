import { type ComputedField, computed, type Example } from '../../../schema/field.ts'
import { sql } from '../../../sql/fragment.ts'
import { table } from '../../../sql/table.ts'
import { nestedTexts } from '../nested-texts.ts'
import { readCableEnds } from './cable-end-input.ts'
import { CABLE_TERMINATION_MODELS } from './cabled.ts'

const ENDS = table(
  'dcim.cabletermination',
  ...['cable_id', 'cable_end', 'termination_type', 'termination_id', 'connector'],
)

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
    async (ids, context) => {
      const rows = await context.database.query<{
        cable: number
        type: string
        object: number
      }>(sql`
        select t.cable_id as cable, t.termination_type as type, t.termination_id as object
        from ${ENDS} t
        where t.cable_id = any(${ids}::bigint[]) and t.cable_end = ${end}
        order by t.cable_id, t.connector, t.id
      `)
      const texts = await nestedTexts(rows, context)
      const byCable = Map.groupBy(rows, ({ cable }) => cable)
      return {
        get: (id) => {
          const items = (byCable.get(id) ?? []).map(
            ({ type, object }) =>
              `{"object_type":"${type}","object_id":${object},"object":${texts(type, object) ?? 'null'}}`,
          )
          return `[${items.join()}]`
        },
      }
    },
    {
      objects: CABLE_TERMINATION_MODELS,
      input: readCableEnds,
      example,
      recorded: (id) => sql`array(
        select t.id from ${ENDS} t
        where t.cable_id = ${id} and t.cable_end = ${end} order by t.id)`,
    },
  )
