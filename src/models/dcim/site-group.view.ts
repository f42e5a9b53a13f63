import { fieldGroup } from '../../schema/view.ts'
import { nestedGroupView } from '../organizational-view.ts'

export const siteGroupView = nestedGroupView('dcim.sitegroup', {
  heading: 'Site Group',
  counts: { site_count: 'Sites' },
  form: [fieldGroup('', ['parent', 'name', 'slug', 'description', 'tags'])],
  search: {
    weights: { name: 100, slug: 110, description: 500, comments: 5000 },
    shown: ['parent', 'description'],
  },
})
