import { description, LOGGED, ownerOptions, timestamps } from '../../schema/common.ts'
import { color, foreignKey, integer, objectTypes, relatedCount, text } from '../../schema/field.ts'
import { custom, objectTypeFilter, related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { registered, words } from '../../schema/view.ts'
import { type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'

const TAGGED = table('extras.taggeditem')

/** Names of the object types with these ids. */
const typesById = (values: readonly unknown[]): Sql => sql`
  select o.app_label || '.' || o.model from ${table('core.objecttype')} o
  where o.id = any(${values}::bigint[])`

const tagFilters = {
  /**
   * Tags on some object of one of the types. Values without a dot are ignored; if no others remain, any type matches.
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

/** A label that objects of any type can have. */
export const tag = model({
  name: 'extras.tag',
  path: 'extras/tags',
  labels: ['tag', 'tags'],
  about: 'A label for objects of all kinds.',
  idLabel: 'Id',

  fields: {
    name: text({ max: 100, unique: true }),
    // Unlike other slugs it may contain letters of any script.
    slug: text({
      max: 100,
      unique: true,
      pattern: [
        /^[-_\p{L}\p{M}\p{N}]+$/u,
        'Enter a valid "slug" consisting of Unicode letters, numbers, underscores, or hyphens.',
      ],
    }),
    color: color({ default: '9e9e9e' }),
    description,
    weight: integer({ size: 'small', range: [0, 32767], default: 1000 }),
    object_types: objectTypes({ default: [], feature: 'tags' }),
    tagged_items: relatedCount('extras.taggeditem', 'tag'),
    ...timestamps,
    owner: foreignKey('users.owner', { ...ownerOptions, hidden: true }),
  },

  brief: ['id', 'url', 'display', 'name', 'slug', 'color', 'description'],
  order: ['weight', 'name'],
  search: ['description', 'name', 'slug'],

  filters: {
    ...tagFilters,
    object_types: objectTypeFilter('object_types', { byId: true }),
    owner_id: related('owner', 'users.owner'),
  },
  features: [...LOGGED, 'cloning', 'exportTemplates'],
})

export const tagModel = registered(tag, {
  columns: words('name slug color description'),
  moreColumns: { without: ['owner.group'] },
  labels: { object_types: 'Object Types' },
  panels: words('name description color weight tagged_items'),
  cloned: words('color description object_types'),
  form: { Tag: words('name slug color weight description object_types') },
  filters: { Attributes: words('content_type_id for_object_type_id') },
  bulkEdit: { without: ['object_types'], plus: ['owner'] },
  importRequires: words('color weight'),
  search: { shown: ['description'] },
})
