import { comments, description, housekeeping, owner, PRIMARY } from '../../schema/common.ts'
import { relatedCount, slug, text } from '../../schema/field.ts'
import { model } from '../../schema/model.ts'

/** Racks that belong together, such as a row. */
export const rackGroup = model({
  name: 'dcim.rackgroup',
  path: 'dcim/rack-groups',
  labels: ['rack group', 'rack groups'],

  fields: {
    name: text({ max: 100, unique: true }),
    slug: slug({ max: 100, unique: true }),
    description,
    owner,
    comments,
    ...housekeeping,
    rack_count: relatedCount('dcim.rack', 'group'),
  },

  display: '{name}',
  brief: ['id', 'url', 'display', 'name', 'slug', 'description', 'rack_count'],
  order: ['name'],
  search: ['description', 'name', 'slug'],

  features: PRIMARY,
})
