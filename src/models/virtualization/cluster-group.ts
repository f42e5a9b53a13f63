import { PRIMARY } from '../../schema/common.ts'
import { relatedCount } from '../../schema/field.ts'
import { organizational } from '../organizational.ts'
import { organizationalModel } from '../organizational-view.ts'

/** A group of clusters. */
export const clusterGroup = organizational({
  name: 'virtualization.clustergroup',
  path: 'virtualization/cluster-groups',
  labels: ['cluster group', 'cluster groups'],

  counts: {
    cluster_count: relatedCount('virtualization.cluster', 'group'),
  },
  features: [...PRIMARY, 'contacts'],
})

export const clusterGroupModel = organizationalModel(clusterGroup, {
  counts: ['cluster_count'],
})
