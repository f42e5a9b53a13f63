import { fieldGroup, modelView, words } from '../../schema/view.ts'
import { CABLED_COLUMNS, CABLED_LABELS, PLACE_FILTERS } from './component-view.ts'

export const powerPortView = modelView('dcim.powerport', {
  context: ['device'],
  columns: ['name', 'device', 'label', 'type', 'maximum_draw', 'allocated_draw', 'description'],
  moreColumns: CABLED_COLUMNS,
  labels: {
    ...CABLED_LABELS,
    maximum_draw: 'Maximum draw (W)',
    allocated_draw: 'Allocated draw (W)',
  },
  panels: [
    [
      fieldGroup(
        'Power port',
        'device module name label type description maximum_draw allocated_draw',
      ),
    ],
  ],
  cloned: ['device', 'module', 'maximum_draw', 'allocated_draw'],
  form: [
    fieldGroup(
      '',
      'device module name label type maximum_draw allocated_draw mark_connected description tags',
    ),
  ],
  narrowedBy: { module: { device_id: 'device' } },
  filters: [
    fieldGroup('Attributes', ['name', 'label', 'type']),
    ...PLACE_FILTERS,
    fieldGroup('Connection', ['cabled', 'connected', 'occupied']),
  ],
  bulkEdit: [
    fieldGroup('', ['module', 'type', 'label', 'description', 'mark_connected']),
    fieldGroup('Power', ['maximum_draw', 'allocated_draw']),
    fieldGroup('More', ['owner', 'device']),
  ],
  imports: words(`
    device.name name label type mark_connected maximum_draw allocated_draw description owner.name
    tags.slug
  `),
  search: {
    weights: { name: 100, label: 200, description: 500, maximum_draw: 2000, allocated_draw: 2000 },
    shown: ['device', 'label', 'type', 'description'],
  },
})
