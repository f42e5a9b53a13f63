import { fieldGroup, modelView, words } from '../../schema/view.ts'

export const customLinkView = modelView('extras.customlink', {
  columns: ['name', 'object_types', 'enabled', 'group_name', 'button_class', 'new_window'],
  moreColumns: ['id', 'link_text', 'link_url', 'weight', 'created', 'last_updated', 'owner'],
  labels: { object_types: 'Object Types', new_window: 'New Window' },
  panels: [[fieldGroup('Custom Link', 'name enabled group_name weight button_class new_window')]],
  cloned: ['object_types', 'enabled', 'weight', 'group_name', 'button_class', 'new_window'],
  form: [
    fieldGroup(
      'Custom Link',
      'name object_types weight group_name button_class enabled new_window',
    ),
    fieldGroup('Templates', ['link_text', 'link_url']),
  ],
  filters: [fieldGroup('Attributes', ['object_type_id', 'enabled', 'new_window', 'weight'])],
  bulkEdit: [fieldGroup('', ['owner', 'enabled', 'new_window', 'weight', 'button_class'])],
  importRequires: ['weight'],
  imports: words(`
    name object_types enabled weight group_name button_class new_window link_text link_url
    owner.name
  `),
})
