import { fieldGroup, type ModelView } from '../../schema/view.ts'
import { CABLED_COLUMNS, CABLED_LABELS, PLACE_FILTERS } from './component-view.ts'

/** The view of console ports and of console server ports. `title`: heading of the panel. */
export const consoleView = (title: string): Omit<ModelView, 'model'> => ({
  context: ['device'],
  columns: ['name', 'device', 'label', 'type', 'speed', 'description'],
  moreColumns: CABLED_COLUMNS,
  labels: CABLED_LABELS,
  panels: [
    [fieldGroup(title, ['device', 'module', 'name', 'label', 'type', 'speed', 'description'])],
  ],
  cloned: ['device', 'module', 'type', 'speed'],
  form: [
    fieldGroup('', [
      'device',
      'module',
      'name',
      'label',
      'type',
      'speed',
      'mark_connected',
      'description',
      'tags',
    ]),
  ],
  narrowedBy: { module: { device_id: 'device' } },
  filters: [
    fieldGroup('Attributes', ['name', 'label', 'type', 'speed']),
    ...PLACE_FILTERS,
    fieldGroup('Connection', ['cabled', 'connected', 'occupied']),
  ],
  bulkEdit: [
    fieldGroup('', ['module', 'type', 'label', 'speed', 'description', 'mark_connected']),
    fieldGroup('More', ['owner', 'device']),
  ],
  imports: [
    'device.name',
    'name',
    'label',
    'type',
    'speed',
    'mark_connected',
    'description',
    'owner.name',
    'tags.slug',
  ],
  search: {
    weights: { name: 100, label: 200, description: 500, speed: 2000 },
    shown: ['device', 'label', 'type', 'description'],
  },
})
