import { namedBy } from '../../schema/import-column.ts'
import { fieldGroup, modelView, words } from '../../schema/view.ts'
import { interfaceColumns } from './interface-columns.ts'

export const macAddressView = modelView('dcim.macaddress', {
  context: ['assigned_object'],
  columns: ['mac_address', 'assigned_object', 'description'],
  moreColumns: ['id', 'comments', 'tags', 'created', 'last_updated', 'owner.group', 'owner'],
  labels: {
    mac_address: 'MAC Address',
    assigned_object: 'Interface',
  },
  panels: [[fieldGroup('MAC address', ['mac_address', 'description', 'assigned_object'])]],
  form: [
    fieldGroup('', ['mac_address', 'description', 'tags']),
    fieldGroup('', ['assigned_object']),
  ],
  filters: [
    fieldGroup('Attributes', ['mac_address']),
    fieldGroup('Assignments', ['device_id', 'virtual_machine_id', 'assigned', 'primary']),
  ],
  bulkEdit: [fieldGroup('', ['description'])],
  importColumns: {
    ...interfaceColumns('assigned_object'),
    is_primary: { value: 'boolean' },
  },
  importFollowUps: (values, id) => {
    const owner = values.is_primary === true ? namedBy(values, 'interface') : undefined
    return owner ? [{ ...owner, body: { primary_mac_address: id } }] : []
  },
  imports: words(`
    mac_address device.name virtual_machine.name interface.name is_primary description owner.name
    comments tags.slug
  `),
  search: {
    weights: { mac_address: 100, description: 500, comments: 5000 },
    leadsTo: 'assigned_object',
    shown: ['assigned_object', 'description'],
  },
})
