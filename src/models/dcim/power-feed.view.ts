import { fieldGroup, modelView, words } from '../../schema/view.ts'

export const powerFeedView = modelView('dcim.powerfeed', {
  context: ['power_panel', 'rack'],
  columns: words('name power_panel rack status type supply voltage amperage phase cable'),
  moreColumns: words(`
    id rack.site max_utilization mark_connected cable.color link_peers tenant tenant.group
    description comments tags created last_updated owner.group owner
  `),
  labels: {
    power_panel: 'Power Panel',
    max_utilization: 'Max Utilization',
    mark_connected: 'Mark Connected',
    'cable.color': 'Cable Color',
    link_peers: 'Link Peers',
  },
  panels: [
    [
      fieldGroup(
        'Power feed',
        'power_panel rack type status description tenant connected_endpoints',
      ),
      fieldGroup('Electrical Characteristics', 'supply voltage amperage phase max_utilization'),
    ],
  ],
  cloned: words(`
    power_panel rack status type mark_connected supply phase voltage amperage max_utilization tenant
  `),
  form: [
    fieldGroup('Power Feed', 'power_panel rack name status type description mark_connected tags'),
    fieldGroup('Characteristics', ['supply', 'voltage', 'amperage', 'phase', 'max_utilization']),
  ],
  filters: [
    fieldGroup('Location', ['region_id', 'site_group_id', 'site_id', 'power_panel_id', 'rack_id']),
    fieldGroup('Attributes', 'status type supply phase voltage amperage max_utilization'),
  ],
  bulkEdit: [
    fieldGroup('', 'power_panel rack status type mark_connected description tenant'),
    fieldGroup('Power', ['supply', 'phase', 'voltage', 'amperage', 'max_utilization']),
  ],
  importColumns: {
    site: { to: 'dcim.site', narrows: { power_panel: 'site', rack: 'site', location: 'site' } },
    location: { to: 'dcim.location', narrows: { rack: 'location' } },
  },
  importRequires: words('site status type supply phase voltage amperage max_utilization'),
  imports: words(`
    site.name power_panel.name location.name rack.name name status type mark_connected supply phase
    voltage amperage max_utilization tenant.name description owner.name comments tags.slug
  `),
  search: {
    weights: { name: 100, description: 500, comments: 5000 },
    shown: ['power_panel', 'rack', 'status', 'description'],
  },
})
