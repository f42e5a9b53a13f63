import { fieldGroup, modelView, words } from '../../schema/view.ts'

export const fhrpGroupView = modelView('ipam.fhrpgroup', {
  columns: ['group_id', 'protocol', 'name', 'auth_type', 'description', 'ip_addresses'],
  moreColumns: words('auth_key comments tags created last_updated id owner.group owner'),
  labels: { ip_addresses: 'IP Addresses' },
  panels: [
    [fieldGroup('FHRP group', ['protocol', 'group_id', 'name', 'description'])],
    [fieldGroup('Authentication', ['auth_type', 'auth_key'])],
  ],
  tables: [{ model: 'ipam.ipaddress', by: { fhrpgroup_id: 'id' }, label: 'Virtual IP addresses' }],
  cloned: ['protocol', 'auth_type', 'description'],
  form: [
    fieldGroup('FHRP Group', ['protocol', 'group_id', 'name', 'description', 'tags']),
    fieldGroup('Authentication', ['auth_type', 'auth_key']),
  ],
  filters: [
    fieldGroup('Attributes', ['name', 'protocol', 'group_id']),
    fieldGroup('Authentication', ['auth_type', 'auth_key']),
  ],
  bulkEdit: [
    fieldGroup('', ['protocol', 'group_id', 'name', 'description']),
    fieldGroup('Authentication', ['auth_type', 'auth_key']),
  ],
  imports: words(
    'protocol group_id auth_type auth_key name description owner.name comments tags.slug',
  ),
  search: {
    weights: { name: 100, group_id: 2000, description: 500, comments: 5000 },
    shown: ['protocol', 'auth_type', 'description'],
  },
})
