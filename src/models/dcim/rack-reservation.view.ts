import { fieldGroup, modelView, words } from '../../schema/view.ts'

export const rackReservationView = modelView('dcim.rackreservation', {
  context: ['rack'],
  columns: ['rack', 'rack.site', 'unit_count', 'status', 'user', 'description'],
  moreColumns: words(`
    id rack.location rack.group tenant tenant.group comments tags created last_updated owner.group
    owner
  `),
  labels: { unit_count: "Total U's" },
  panels: [
    [
      fieldGroup('Rack reservation', ['rack.site']),
      fieldGroup('Reservation', ['units', 'unit_count', 'status', 'tenant', 'user', 'description']),
    ],
  ],
  cloned: ['rack', 'user', 'tenant'],
  form: [fieldGroup('Reservation', ['rack', 'units', 'status', 'user', 'description', 'tags'])],
  filters: [
    fieldGroup('Reservation', ['status', 'user_id', 'unit_count_min', 'unit_count_max']),
    fieldGroup('Rack', 'region_id site_group_id site_id location_id group_id rack_id'),
  ],
  bulkEdit: [fieldGroup('', ['status', 'user', 'tenant', 'description'])],
  importColumns: {
    site: { to: 'dcim.site', narrows: { rack: 'site', location: 'site' } },
    location: { to: 'dcim.location', narrows: { rack: 'location' } },
  },
  importAuthor: 'user',
  importRequires: ['site', 'status'],
  imports: words(`
    site.name location.name rack.name units status tenant.name description owner.name comments
    tags.slug
  `),
  search: {
    weights: { description: 500, comments: 5000 },
    shown: ['rack', 'tenant', 'user', 'description'],
  },
})
