import { fieldGroup, words } from '../../schema/view.ts'
import { organizationalView } from '../organizational-view.ts'

export const circuitGroupView = organizationalView('circuits.circuitgroup', {
  heading: 'Circuit Group',
  moreColumns: words('tenant tenant.group comments tags created last_updated id owner.group owner'),
  panels: [[fieldGroup('Circuit group', ['name', 'description', 'tenant'])]],
  bulkEdit: [fieldGroup('', ['owner', 'description', 'comments', 'tenant'])],
  imports: ['name', 'slug', 'description', 'tenant.name', 'owner.name', 'comments', 'tags.slug'],
})
