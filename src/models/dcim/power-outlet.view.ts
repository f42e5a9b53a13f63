import { fieldGroup, modelView, words } from '../../schema/view.ts'
import { CABLED_COLUMNS, CABLED_LABELS, PLACE_FILTERS } from './component-view.ts'

export const powerOutletView = modelView('dcim.poweroutlet', {
  context: ['device'],
  columns: words('name device label type status color power_port feed_leg description'),
  moreColumns: CABLED_COLUMNS,
  labels: { ...CABLED_LABELS, power_port: 'Power Port' },
  panels: [
    [
      fieldGroup(
        'Power outlet',
        'device module name label type status description color power_port feed_leg',
      ),
    ],
  ],
  cloned: ['device', 'module', 'type', 'power_port', 'feed_leg'],
  form: [
    fieldGroup(
      '',
      `
        device module name label type status color power_port feed_leg mark_connected description
        owner tags
      `,
    ),
  ],
  narrowedBy: { module: { device_id: 'device' }, power_port: { device_id: 'device' } },
  filters: [
    fieldGroup('Attributes', ['name', 'label', 'type', 'color', 'status']),
    ...PLACE_FILTERS,
    fieldGroup('Connection', ['cabled', 'connected', 'occupied']),
  ],
  bulkEdit: [
    fieldGroup('', ['module', 'type', 'label', 'status', 'description', 'mark_connected', 'color']),
    fieldGroup('Power', ['feed_leg', 'power_port']),
    fieldGroup('More', ['owner', 'device']),
  ],
  imports: words(`
    device.name name label type color mark_connected power_port.name feed_leg description owner.name
    tags.slug
  `),
  search: {
    weights: { name: 100, label: 200, description: 500 },
    shown: ['device', 'label', 'type', 'status', 'description'],
  },
})
