import { comments, description, housekeeping, owner, PRIMARY } from '../../schema/common.ts'
import { foreignKey, relatedCount, slug, text } from '../../schema/field.ts'
import { model } from '../../schema/model.ts'
import { registered, words } from '../../schema/view.ts'

/** A customer or department to which objects belong. */
export const tenant = model({
  name: 'tenancy.tenant',
  path: 'tenancy/tenants',
  labels: ['tenant', 'tenants'],
  about: 'A customer or a department to which objects of all kinds can be assigned.',

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

export const tenantModel = registered(tenant, {
  context: ['group'],
  columns: words('name group description'),
  panels: words('group description'),
  overview: [
    { model: 'dcim.site', by: { tenant_id: 'id' } },
    { model: 'dcim.rack', by: { tenant_id: 'id' } },
    { model: 'dcim.device', by: { tenant_id: 'id' } },
    { model: 'ipam.prefix', by: { tenant_id: 'id' } },
    { model: 'ipam.vrf', by: { tenant_id: 'id' } },
    { model: 'ipam.vlan', by: { tenant_id: 'id' } },
    { model: 'circuits.circuit', by: { tenant_id: 'id' } },
    { model: 'virtualization.cluster', by: { tenant_id: 'id' } },
    { model: 'virtualization.virtualmachine', by: { tenant_id: 'id' } },
    {
      model: 'tenancy.contactassignment',
      by: { object_type: '=tenancy.tenant', object_id: 'id' },
      label: 'Contacts',
    },
  ],
  cloned: words('group description'),
  form: { Tenant: words('name slug group description tags') },
  filters: { Tenant: ['group_id'] },
  search: { shown: words('group description') },
})
