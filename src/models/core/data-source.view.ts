import { fieldGroup, modelView, words } from '../../schema/view.ts'

export const dataSourceView = modelView('core.datasource', {
  columns: ['name', 'type', 'status', 'enabled', 'description', 'sync_interval', 'file_count'],
  moreColumns: words(
    'id source_url comments parameters last_synced created last_updated owner.group owner',
  ),
  labels: { last_synced: 'Last Synced', file_count: 'Files' },
  panels: [
    [
      fieldGroup(
        'Data Source',
        'name type enabled status sync_interval last_synced description source_url ignore_rules',
      ),
    ],
  ],
  tables: [{ model: 'core.datafile', by: { source_id: 'id' } }],
  form: [
    fieldGroup('Source', ['name', 'type', 'source_url', 'description', 'tags', 'ignore_rules']),
    fieldGroup('Sync', ['enabled', 'sync_interval']),
  ],
  filters: [fieldGroup('Data Source', ['type', 'status', 'enabled', 'sync_interval'])],
  bulkEdit: [
    fieldGroup('', 'type enabled description sync_interval parameters ignore_rules comments'),
  ],
  imports: words(`
    name type source_url enabled description sync_interval parameters ignore_rules owner.name
    comments tags.slug
  `),
  search: {
    weights: { name: 100, source_url: 300, description: 500, comments: 5000 },
    shown: ['type', 'status', 'description'],
  },
})
