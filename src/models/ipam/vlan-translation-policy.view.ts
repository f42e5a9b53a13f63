import { fieldGroup, modelView } from '../../schema/view.ts'

export const vlanTranslationPolicyView = modelView('ipam.vlantranslationpolicy', {
  columns: ['name', 'description'],
  moreColumns: ['id', 'owner.group', 'owner', 'comments'],
  panels: [[fieldGroup('VLAN translation policy', ['name', 'description'])]],
  tables: [
    { model: 'ipam.vlantranslationrule', by: { policy_id: 'id' }, label: 'VLAN translation rules' },
  ],
  form: [fieldGroup('VLAN Translation Policy', ['name', 'description', 'tags'])],
  filters: [fieldGroup('Attributes', ['name'])],
  bulkEdit: [fieldGroup('', ['description'])],
  imports: ['name', 'description', 'owner.name', 'comments', 'tags.slug'],
  search: { weights: { name: 100, description: 500, comments: 5000 }, shown: ['description'] },
})
