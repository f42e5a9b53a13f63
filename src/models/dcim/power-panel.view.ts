import { fieldGroup, modelView, words } from '../../schema/view.ts'

export const powerPanelView = modelView('dcim.powerpanel', {
  context: ['site', 'location'],
  columns: ['name', 'site', 'location', 'powerfeed_count'],
  moreColumns: words('id description comments tags created last_updated owner.group owner'),
  labels: { powerfeed_count: 'Power Feeds' },
  panels: [[fieldGroup('Power panel', ['site', 'location', 'description'])]],
  tables: [{ model: 'dcim.powerfeed', by: { power_panel_id: 'id' } }],
  form: [fieldGroup('Power Panel', ['site', 'location', 'name', 'description', 'tags'])],
  narrowedBy: { location: { site_id: 'site' } },
  filters: [fieldGroup('Location', ['region_id', 'site_group_id', 'site_id', 'location_id'])],
  bulkEdit: [fieldGroup('', ['site', 'location', 'description'])],
  imports: words('site.name location.name name description owner.name comments tags.slug'),
  search: {
    weights: { name: 100, description: 500, comments: 5000 },
    shown: ['site', 'location', 'description'],
  },
})
