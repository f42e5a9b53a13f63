import { fieldGroup, modelView, words } from '../../schema/view.ts'

export const locationView = modelView('dcim.location', {
  mapFilter: 'location_id',
  context: ['site', 'parent'],
  columns: words('name site status facility tenant rack_count device_count description'),
  moreColumns: words(
    'id parent tenant.group slug comments tags created last_updated owner.group owner',
  ),
  labels: {
    rack_count: 'Racks',
    device_count: 'Devices',
  },
  panels: [[fieldGroup('Location', 'parent name description site status tenant facility')]],
  part: 'floorList',
  overview: [
    { model: 'dcim.rack', by: { location_id: 'id' } },
    { model: 'dcim.device', by: { location_id: 'id' } },
    { model: 'ipam.prefix', by: { location_id: 'id' } },
    { model: 'circuits.circuit', by: { location_id: 'id' } },
    {
      model: 'tenancy.contactassignment',
      by: { object_type: '=dcim.location', object_id: 'id' },
      label: 'Contacts',
    },
  ],
  tables: [
    {
      model: 'dcim.device',
      by: { location_id: 'id', rack_id: '=null', parent_bay_id: '=null' },
      label: 'Non-Racked Devices',
    },
  ],
  cloned: ['site', 'parent', 'status', 'tenant', 'facility', 'description'],
  form: [fieldGroup('Location', 'site parent name slug status facility description tags')],
  narrowedBy: { parent: { site_id: 'site' } },
  filters: [fieldGroup('Attributes', 'region_id site_group_id site_id parent_id status facility')],
  bulkEdit: [fieldGroup('', ['site', 'parent', 'status', 'tenant', 'facility', 'description'])],
  importRequires: ['status'],
  imports: words(`
    site.name parent.name name slug status tenant.name facility description owner.name comments
    tags.slug
  `),
  search: {
    weights: { name: 100, facility: 100, slug: 110, description: 500, comments: 5000 },
    shown: ['site', 'status', 'tenant', 'facility', 'description'],
  },
})
