import { foreignKey, genericForeignKey } from '../../schema/field.ts'
import { objectTypeFilter } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { registered, words } from '../../schema/view.ts'

/** A tag on an object. */
export const taggedItem = model({
  name: 'extras.taggeditem',
  path: 'extras/tagged-objects',
  page: false,
  labels: ['tagged item', 'tagged items'],

  fields: {
    object: genericForeignKey(['*'], { nullable: false, readOnly: true, related: 'tagged_items' }),
    tag: foreignKey('extras.tag', { onDelete: 'cascade', related: 'items', readOnly: true }),
  },

  display: '{object.display} tagged with {tag.display}',
  graphql: false,
  brief: ['id', 'url', 'display', 'object_type', 'object_id', 'object', 'tag'],
  order: ['id'],
  endpointOrder: ['tag.weight', 'tag.name'],
  search: ['tag.name', 'tag.slug', 'tag.description'],
  unique: [{ fields: ['object_type', 'object_id', 'tag'] }],

  filters: { object_type_id: objectTypeFilter('object_type', { byId: true }) },
  methods: ['GET'],
  private: true,
  hasHistory: true,
})

export const taggedItemModel = registered(taggedItem, {
  columns: words('display object_type object_id object tag'),
  panels: words('object_type object_id object tag'),
})
