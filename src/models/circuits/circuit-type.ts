import { comments, description, housekeeping, owner, PRIMARY } from '../../schema/common.ts'
import { color, relatedCount, slug, text } from '../../schema/field.ts'
import { model } from '../../schema/model.ts'

/** What a circuit is used for: transit, dark fibre, out-of-band, … */
export const circuitType = model({
  name: 'circuits.circuittype',
  path: 'circuits/circuit-types',
  labels: ['circuit type', 'circuit types'],

  fields: {
    name: text({ max: 100, unique: true }),
    slug: slug({ max: 100, unique: true }),
    color: color({ default: '' }),
    description,
    owner,
    comments,
    ...housekeeping,
    circuit_count: relatedCount('circuits.circuit', 'type'),
  },

  display: '{name}',
  brief: ['id', 'url', 'display', 'name', 'slug', 'description', 'circuit_count'],
  order: ['name'],
  search: ['description', 'name', 'slug'],

  features: PRIMARY,
})
