import { comments, description, housekeeping, owner, PRIMARY } from '../../schema/common.ts'
import { relatedCount, slug, text } from '../../schema/field.ts'
import { model } from '../../schema/model.ts'

/** The technology of a cluster. */
export const clusterType = model({
  name: 'virtualization.clustertype',
  path: 'virtualization/cluster-types',
  labels: ['cluster type', 'cluster types'],

  fields: {
    name: text({ max: 100, unique: true }),
    slug: slug({ max: 100, unique: true }),
    description,
    owner,
    comments,
    ...housekeeping,
    cluster_count: relatedCount('virtualization.cluster', 'type'),
  },

  display: '{name}',
  brief: ['id', 'url', 'display', 'name', 'slug', 'description', 'cluster_count'],
  order: ['name'],
  search: ['description', 'name', 'slug'],

  features: PRIMARY,
})
