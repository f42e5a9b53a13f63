import { fieldGroup, modelView } from '../../schema/view.ts'

export const cableBundleView = modelView('dcim.cablebundle', {
  columns: ['id', 'name', 'cable_count', 'description'],
  moreColumns: ['tags', 'created', 'last_updated', 'owner.group', 'owner', 'comments'],
  labels: { cable_count: 'Cables' },
  panels: [[fieldGroup('Cable bundle', ['name', 'description', 'owner'])]],
  form: [fieldGroup('Cable Bundle', ['name', 'description', 'tags'])],
  filters: [fieldGroup('Attributes', ['name'])],
  bulkEdit: [fieldGroup('', ['description'])],
  imports: ['name', 'description', 'owner.name', 'comments', 'tags.slug'],
  search: { weights: { name: 100, description: 500, comments: 5000 }, shown: ['description'] },
})
