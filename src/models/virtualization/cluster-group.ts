import { PRIMARY } from '../../schema/common.ts'
import { relatedCount } from '../../schema/field.ts'
import { organizational } from '../organizational.ts'
import { organizationalView } from '../organizational-view.ts'

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

export const clusterGroupView = organizationalView(clusterGroup, {
  counts: ['cluster_count'],
})
