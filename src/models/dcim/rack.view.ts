import { fieldGroup, modelView, words } from '../../schema/view.ts'

export const rackView = modelView('dcim.rack', {
  mapFilter: 'rack_id',
  context: ['site', 'location'],
  columns: words(
    'name site location group status facility_id tenant role rack_type u_height device_count',
  ),
  moreColumns: words(`
    id tenant.group serial asset_tag form_factor starting_unit width outer_width outer_height
    outer_depth mounting_depth airflow weight max_weight comments description tags created
    last_updated owner.group owner rack_type.manufacturer
  `),
  labels: {
    rack_type: 'Type',
    u_height: 'Height',
    outer_width: 'Outer Width',
    outer_height: 'Outer Height',
    outer_depth: 'Outer Depth',
    max_weight: 'Max Weight',
    device_count: 'Devices',
  },
  formLabels: { group: 'Rack group' },
  panels: [
    [
      fieldGroup(
        'Rack',
        `
          site.region site location group name facility_id tenant status rack_type role description
          serial asset_tag airflow
        `,
      ),
      fieldGroup(
        'Dimensions',
        'form_factor width u_height outer_width outer_height outer_depth mounting_depth',
      ),
      fieldGroup('Numbering', ['starting_unit', 'desc_units']),
      fieldGroup('Weight', ['weight', 'max_weight']),
    ],
  ],
  part: 'rackElevation',
  tabs: [
    {
      path: 'nonracked-devices',
      label: 'Non-Racked Devices',
      model: 'dcim.device',
      by: { rack_id: 'id', position__empty: '=true' },
    },
    {
      path: 'reservations',
      label: 'Reservations',
      model: 'dcim.rackreservation',
      by: { rack_id: 'id' },
    },
  ],
  cloned: words(`
    site location tenant status role form_factor width airflow u_height desc_units outer_width
    outer_height outer_depth outer_unit mounting_depth weight max_weight weight_unit
  `),
  form: [
    fieldGroup('Rack', 'site location group name status role rack_type description airflow tags'),
    fieldGroup('Inventory Control', ['facility_id', 'serial', 'asset_tag']),
    fieldGroup(
      'More',
      `
        form_factor width u_height starting_unit desc_units outer_width outer_height outer_depth
        outer_unit mounting_depth weight max_weight weight_unit
      `,
    ),
  ],
  narrowedBy: { location: { site_id: 'site' } },
  filters: [
    fieldGroup('Location', ['region_id', 'site_group_id', 'site_id', 'location_id', 'group_id']),
    fieldGroup('Rack', 'status role_id manufacturer_id rack_type_id serial asset_tag'),
    fieldGroup('Hardware', ['form_factor', 'width', 'u_height', 'airflow']),
    fieldGroup('Numbering', ['starting_unit', 'desc_units']),
    fieldGroup('Weight', ['weight', 'max_weight', 'weight_unit']),
  ],
  bulkEdit: [
    fieldGroup('Rack', 'status group role tenant serial asset_tag rack_type description'),
    fieldGroup('Location', ['site', 'location']),
    fieldGroup('Outer Dimensions', ['outer_width', 'outer_height', 'outer_depth', 'outer_unit']),
    fieldGroup('Hardware', 'form_factor width u_height desc_units airflow mounting_depth'),
    fieldGroup('Weight', ['weight', 'max_weight', 'weight_unit']),
  ],
  importRequires: ['status'],
  imports: words(`
    site.name location.name group.name name facility_id tenant.name status role.name rack_type.model
    form_factor serial asset_tag width u_height desc_units outer_width outer_height outer_depth
    outer_unit mounting_depth airflow weight max_weight weight_unit description owner.name comments
    tags.slug
  `),
  search: {
    weights: {
      asset_tag: 50,
      serial: 60,
      name: 100,
      facility_id: 200,
      description: 500,
      comments: 5000,
    },
    shown: words('site location facility_id tenant status role serial asset_tag description'),
  },
})
