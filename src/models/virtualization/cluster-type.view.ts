import { words } from '../../schema/view.ts'
import { organizationalView } from '../organizational-view.ts'

export const clusterTypeView = organizationalView('virtualization.clustertype', {
  heading: 'Cluster Type',
  counts: { cluster_count: 'Clusters' },
  moreColumns: words('id slug comments created last_updated tags owner.group owner'),
})
