import { description, LOGGED, owner, timestamps } from '../../schema/common.ts'
import { boolean, dateTime, foreignKey, json, objectTypes, text } from '../../schema/field.ts'
import { booleanFilter, objectTypeFilter, related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'

/** A Jinja2 template that renders a list of objects. */
export const exportTemplate = model({
  name: 'extras.exporttemplate',
  path: 'extras/export-templates',
  labels: ['export template', 'export templates'],

  fields: {
    object_types: objectTypes({ filter: false }),
    name: text({ max: 100 }),
    description,
    environment_params: json({ default: {}, nullable: true, label: 'Environment parameters' }),
    template_code: text({ filter: false }),
    mime_type: text({ max: 50, default: '', label: 'MIME type' }),
    file_name: text({ max: 200, default: '' }),
    file_extension: text({ max: 15, default: '' }),
    as_attachment: boolean({ default: true }),
    data_source: foreignKey('core.datasource', { related: '+', nullable: true }),
    data_path: text({ max: 1000, default: '', readOnly: true, filter: false }),
    data_file: foreignKey('core.datafile', { onDelete: 'setNull', related: '+', readOnly: true }),
    data_synced: dateTime({ nullable: true, readOnly: true, label: 'Date synced' }),
    owner,
    ...timestamps,
    auto_sync_enabled: boolean({ default: false, hidden: true }),
  },

  graphql: { lookups: { data_source_id: 'IntFilterLookup', data_file_id: 'IntFilterLookup' } },
  brief: ['id', 'url', 'display', 'name', 'description'],
  naturalKey: ['name'],
  order: ['name'],
  search: ['file_name', 'name', 'description'],

  filters: {
    auto_sync_enabled: booleanFilter('auto_sync_enabled'),
    object_type_id: objectTypeFilter('object_types', { byId: true }),
    object_type: objectTypeFilter('object_types', { textLookups: true }),
    data_file_id: related('data_file', 'core.datasource'),
  },
  features: [...LOGGED, 'cloning', 'exportTemplates', 'syncedData'],
  actions: ['sync'],
})
