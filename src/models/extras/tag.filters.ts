import { custom } from '../../schema/filter.ts'
import { type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'

const TAGGED = table('extras.taggeditem')

/** Names of the object types with the ids. */
const typesById = (values: readonly unknown[]): Sql => sql`
  select o.app_label || '.' || o.model from ${table('core.objecttype')} o
  where o.id = any(${values}::bigint[])`

export const tagFilters = {
  /**
   * Tags on some object of one of the types. Values without a dot are ignored; if there are no others, any type
   * matches.
   */
  content_type: custom({
    value: 'text',
    multiple: true,
    where: ({ id }, values) => {
      const types = values.filter((value) => /^[^.]+\.[^.]+$/.test(String(value)))
      const anyObject = sql`exists (select 1 from ${TAGGED} i where i.tag_id = ${id})`
      if (types.length === 0) return anyObject
      return sql`exists (
        select 1 from ${TAGGED} i
        where i.tag_id = ${id} and i.object_type = any(${types.map((type) => String(type).toLowerCase())}::text[])
      )`
    },
  }),
  content_type_id: custom({
    value: 'integer',
    multiple: true,
    where: ({ id }, values) => sql`exists (
      select 1 from ${TAGGED} i
      where i.tag_id = ${id} and i.object_type in (${typesById(values)})
    )`,
  }),
  /** Tags that objects of one of the types may have: those that list the type, or no types. */
  for_object_type_id: custom({
    value: 'integer',
    multiple: true,
    where: ({ column }, values) => sql`(
      cardinality(${column('object_types')}) = 0
      or ${column('object_types')} && array(${typesById(values)})
    )`,
  }),
}
