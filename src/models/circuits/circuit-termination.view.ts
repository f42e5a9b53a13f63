import { registered, words } from '../../schema/view.ts'
import { circuitTerminationBehaviour } from './circuit-termination.rules.ts'
import { circuitTermination } from './circuit-termination.ts'

export const circuitTerminationModel = registered(circuitTermination, {
  behaviour: circuitTerminationBehaviour,
  context: words('circuit termination'),
  columns: words('id circuit circuit.provider term_side termination_type termination description'),
  moreColumns: { without: words('mark_connected tags') },
  labels: {
    termination_type: 'Termination Type',
    term_side: 'Side',
    termination: 'Termination Point',
  },
  panels: {
    'Circuit Termination': words(`
      circuit circuit.provider termination port_speed upstream_speed xconnect_id pp_info description
    `),
  },
  form: {
    'Circuit Termination': words('circuit term_side description tags termination mark_connected'),
    'Termination Details': words('port_speed upstream_speed xconnect_id pp_info'),
  },
  filters: {
    Circuit: words('circuit_id term_side'),
    Provider: ['provider_id'],
    Termination: words('region_id site_group_id site_id location_id'),
  },
  bulkEdit: {
    'Circuit Termination': words('description termination mark_connected'),
    'Termination Details': words('port_speed upstream_speed'),
  },
  imports: { without: ['mark_connected'], plus: words('termination_type termination_id') },
  search: {
    weights: { xconnect_id: 300, pp_info: 300, port_speed: 2000, upstream_speed: 2000 },
    shown: words('circuit termination description'),
  },
})
