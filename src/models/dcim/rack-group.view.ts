import { organizationalView } from '../organizational-view.ts'

export const rackGroupView = organizationalView('dcim.rackgroup', {
  heading: 'Rack Group',
  counts: { rack_count: 'Racks' },
})
