import { fieldGroup, modelView, words } from '../../schema/view.ts'

export const platformView = modelView('dcim.platform', {
  context: ['manufacturer'],
  columns: ['name', 'manufacturer', 'device_count', 'description'],
  moreColumns: words(
    'id parent slug config_template tags created last_updated owner.group owner comments',
  ),
  labels: {
    device_count: 'Devices',
    config_template: 'Config Template',
  },
  panels: [
    [fieldGroup('Platform', ['parent', 'name', 'description', 'manufacturer', 'config_template'])],
  ],
  tables: [{ model: 'dcim.platform', by: { parent_id: 'id' }, label: 'Child Platforms' }],
  cloned: ['parent', 'description'],
  form: [fieldGroup('Platform', 'name slug parent manufacturer config_template description tags')],
  filters: [fieldGroup('Platform', ['manufacturer_id', 'parent_id', 'config_template_id'])],
  bulkEdit: [fieldGroup('', ['parent', 'manufacturer', 'config_template', 'description'])],
  imports: words(`
    name slug parent.name manufacturer.name config_template.name description owner.name comments
    tags.slug
  `),
  search: {
    weights: { name: 100, slug: 110, description: 500, comments: 5000 },
    shown: ['manufacturer', 'description'],
  },
})
