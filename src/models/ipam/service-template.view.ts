import { fieldGroup, modelView } from '../../schema/view.ts'

export const serviceTemplateView = modelView('ipam.servicetemplate', {
  columns: ['name', 'protocol', 'ports', 'description'],
  moreColumns: ['id', 'comments', 'tags', 'created', 'last_updated', 'owner.group', 'owner'],
  fieldLabels: { ports: 'Ports' },
  panels: [
    [fieldGroup('Application service template', ['name', 'protocol', 'ports', 'description'])],
  ],
  form: [fieldGroup('Application Service Template', 'name protocol ports description tags')],
  filters: [fieldGroup('Attributes', ['protocol', 'port'])],
  bulkEdit: [fieldGroup('', ['protocol', 'ports', 'description'])],
  imports: ['name', 'protocol', 'ports', 'description', 'owner.name', 'comments', 'tags.slug'],
  search: { weights: { name: 100, description: 500, comments: 5000 }, shown: ['description'] },
})
