import { fieldGroup, modelView, words } from '../../schema/view.ts'

export const virtualDeviceContextView = modelView('dcim.virtualdevicecontext', {
  context: ['device'],
  columns: ['name', 'identifier', 'status', 'tenant', 'primary_ip'],
  moreColumns: words(`
    id tenant.group primary_ip4 primary_ip6 comments tags interface_count created last_updated
    owner.group owner device
  `),
  labels: {
    primary_ip: 'IP Address',
    primary_ip4: 'IPv4 Address',
    primary_ip6: 'IPv6 Address',
    interface_count: 'Interfaces',
  },
  panels: [
    [
      fieldGroup(
        'Virtual device context',
        'name device identifier status primary_ip4 primary_ip6 tenant',
      ),
    ],
  ],
  tables: [{ model: 'dcim.interface', by: { vdc_id: 'id' } }],
  form: [
    fieldGroup(
      'Virtual Device Context',
      'device name status identifier primary_ip4 primary_ip6 tags',
    ),
  ],
  narrowedBy: { primary_ip4: { device_id: 'device' }, primary_ip6: { device_id: 'device' } },
  filters: [fieldGroup('Attributes', ['device', 'status', 'has_primary_ip'])],
  bulkEdit: [
    fieldGroup('', ['device', 'status', 'tenant']),
    fieldGroup('More', ['owner', 'description', 'comments']),
  ],
  imports: words(`
    name device.name status tenant.name identifier owner.name comments primary_ip4.address
    primary_ip6.address tags.slug
  `),
  search: {
    weights: { name: 100, identifier: 300, description: 500, comments: 5000 },
    shown: ['device', 'status', 'identifier', 'tenant', 'description'],
  },
})
