import { housekeeping, PRIMARY } from '../../schema/common.ts'
import { foreignKey, genericForeignKey } from '../../schema/field.ts'
import { numberFilter, objectTypeFilter, related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { placeFilters } from './l2vpn-termination.filters.ts'

/** An interface or VLAN at which an L2VPN ends. */
export const l2vpnTermination = model({
  name: 'vpn.l2vpntermination',
  path: 'vpn/l2vpn-terminations',
  labels: ['L2VPN termination', 'L2VPN terminations'],

  fields: {
    l2vpn: foreignKey('vpn.l2vpn', { onDelete: 'cascade', related: 'terminations' }),
    assigned_object: genericForeignKey(
      ['dcim.interface', 'ipam.vlan', 'virtualization.vminterface'],
      { nullable: false, related: 'l2vpn_terminations' },
    ),
    ...housekeeping,
  },

  display: '{assigned_object.display} <> {l2vpn.display}',
  graphql: { unions: { assigned_object: 'L2VPNAssignmentType' } },
  brief: ['id', 'url', 'display', 'l2vpn'],
  lock: 'vpn.l2vpntermination',
  order: ['l2vpn'],
  search: ['l2vpn.name'],
  unique: [{ fields: ['assigned_object_type', 'assigned_object_id'] }],

  filters: {
    ...placeFilters,
    device: related('assigned_object:dcim.interface.device', 'dcim.device', 'name'),
    device_id: related('assigned_object:dcim.interface.device', 'dcim.device'),
    virtual_machine: related(
      'assigned_object:virtualization.vminterface.virtual_machine',
      'virtualization.virtualmachine',
      'name',
    ),
    virtual_machine_id: related(
      'assigned_object:virtualization.vminterface.virtual_machine',
      'virtualization.virtualmachine',
    ),
    interface: related('assigned_object:dcim.interface', 'dcim.interface', 'name'),
    interface_id: related('assigned_object:dcim.interface', 'dcim.interface'),
    vminterface: related(
      'assigned_object:virtualization.vminterface',
      'virtualization.vminterface',
      'name',
    ),
    vminterface_id: related(
      'assigned_object:virtualization.vminterface',
      'virtualization.vminterface',
    ),
    vlan: related('assigned_object:ipam.vlan', 'ipam.vlan', 'name'),
    vlan_vid: numberFilter('assigned_object:ipam.vlan.vid', 'integer', { single: true }),
    vlan_id: related('assigned_object:ipam.vlan', 'ipam.vlan'),
    assigned_object_type_id: objectTypeFilter('assigned_object_type', { byId: true }),
  },
  features: PRIMARY,
})
