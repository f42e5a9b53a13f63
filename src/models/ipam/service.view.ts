import { fieldGroup, modelView, words } from '../../schema/view.ts'

export const serviceView = modelView('ipam.service', {
  context: ['parent'],
  columns: ['name', 'parent', 'protocol', 'ports', 'description'],
  moreColumns: words('id ipaddresses comments tags created last_updated owner.group owner'),
  labels: { ipaddresses: 'IP addresses' },
  fieldLabels: { ports: 'Ports' },
  panels: [
    [fieldGroup('Application service', 'name parent protocol ports ipaddresses description')],
  ],
  cloned: ['protocol', 'ports', 'description', 'parent', 'ipaddresses'],
  form: [
    fieldGroup('Application Service', 'parent name protocol ports ipaddresses description tags'),
  ],
  filters: [
    fieldGroup('Attributes', ['protocol', 'port']),
    fieldGroup('Assignment', ['device_id', 'virtual_machine_id', 'fhrpgroup_id']),
  ],
  bulkEdit: [fieldGroup('', ['protocol', 'ports', 'description'])],
  importColumns: {
    parent: { to: { typeIn: 'parent_object_type' }, assigns: 'parent' },
  },
  importRequires: ['parent_object_type'],
  imports: words(`
    ipaddresses.address name protocol ports description owner.name comments tags.slug
    parent_object_type parent.name parent_object_id
  `),
  search: {
    weights: { name: 100, description: 500, comments: 5000 },
    shown: ['parent', 'description'],
  },
})
