import { fieldGroup, modelView } from '../../schema/view.ts'

export const virtualCircuitTypeView = modelView('circuits.virtualcircuittype', {
  columns: ['name', 'virtual_circuit_count', 'color', 'description'],
  moreColumns: [
    'id',
    'slug',
    'tags',
    'created',
    'last_updated',
    'owner.group',
    'owner',
    'comments',
  ],
  labels: { virtual_circuit_count: 'Circuits', 'owner.group': 'Owner Group' },
  panels: [[fieldGroup('Virtual circuit type', ['name', 'description', 'color'])]],
  form: [
    fieldGroup('', ['name', 'slug', 'color', 'description', 'tags']),
    fieldGroup('', ['owner', 'comments']),
  ],
  filters: [
    fieldGroup('', ['tag']),
    fieldGroup('Attributes', ['color']),
    fieldGroup('Ownership', ['owner_group_id', 'owner_id']),
  ],
  bulkEdit: [fieldGroup('', ['color', 'description']), fieldGroup('More', ['owner', 'comments'])],
  imports: ['name', 'slug', 'color', 'description', 'owner.name', 'comments', 'tags.slug'],
  search: {
    weights: { name: 100, slug: 110, description: 500, comments: 5000 },
    shown: ['description'],
  },
})
