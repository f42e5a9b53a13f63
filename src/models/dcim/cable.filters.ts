import { custom, holds } from '../../schema/filter.ts'
import { identifier, type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { CABLE_TERMINATION_MODELS } from './cabling/cabled.ts'

const ENDS = table('dcim.cabletermination')

/** Whether the cable has a termination `e` that satisfies the condition. */
const terminated = (id: Sql, condition: Sql): Sql =>
  sql`exists (select 1 from ${ENDS} e where e.cable_id = ${id} and ${condition})`

const byEnd = (end: 'A' | 'B') =>
  custom({
    value: 'integer',
    multiple: true,
    where: ({ id }, values) =>
      terminated(id, sql`e.cable_end = ${end} and e.termination_id = any(${values}::bigint[])`),
  })

/** Filter by the place of the connected objects; `key` is the cached column of the termination. */
const byPlace = (key: string, place: string, column: 'id' | 'name' | 'slug') =>
  custom({
    value: column === 'id' ? 'integer' : 'text',
    multiple: true,
    where: ({ id }, values) => {
      const wanted =
        column === 'id'
          ? sql`${values}::bigint[]`
          : sql`array(
              select p.id from ${table(place)} p
              where p.${identifier(column)} = any(${values}::text[])
            )`
      return terminated(id, sql`e.${identifier(key)} = any(${wanted})`)
    },
  })

const byObject = (model: string) =>
  custom({
    value: 'integer',
    multiple: true,
    where: ({ id }, values) =>
      terminated(
        id,
        sql`e.termination_type = ${model} and e.termination_id = any(${values}::bigint[])`,
      ),
  })

const modelKey = (model: string): string => model.slice(model.indexOf('.') + 1)

/** Filters of cables beyond their own fields, all by their terminations. */
export const cableFilters = {
  termination_a_id: byEnd('A'),
  termination_b_id: byEnd('B'),
  unterminated: holds(
    ({ id }) => sql`not (
      ${terminated(id, sql`e.cable_end = 'A'`)} and ${terminated(id, sql`e.cable_end = 'B'`)}
    )`,
  ),
  device_id: byPlace('_device_id', 'dcim.device', 'id'),
  device: byPlace('_device_id', 'dcim.device', 'name'),
  rack_id: byPlace('_rack_id', 'dcim.rack', 'id'),
  rack: byPlace('_rack_id', 'dcim.rack', 'name'),
  location_id: byPlace('_location_id', 'dcim.location', 'id'),
  location: byPlace('_location_id', 'dcim.location', 'name'),
  site_id: byPlace('_site_id', 'dcim.site', 'id'),
  site: byPlace('_site_id', 'dcim.site', 'slug'),
  ...Object.fromEntries(
    CABLE_TERMINATION_MODELS.map((model) => [`${modelKey(model)}_id`, byObject(model)]),
  ),
}

/** Filters of terminations by their object: `interface_id`, `frontport_id`, … */
export const cableTerminationFilters = Object.fromEntries(
  CABLE_TERMINATION_MODELS.map((model) => [
    `${modelKey(model)}_id`,
    custom({
      value: 'integer',
      multiple: true,
      where: ({ column }, values) => sql`(
        ${column('termination_type')} = ${model}
        and ${column('termination_id')} = any(${values}::bigint[])
      )`,
    }),
  ]),
)
