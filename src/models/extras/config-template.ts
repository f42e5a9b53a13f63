import { description, LOGGED, owner, timestamps } from '../../schema/common.ts'
import { boolean, dateTime, foreignKey, json, tags, text } from '../../schema/field.ts'
import { related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'

/** A Jinja2 template that renders a device's configuration. */
export const configTemplate = model({
  name: 'extras.configtemplate',
  path: 'extras/config-templates',
  labels: ['config template', 'config templates'],

  fields: {
    name: text({ max: 100 }),
    description,
    environment_params: json({ default: {}, nullable: true, label: 'Environment parameters' }),
    template_code: text({ filter: false }),
    mime_type: text({ max: 50, default: '', label: 'MIME type' }),
    file_name: text({ max: 200, default: '' }),
    file_extension: text({ max: 15, default: '' }),
    as_attachment: boolean({ default: true }),
    debug: boolean({ default: false }),
    data_source: foreignKey('core.datasource', { related: '+', nullable: true }),
    data_path: text({ max: 1000, default: '', readOnly: true, filter: false }),
    data_file: foreignKey('core.datafile', { onDelete: 'setNull', related: '+' }),
    auto_sync_enabled: boolean({ default: false }),
    data_synced: dateTime({ nullable: true, readOnly: true, label: 'Date synced' }),
    owner,
    tags: tags(),
    ...timestamps,
  },

  graphql: { lookups: { data_source_id: 'IntFilterLookup', data_file_id: 'IntFilterLookup' } },
  brief: ['id', 'url', 'display', 'name', 'description'],
  naturalKey: ['name'],
  order: ['name'],
  search: ['name', 'description'],

  filters: {
    data_file_id: related('data_file', 'core.datasource'),
  },
  features: [...LOGGED, 'customLinks', 'exportTemplates', 'syncedData'],
  actions: ['render', 'sync'],
})
