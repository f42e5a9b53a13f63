import { custom } from '../../schema/filter.ts'
import { type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'

/** Names of the object types with the numbers. */
const typesById = (values: readonly unknown[]): Sql => sql`
  select o.app_label || '.' || o.model from ${table('core.objecttype')} o
  where o.id = any(${values}::bigint[])`

export const tagFilters = {
  /**
   * On some object of one of the types. Values without a point are ignored; if there are no others,
   * objects of any type will do.
   */
  content_type: custom({
    value: 'text',
    multiple: true,
    where: ({ id }, values) => {
      const types = values.filter((value) => /^[^.]+\.[^.]+$/.test(String(value)))
      const anyObject = sql`exists (select 1 from ${table('extras.taggeditem', 'tag_id')} i where i.tag_id = ${id})`
      if (types.length === 0) return anyObject
      return sql`exists (
        select 1 from ${table('extras.taggeditem', 'tag_id')} i
        where i.tag_id = ${id} and i.object_type = any(${types.map((type) => String(type).toLowerCase())}::text[])
      )`
    },
  }),
  content_type_id: custom({
    value: 'integer',
    multiple: true,
    where: ({ id }, values) => sql`exists (
      select 1 from ${table('extras.taggeditem', 'tag_id')} i
      where i.tag_id = ${id} and i.object_type in (${typesById(values)})
    )`,
  }),
  /** May be put on objects of one of the types: it names the type, or none at all. */
  for_object_type_id: custom({
    value: 'integer',
    multiple: true,
    where: ({ column }, values) => sql`(
      cardinality(${column('object_types')}) = 0
      or ${column('object_types')} && array(${typesById(values)})
    )`,
  }),
}
