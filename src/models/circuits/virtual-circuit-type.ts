import { comments, description, housekeeping, owner, PRIMARY } from '../../schema/common.ts'
import { color, relatedCount, slug, text } from '../../schema/field.ts'
import { model } from '../../schema/model.ts'

/** What a virtual circuit is used for. */
export const virtualCircuitType = model({
  name: 'circuits.virtualcircuittype',
  path: 'circuits/virtual-circuit-types',
  labels: ['virtual circuit type', 'virtual circuit types'],

  fields: {
    name: text({ max: 100, unique: true }),
    slug: slug({ max: 100, unique: true }),
    color: color({ default: '' }),
    description,
    owner,
    comments,
    ...housekeeping,
    virtual_circuit_count: relatedCount('circuits.virtualcircuit', 'type'),
  },

  display: '{name}',
  brief: ['id', 'url', 'display', 'name', 'slug', 'description', 'virtual_circuit_count'],
  order: ['name'],
  search: ['description', 'name', 'slug'],

  features: PRIMARY,
})
