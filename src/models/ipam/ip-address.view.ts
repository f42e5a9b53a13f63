import { namedBy } from '../../schema/import-column.ts'
import { fieldGroup, modelView, words } from '../../schema/view.ts'
import { interfaceColumns } from '../dcim/interface-columns.ts'

export const ipAddressView = modelView('ipam.ipaddress', {
  context: ['vrf', 'assigned_object'],
  columns: ['address', 'vrf', 'status', 'role', 'tenant', 'dns_name', 'description'],
  moreColumns: words(`
    id tenant.group nat_inside nat_outside assigned_object_id comments tags created last_updated
    owner.group owner assigned_object
  `),
  labels: {
    address: 'IP Address',
    nat_inside: 'NAT (Inside)',
    nat_outside: 'NAT (Outside)',
    assigned_object_id: 'Assigned',
    assigned_object: 'Interface',
  },
  panels: [
    [
      fieldGroup(
        'IP address',
        `
          family vrf tenant status role dns_name description assigned_object nat_inside nat_outside
        `,
      ),
    ],
  ],
  tables: [{ model: 'ipam.service', by: { ip_address_id: 'id' }, label: 'Application services' }],
  tabs: [
    {
      path: 'related-ip-addresses',
      label: 'Related IPs',
      model: 'ipam.ipaddress',
      by: { parent: 'address', vrf_id: 'vrf' },
      hiddenIfEmpty: true,
    },
  ],
  cloned: ['vrf', 'tenant', 'status', 'role', 'dns_name', 'description'],
  form: [
    fieldGroup('IP Address', 'address status role vrf dns_name description tags'),
    fieldGroup('Assignment', ['assigned_object']),
    fieldGroup('NAT IP (Inside)', ['nat_inside']),
  ],
  bulkAdd: { field: 'address', pattern: 'network' },
  filters: [
    fieldGroup(
      'Attributes',
      'parent family status role mask_length assigned_to_interface dns_name',
    ),
    fieldGroup('VRF', ['vrf_id', 'present_in_vrf_id']),
    fieldGroup('Device/VM', ['device_id', 'virtual_machine_id']),
    fieldGroup('NAT', ['nat_inside_id']),
  ],
  bulkEdit: [
    fieldGroup('', ['status', 'role', 'tenant', 'description']),
    fieldGroup('Addressing', ['vrf', 'mask_length', 'dns_name']),
  ],
  networkLengths: { mask_length: 'address' },
  importColumns: {
    ...interfaceColumns('assigned_object'),
    fhrp_group: { to: 'ipam.fhrpgroup', assigns: 'assigned_object' },
    is_primary: { value: 'boolean' },
    is_oob: { value: 'boolean' },
  },
  importRefusals: (values) => ({
    ...(values.is_primary === true &&
      !namedBy(values, 'device') &&
      !namedBy(values, 'virtual_machine') && {
        is_primary: 'Name the device or virtual machine whose primary address this is.',
      }),
    ...(values.is_oob === true &&
      !namedBy(values, 'device') && {
        is_oob: 'Name the device whose out-of-band address this is.',
      }),
  }),
  importFollowUps: (values, id, { address }) => {
    const owner = namedBy(values, 'device') ?? namedBy(values, 'virtual_machine')
    if (!owner) return []
    const primary = String(address).includes(':') ? 'primary_ip6' : 'primary_ip4'
    return [
      ...(values.is_primary === true ? [{ ...owner, body: { [primary]: id } }] : []),
      ...(values.is_oob === true ? [{ ...owner, body: { oob_ip: id } }] : []),
    ]
  },
  importRequires: ['status'],
  imports: words(`
    address vrf.name tenant.name status role device.name virtual_machine.name interface.name
    fhrp_group.name is_primary is_oob dns_name description owner.name comments tags.slug
  `),
  search: {
    weights: { address: 100, dns_name: 300, description: 500, comments: 5000 },
    leadsTo: 'assigned_object',
    shown: ['vrf', 'tenant', 'status', 'role', 'description'],
  },
})
