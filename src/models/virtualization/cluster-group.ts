import { comments, description, housekeeping, owner, PRIMARY } from '../../schema/common.ts'
import { relatedCount, slug, text } from '../../schema/field.ts'
import { model } from '../../schema/model.ts'

/** Clusters that belong together. */
export const clusterGroup = model({
  name: 'virtualization.clustergroup',
  path: 'virtualization/cluster-groups',
  labels: ['cluster group', 'cluster groups'],

  fields: {
    name: text({ max: 100, unique: true }),
    slug: slug({ max: 100, unique: true }),
    description,
    owner,
    comments,
    ...housekeeping,
    cluster_count: relatedCount('virtualization.cluster', 'group'),
  },

  display: '{name}',
  brief: ['id', 'url', 'display', 'name', 'slug', 'description', 'cluster_count'],
  order: ['name'],
  search: ['description', 'name', 'slug'],

  features: [...PRIMARY, 'contacts'],
})
