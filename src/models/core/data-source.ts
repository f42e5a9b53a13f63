import { choices } from '../../schema/choices.ts'
import { comments, description, owner, PRIMARY, timestamps } from '../../schema/common.ts'
import { boolean, choice, customFields, dateTime, json, relatedCount, tags, text } from '../../schema/field.ts'
import { model } from '../../schema/model.ts'
import { registered, words } from '../../schema/view.ts'

const dataSourceStatus = choices([
  ['new', 'New', 'blue'],
  ['queued', 'Queued', 'orange'],
  ['syncing', 'Syncing', 'cyan'],
  ['completed', 'Completed', 'green'],
  ['failed', 'Failed', 'red'],
])

const jobInterval = choices([
  [1, 'Minutely'],
  [60, 'Hourly'],
  [720, '12 hours'],
  [1440, 'Daily'],
  [10080, 'Weekly'],
  [43200, '30 days'],
])

const dataSourceType = choices([
  ['local', 'Local', 'gray'],
  ['git', 'Git', 'blue'],
  ['amazon-s3', 'Amazon S3', 'blue'],
])

/** A source of files: a directory, git repository or bucket. */
export const dataSource = model({
  name: 'core.datasource',
  path: 'core/data-sources',
  hasSecrets: true,
  labels: ['data source', 'data sources'],
  about: 'A Git repository, a bucket or a directory with files for templates and contexts.',
  earlier: { without: ['tags'] },

  fields: {
    name: text({ max: 100, unique: true }),
    type: choice(dataSourceType, {}),
    source_url: text({ max: 200, label: 'URL' }),
    enabled: boolean({ default: true }),
    status: choice(dataSourceStatus, { default: 'new', readOnly: true }),
    description,
    sync_interval: choice(jobInterval, { nullable: true, bare: true }),
    // Secrets among them are masked; sealed_parameters holds them.
    parameters: json({ nullable: true, entries: true }),
    ignore_rules: text({ default: '', filter: false }),
    owner,
    comments,
    tags: tags(),
    custom_fields: customFields(),
    ...timestamps,
    last_synced: dateTime({ nullable: true, readOnly: true }),
    file_count: relatedCount('core.datafile', 'source'),
    /** Secret parameters by name, each encrypted. */
    sealed_parameters: json({ nullable: true, hidden: true, unlogged: true, filter: false }),
  },

  graphql: { lookups: { type: 'StrFilterLookup' } },
  brief: ['id', 'url', 'display', 'name', 'description'],
  order: ['name'],
  search: ['comments', 'name', 'description'],

  features: [...PRIMARY, 'jobs'],
  isShared: true,
  actions: ['sync'],
})

export const dataSourceModel = registered(dataSource, {
  columns: words('name type status enabled description sync_interval file_count'),
  moreColumns: { without: words('ignore_rules tags'), plus: words('parameters last_synced') },
  labels: { last_synced: 'Last Synced', file_count: 'Files' },
  panels: {
    'Data Source': words(`
      name type enabled status sync_interval last_synced description source_url ignore_rules
    `),
  },
  tables: [{ model: 'core.datafile', by: { source_id: 'id' } }],
  form: {
    Source: words('name type source_url description tags ignore_rules'),
    Sync: words('enabled sync_interval'),
  },
  filters: { 'Data Source': words('type status enabled sync_interval') },
  bulkEdit: { without: ['source_url'], plus: words('parameters comments') },
  imports: { plus: ['parameters'] },
  search: { weights: { source_url: 300 }, shown: words('type status description') },
})
