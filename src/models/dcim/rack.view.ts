import { registered, tab, titled, words } from '../../schema/view.ts'
import { rackBehaviour } from './rack.rules.ts'
import { rack } from './rack.ts'

export const rackModel = registered(rack, {
  behaviour: rackBehaviour,
  context: words('site location'),
  columns: words(`
    name site location status u_height device_count role tenant rack_type group facility_id
  `),
  moreColumns: {
    without: words('desc_units cooling_capability cooling_capacity'),
    plus: words('starting_unit rack_type.manufacturer'),
  },
  labels: {
    ...titled('outer_width outer_height outer_depth max_weight'),
    rack_type: 'Type',
    u_height: 'Height',
  },
  formLabels: { group: 'Rack group' },
  panels: {
    Rack: words(`
      site.region site location group name facility_id tenant status rack_type role description
      serial asset_tag airflow
    `),
    Dimensions: words(`
      form_factor width u_height outer_width outer_height outer_depth mounting_depth
    `),
    Numbering: words('starting_unit desc_units'),
    Weight: words('weight max_weight'),
    Cooling: words('cooling_capability cooling_capacity'),
  },
  tabs: [
    tab(
      'nonracked-devices',
      'dcim.device',
      { rack_id: 'id', position__empty: '=true' },
      { label: 'Non-Racked Devices', hiddenIfEmpty: false },
    ),
    tab('reservations', 'dcim.rackreservation', { rack_id: 'id' }, { hiddenIfEmpty: false }),
  ],
  cloned: words(`
    site location tenant status role form_factor width airflow u_height desc_units outer_width
    outer_height outer_depth outer_unit mounting_depth weight max_weight weight_unit
  `),
  form: {
    Rack: words('site location group name status role rack_type description airflow tags'),
    'Inventory Control': words('facility_id serial asset_tag'),
    More: words(`
      form_factor width u_height starting_unit desc_units outer_width outer_height outer_depth
      outer_unit mounting_depth weight max_weight weight_unit cooling_capability cooling_capacity
    `),
  },
  narrowedBy: { location: { site_id: 'site' } },
  filters: {
    Location: words('region_id site_group_id site_id location_id group_id'),
    Rack: words('status role_id manufacturer_id rack_type_id serial asset_tag'),
    Hardware: words('form_factor width u_height airflow'),
    Numbering: words('starting_unit desc_units'),
    Weight: words('weight max_weight weight_unit'),
  },
  bulkEdit: {
    Rack: words('status group role tenant serial asset_tag rack_type description'),
    Location: words('site location'),
    'Outer Dimensions': words('outer_width outer_height outer_depth outer_unit'),
    Hardware: words('form_factor width u_height desc_units airflow mounting_depth'),
    Weight: words('weight max_weight weight_unit'),
  },
  importRequires: ['status'],
  imports: { without: words('rack_type starting_unit'), plus: ['rack_type.model'] },
  search: {
    weights: { facility_id: 200 },
    shown: words('site location facility_id tenant status role serial asset_tag description'),
  },
})
