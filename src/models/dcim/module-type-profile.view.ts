import { fieldGroup, modelView } from '../../schema/view.ts'

export const moduleTypeProfileView = modelView('dcim.moduletypeprofile', {
  columns: ['name', 'description'],
  moreColumns: ['id', 'comments', 'tags', 'created', 'last_updated', 'owner.group', 'owner'],
  panels: [[fieldGroup('Module type profile', ['name', 'description'])]],
  tables: [{ model: 'dcim.moduletype', by: { profile_id: 'id' }, label: 'Module Types' }],
  cloned: ['schema'],
  form: [fieldGroup('Profile', ['name', 'description', 'schema', 'tags'])],
  bulkEdit: [fieldGroup('Profile', ['name', 'description', 'schema'])],
  imports: ['name', 'description', 'schema', 'owner.name', 'comments', 'tags.slug'],
  search: {
    weights: { name: 100, description: 500, comments: 5000 },
    shown: ['name', 'description'],
  },
})
