import { fieldGroup, modelView, words } from '../../schema/view.ts'

export const circuitTerminationView = modelView('circuits.circuittermination', {
  context: ['circuit', 'termination'],
  columns: words('id circuit circuit.provider term_side termination_type termination description'),
  moreColumns: words('port_speed upstream_speed xconnect_id pp_info created last_updated'),
  labels: {
    term_side: 'Side',
    termination_type: 'Termination Type',
    termination: 'Termination Point',
  },
  panels: [
    [
      fieldGroup(
        'Circuit Termination',
        'circuit circuit.provider termination port_speed xconnect_id pp_info description',
      ),
    ],
  ],
  form: [
    fieldGroup(
      'Circuit Termination',
      'circuit term_side description tags termination mark_connected',
    ),
    fieldGroup('Termination Details', ['port_speed', 'upstream_speed', 'xconnect_id', 'pp_info']),
  ],
  filters: [
    fieldGroup('Circuit', ['circuit_id', 'term_side']),
    fieldGroup('Provider', ['provider_id']),
    fieldGroup('Termination', ['region_id', 'site_group_id', 'site_id', 'location_id']),
  ],
  bulkEdit: [
    fieldGroup('Circuit Termination', ['description', 'termination', 'mark_connected']),
    fieldGroup('Termination Details', ['port_speed', 'upstream_speed']),
  ],
  imports: words(`
    circuit.cid term_side termination_type termination_id port_speed upstream_speed xconnect_id
    pp_info description tags.slug
  `),
  search: {
    weights: {
      xconnect_id: 300,
      pp_info: 300,
      description: 500,
      port_speed: 2000,
      upstream_speed: 2000,
    },
    shown: ['circuit', 'termination', 'description'],
  },
})
