import { comments, description, housekeeping, owner, PRIMARY, tenant } from '../../schema/common.ts'
import { relatedCount, slug, text } from '../../schema/field.ts'
import { model } from '../../schema/model.ts'
import { words } from '../../schema/view.ts'
import { organizationalModel } from '../organizational-view.ts'

/** Circuits that belong together, such as a redundant pair. */
export const circuitGroup = model({
  name: 'circuits.circuitgroup',
  path: 'circuits/circuit-groups',
  labels: ['circuit group', 'circuit groups'],

  fields: {
    name: text({ max: 100, unique: true }),
    slug: slug({ max: 100, unique: true }),
    description,
    tenant,
    owner,
    comments,
    ...housekeeping,
    circuit_count: relatedCount('circuits.circuitgroupassignment', 'group'),
  },

  brief: ['id', 'url', 'display', 'name'],
  order: ['name'],
  search: ['description', 'name', 'slug'],

  features: PRIMARY,
})

export const circuitGroupModel = organizationalModel(circuitGroup, {
  moreColumns: { without: ['slug'] },
  panels: words('name description tenant'),
  bulkEdit: { plus: words('owner comments') },
})
