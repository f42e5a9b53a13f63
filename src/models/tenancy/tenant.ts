import { comments, description, housekeeping, owner, PRIMARY } from '../../schema/common.ts'
import { foreignKey, relatedCount, slug, text } from '../../schema/field.ts'
import { model } from '../../schema/model.ts'

/** A customer or department to which objects belong. */
export const tenant = model({
  name: 'tenancy.tenant',
  path: 'tenancy/tenants',
  labels: ['tenant', 'tenants'],

  fields: {
    name: text({ max: 100, collation: 'natural' }),
    slug: slug({ max: 100 }),
    group: foreignKey('tenancy.tenantgroup', {
      onDelete: 'setNull',
      related: 'tenants',
      resetOnPut: true,
    }),
    description,
    owner,
    comments,
    ...housekeeping,
    circuit_count: relatedCount('circuits.circuit', 'tenant'),
    device_count: relatedCount('dcim.device', 'tenant'),
    ipaddress_count: relatedCount('ipam.ipaddress', 'tenant'),
    prefix_count: relatedCount('ipam.prefix', 'tenant'),
    rack_count: relatedCount('dcim.rack', 'tenant'),
    site_count: relatedCount('dcim.site', 'tenant'),
    virtualmachine_count: relatedCount('virtualization.virtualmachine', 'tenant'),
    vlan_count: relatedCount('ipam.vlan', 'tenant'),
    vrf_count: relatedCount('ipam.vrf', 'tenant'),
    cluster_count: relatedCount('virtualization.cluster', 'tenant'),
  },

  brief: ['id', 'url', 'display', 'name', 'slug', 'description'],
  order: ['name'],
  search: ['comments', 'description', 'name', 'slug'],
  unique: [
    { fields: ['group', 'name'] },
    { fields: ['name'], whereNull: ['group'] },
    { fields: ['group', 'slug'] },
    { fields: ['slug'], whereNull: ['group'] },
  ],

  features: [...PRIMARY, 'contacts'],
})
