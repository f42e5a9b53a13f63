import { fieldGroup } from '../../schema/view.ts'
import { nestedGroupView } from '../organizational-view.ts'

export const regionView = nestedGroupView('dcim.region', {
  heading: 'Region',
  counts: { site_count: 'Sites' },
  mapFilter: 'region_id',
  tables: [{ model: 'dcim.region', by: { parent_id: 'id' }, label: 'Child Regions' }],
  form: [fieldGroup('', ['parent', 'name', 'slug', 'description', 'tags'])],
  search: {
    weights: { name: 100, slug: 110, description: 500, comments: 5000 },
    shown: ['parent', 'description'],
  },
})
