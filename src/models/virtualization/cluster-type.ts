import { relatedCount } from '../../schema/field.ts'
import { organizational } from '../organizational.ts'
import { organizationalModel } from '../organizational-view.ts'

/** The technology of a cluster. */
export const clusterType = organizational({
  name: 'virtualization.clustertype',
  path: 'virtualization/cluster-types',
  labels: ['cluster type', 'cluster types'],

  counts: {
    cluster_count: relatedCount('virtualization.cluster', 'type'),
  },
})

export const clusterTypeModel = organizationalModel(clusterType, {
  counts: ['cluster_count'],
})
