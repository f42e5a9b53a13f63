import { fieldGroup, words } from '../../schema/view.ts'
import { nestedGroupView } from '../organizational-view.ts'

export const wirelessLanGroupView = nestedGroupView('wireless.wirelesslangroup', {
  heading: 'Wireless LAN Group',
  counts: { wirelesslan_count: 'Wireless LANs' },
  moreColumns: words('parent slug comments tags created last_updated id owner.group owner'),
  filters: [fieldGroup('Wireless LAN group', ['parent_id'])],
})
