import { fieldGroup, modelView, words } from '../../schema/view.ts'
import { cableEndColumns } from './cable-end-columns.ts'
import { COMPATIBLE_ENDS } from './cabling/cable-end-types.ts'

/** Types of objects that cables connect. */
const CABLE_ENDS = {
  types: words(`
    dcim.interface dcim.frontport dcim.rearport dcim.consoleport dcim.consoleserverport
    dcim.powerport dcim.poweroutlet dcim.powerfeed circuits.circuittermination
  `),
  within: { model: 'dcim.device', by: 'device_id' },
  available: { occupied: 'false', kind: 'physical' },
}

export const cableView = modelView('dcim.cable', {
  context: ['a_terminations', 'b_terminations'],
  columns: ['id', 'label', 'a_terminations', 'b_terminations', 'status', 'type'],
  moreColumns: words(`
    profile tenant tenant.group color bundle length description comments tags created last_updated
    owner.group owner
  `),
  labels: {
    a_terminations: 'Termination A',
    b_terminations: 'Termination B',
  },
  cloned: ['tenant', 'type', 'profile', 'bundle'],
  panels: [
    [fieldGroup('Cable', 'type status profile tenant bundle label description color length')],
  ],
  form: [
    fieldGroup('A Side', ['a_terminations']),
    fieldGroup('B Side', ['b_terminations']),
    fieldGroup(
      'Cable',
      'status type profile tenant bundle label description color length length_unit tags',
    ),
  ],
  objectLists: {
    a_terminations: {
      ...CABLE_ENDS,
      opposite: { name: 'b_terminations', types: COMPATIBLE_ENDS },
    },
    b_terminations: {
      ...CABLE_ENDS,
      opposite: { name: 'a_terminations', types: COMPATIBLE_ENDS },
    },
  },
  filters: [
    fieldGroup('Location', ['site_id', 'location_id', 'rack_id', 'device_id']),
    fieldGroup('Attributes', 'type status profile color length length_unit unterminated bundle_id'),
  ],
  bulkEdit: [
    fieldGroup('', ['type', 'status', 'profile', 'tenant', 'bundle', 'label', 'description']),
    fieldGroup('Attributes', ['color', 'length', 'length_unit']),
  ],
  importColumns: { ...cableEndColumns('a'), ...cableEndColumns('b') },
  importRequires: ['side_a_type', 'side_a_name', 'side_b_type', 'side_b_name'],
  imports: words(`
    side_a_site.name side_a_device.name side_a_power_panel.name side_a_type side_a_name
    side_b_site.name side_b_device.name side_b_power_panel.name side_b_type side_b_name type status
    profile tenant.name bundle.name label color length length_unit description owner.name comments
    tags.slug
  `),
  search: {
    weights: { label: 100, description: 500, comments: 5000 },
    shown: ['type', 'status', 'tenant', 'label', 'description'],
  },
})
