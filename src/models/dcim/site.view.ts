import { fieldGroup, modelView, words } from '../../schema/view.ts'

export const siteView = modelView('dcim.site', {
  mapFilter: 'site_id',
  columns: ['name', 'status', 'facility', 'region', 'group', 'tenant', 'description'],
  moreColumns: words(`
    id slug tenant.group asns time_zone physical_address shipping_address latitude longitude
    comments tags created last_updated owner.group owner device_count
  `),
  labels: { device_count: 'Devices' },
  panels: [
    [
      fieldGroup(
        'Site',
        `
          region group name status tenant facility description time_zone physical_address
          shipping_address latitude longitude
        `,
      ),
    ],
  ],
  part: 'floorList',
  overview: [
    { model: 'dcim.rack', by: { site_id: 'id' } },
    { model: 'dcim.device', by: { site_id: 'id' } },
    { model: 'ipam.vlan', by: { site_id: 'id' }, label: 'VLANs' },
    { model: 'ipam.prefix', by: { site_id: 'id' } },
    { model: 'circuits.circuit', by: { site_id: 'id' } },
    { model: 'virtualization.virtualmachine', by: { site_id: 'id' } },
    {
      model: 'tenancy.contactassignment',
      by: { object_type: '=dcim.site', object_id: 'id' },
      label: 'Contacts',
    },
  ],
  tables: [
    {
      model: 'dcim.device',
      by: { site_id: 'id', rack_id: '=null', parent_bay_id: '=null' },
      label: 'Non-Racked Devices',
    },
  ],
  cloned: words(`
    status region group tenant facility time_zone physical_address shipping_address latitude
    longitude description
  `),
  form: [
    fieldGroup('Site', 'name slug status region group facility asns time_zone description tags'),
    fieldGroup('Contact Info', ['physical_address', 'shipping_address', 'latitude', 'longitude']),
  ],
  filters: [fieldGroup('Attributes', ['status', 'region_id', 'group_id', 'asn_id'])],
  bulkEdit: [fieldGroup('', 'status region group tenant facility asns time_zone description')],
  importRequires: ['status'],
  imports: words(`
    name slug status region.name group.name tenant.name facility time_zone description
    physical_address shipping_address latitude longitude owner.name comments tags.slug
  `),
  search: {
    weights: {
      name: 100,
      facility: 100,
      slug: 110,
      description: 500,
      physical_address: 2000,
      shipping_address: 2000,
      comments: 5000,
    },
    shown: ['region', 'group', 'status', 'tenant', 'facility', 'description'],
  },
})
