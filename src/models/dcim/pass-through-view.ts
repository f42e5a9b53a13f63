import { fieldGroup, type ModelView } from '../../schema/view.ts'
import { CABLED_COLUMNS, CABLED_LABELS, PLACE_FILTERS } from './component-view.ts'

interface PassThrough extends Pick<ModelView, 'importColumns' | 'importBody' | 'importRequires'> {
  /** Heading of the panel. */
  readonly title: string
  /** Fields of the form that map the port to others. */
  readonly mappings?: readonly string[]
  /** Columns of the import that do so. */
  readonly importedMappings?: readonly string[]
}

const OWN_FIELDS = ['device', 'module', 'name', 'label', 'type', 'color', 'positions']

/** The view of front ports and of rear ports. */
export const passThroughView = ({
  title,
  mappings = [],
  importedMappings = [],
  ...imported
}: PassThrough): Omit<ModelView, 'model'> => ({
  context: ['device'],
  columns: ['name', 'device', 'label', 'type', 'color', 'positions', 'description'],
  moreColumns: CABLED_COLUMNS,
  labels: CABLED_LABELS,
  panels: [[fieldGroup(title, [...OWN_FIELDS, 'description'])]],
  cloned: ['device', 'type', 'color', 'positions'],
  form: [fieldGroup('', [...OWN_FIELDS, ...mappings, 'mark_connected', 'description', 'tags'])],
  narrowedBy: { module: { device_id: 'device' } },
  filters: [
    fieldGroup('Attributes', ['name', 'label', 'type', 'color']),
    ...PLACE_FILTERS,
    fieldGroup('Cable', ['cabled', 'occupied']),
  ],
  bulkEdit: [
    fieldGroup('', ['module', 'type', 'label', 'color', 'description', 'mark_connected']),
    fieldGroup('More', ['owner', 'device']),
  ],
  ...imported,
  imports: [
    'device.name',
    'name',
    'label',
    'type',
    'color',
    'mark_connected',
    'positions',
    ...importedMappings,
    'description',
    'owner.name',
    'tags.slug',
  ],
  search: {
    weights: { name: 100, label: 200, description: 500 },
    shown: ['device', 'label', 'type', 'description'],
  },
})
