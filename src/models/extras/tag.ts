import { description, LOGGED, ownerOptions, timestamps } from '../../schema/common.ts'
import { color, foreignKey, integer, objectTypes, relatedCount, text } from '../../schema/field.ts'
import { objectTypeFilter, related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { tagFilters } from './tag.filters.ts'

/** A label that objects of any type can have. */
export const tag = model({
  name: 'extras.tag',
  path: 'extras/tags',
  labels: ['tag', 'tags'],
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
    object_types: objectTypes({ default: [] }),
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
