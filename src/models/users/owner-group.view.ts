import { fieldGroup, modelView } from '../../schema/view.ts'

export const ownerGroupView = modelView('users.ownergroup', {
  columns: ['name', 'description'],
  moreColumns: ['id'],
  panels: [[fieldGroup('Owner group', ['name', 'description'])]],
  tables: [{ model: 'users.owner', by: { group_id: 'id' }, label: 'Members' }],
  form: [fieldGroup('Owner Group', ['name', 'description'])],
  bulkEdit: [fieldGroup('', ['description'])],
  imports: ['name', 'description'],
})
