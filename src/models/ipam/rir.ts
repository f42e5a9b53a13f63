import { comments, description, housekeeping, owner, PRIMARY } from '../../schema/common.ts'
import { boolean, relatedCount, slug, text } from '../../schema/field.ts'
import { model } from '../../schema/model.ts'

/** A registry that assigns address space, or a document that reserves it. */
export const rir = model({
  name: 'ipam.rir',
  path: 'ipam/rirs',
  labels: ['RIR', 'RIRs'],

  fields: {
    name: text({ max: 100, unique: true }),
    slug: slug({ max: 100, unique: true }),
    is_private: boolean({ default: false, label: 'Private' }),
    description,
    owner,
    comments,
    ...housekeeping,
    aggregate_count: relatedCount('ipam.aggregate', 'rir'),
  },

  display: '{name}',
  brief: ['id', 'url', 'display', 'name', 'slug', 'description', 'aggregate_count'],
  order: ['name'],
  search: ['description', 'name', 'slug'],

  features: PRIMARY,
})
