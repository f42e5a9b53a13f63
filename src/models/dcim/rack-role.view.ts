import { organizationalView } from '../organizational-view.ts'

export const rackRoleView = organizationalView('dcim.rackrole', {
  heading: 'Rack Role',
  counts: { rack_count: 'Racks' },
  fields: ['color'],
  importRequires: ['color'],
})
