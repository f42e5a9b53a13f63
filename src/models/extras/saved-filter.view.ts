import { fieldGroup, modelView, words } from '../../schema/view.ts'

export const savedFilterView = modelView('extras.savedfilter', {
  columns: ['name', 'object_types', 'user', 'description', 'enabled', 'shared'],
  moreColumns: ['id', 'slug', 'weight', 'created', 'last_updated', 'parameters', 'owner'],
  labels: { object_types: 'Object Types' },
  panels: [
    [fieldGroup('Saved Filter', ['name', 'description', 'user', 'enabled', 'shared', 'weight'])],
  ],
  cloned: ['object_types', 'weight', 'enabled', 'parameters'],
  form: [
    fieldGroup('Saved Filter', 'name slug object_types description weight enabled shared'),
    fieldGroup('Parameters', ['parameters']),
  ],
  filters: [fieldGroup('Attributes', ['object_type_id', 'enabled', 'shared', 'weight'])],
  bulkEdit: [fieldGroup('', ['owner', 'description', 'weight', 'enabled', 'shared'])],
  importRequires: ['weight'],
  imports: words('name slug object_types description weight enabled shared parameters owner.name'),
})
