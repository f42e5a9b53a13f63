import { fieldGroup, modelView } from '../../schema/view.ts'

export const circuitTypeView = modelView('circuits.circuittype', {
  columns: ['name', 'circuit_count', 'color', 'description'],
  moreColumns: [
    'id',
    'slug',
    'comments',
    'tags',
    'created',
    'last_updated',
    'owner.group',
    'owner',
  ],
  labels: { circuit_count: 'Circuits' },
  panels: [[fieldGroup('Circuit type', ['name', 'description', 'color'])]],
  form: [fieldGroup('', ['name', 'slug', 'color', 'description', 'tags'])],
  filters: [fieldGroup('Attributes', ['color'])],
  bulkEdit: [fieldGroup('', ['color', 'description'])],
  imports: ['name', 'slug', 'color', 'description', 'owner.name', 'comments', 'tags.slug'],
  search: {
    weights: { name: 100, slug: 110, description: 500, comments: 5000 },
    shown: ['description'],
  },
})
