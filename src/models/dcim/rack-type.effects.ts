import type { EffectFunction } from '../../schema/rule.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { rack } from './rack.ts'
import type { rackType } from './rack-type.ts'
import { RACK_TYPE_FIELDS, takenFromType } from './rack-type-fields.ts'

/** Copies the dimensions of a type to its racks; each rack that changes gets a change record. */
export const passOnDimensions: EffectFunction<typeof rackType.fields> = async ({
  action,
  rows,
  database,
  write,
}) => {
  if (action !== 'update') return
  const changed = rows.flatMap(({ previous, next }) =>
    previous && next && RACK_TYPE_FIELDS.some((name) => previous[name] !== next[name])
      ? [next]
      : [],
  )
  if (changed.length === 0) return
  const racks = await database.query<{ id: number; type: number }>(sql`
    select id, rack_type_id as type from ${table('dcim.rack')}
    where rack_type_id = any(${changed.map(({ id }) => id)}::bigint[]) order by id`)
  const types = new Map(changed.map((type) => [type.id, type]))
  await write.update(
    rack,
    racks.flatMap(({ id, type }) => {
      const source = types.get(type)
      return source ? [{ id, ...takenFromType(source) }] : []
    }),
  )
}
