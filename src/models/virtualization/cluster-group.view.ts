import { organizationalView } from '../organizational-view.ts'

export const clusterGroupView = organizationalView('virtualization.clustergroup', {
  heading: 'Cluster Group',
  counts: { cluster_count: 'Clusters' },
})
