import { integer, relatedCount } from '../../schema/field.ts'
import { words } from '../../schema/view.ts'
import { organizational } from '../organizational.ts'
import { organizationalModel } from '../organizational-view.ts'

/** The function of a prefix, address range, VLAN or AS number. */
export const role = organizational({
  name: 'ipam.role',
  path: 'ipam/roles',
  labels: ['role', 'roles'],
  about: 'What prefixes and VLANs are used for, such as voice or guests.',

  fields: {
    weight: integer({ size: 'small', range: [0, 32767], default: 1000 }),
  },
  counts: {
    prefix_count: relatedCount('ipam.prefix', 'role'),
    vlan_count: relatedCount('ipam.vlan', 'role'),
    asn_count: relatedCount('ipam.asn', 'role'),
  },
  order: ['weight', 'name'],
})

export const roleModel = organizationalModel(role, {
  counts: words('prefix_count vlan_count asn_count'),
  fields: ['weight'],
  columns: words('name prefix_count vlan_count asn_count description'),
  importRequires: ['weight'],
})
