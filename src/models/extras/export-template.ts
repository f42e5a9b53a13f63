import { description, LOGGED, owner, timestamps } from '../../schema/common.ts'
import { boolean, dateTime, foreignKey, json, objectTypes, text } from '../../schema/field.ts'
import { booleanFilter, objectTypeFilter, related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { behaviour, type Rule } from '../../schema/rule.ts'
import { registered, titled, words } from '../../schema/view.ts'
import { fileIsUsable, followDataFile } from './data-file.rules.ts'
import { parametersAreAllowed } from './environment-parameters.rules.ts'
import { TEMPLATE_CODE } from './file-content.ts'

/** A Jinja2 template that renders a list of objects. */
export const exportTemplate = model({
  name: 'extras.exporttemplate',
  path: 'extras/export-templates',
  labels: ['export template', 'export templates'],
  about: 'A Jinja template of a download of a list.',
  earlier: {
    without: ['auto_sync_enabled'],
    fields: { data_file: foreignKey('core.datafile', { onDelete: 'setNull', related: '+', readOnly: true }) },
  },

  fields: {
    object_types: objectTypes({ filter: false, feature: 'exportTemplates' }),
    name: text({ max: 100 }),
    description,
    environment_params: json({ default: {}, nullable: true, label: 'Environment parameters' }),
    template_code: text({ filter: false }),
    mime_type: text({ max: 50, default: '', label: 'MIME type' }),
    file_name: text({ max: 200, default: '' }),
    file_extension: text({ max: 15, default: '' }),
    as_attachment: boolean({ default: true }),
    auto_sync_enabled: boolean({ default: false }),
    data_source: foreignKey('core.datasource', { related: '+', nullable: true }),
    data_path: text({ max: 1000, default: '', readOnly: true, filter: false }),
    data_file: foreignKey('core.datafile', { onDelete: 'setNull', related: '+' }),
    data_synced: dateTime({ nullable: true, readOnly: true, label: 'Date synced' }),
    owner,
    ...timestamps,
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

/** `?export=table` is reserved: it requests the columns of a table. */
const nameIsNotReserved: Rule<typeof exportTemplate.fields> = ({ next }) =>
  next.name.toLowerCase() === 'table' ? { name: `"${next.name}" is a reserved name. Choose another one.` } : undefined

export const exportTemplateModel = registered(exportTemplate, {
  behaviour: behaviour(exportTemplate, {
    normalize: [followDataFile(TEMPLATE_CODE)],
    modelRules: [fileIsUsable(TEMPLATE_CODE), parametersAreAllowed, nameIsNotReserved],
  }),
  columns: words('name object_types description mime_type file_name file_extension as_attachment'),
  moreColumns: words('id data_source data_file data_synced created last_updated owner'),
  labels: {
    ...titled('object_types file_name file_extension as_attachment data_source data_file'),
    mime_type: 'MIME Type',
  },
  formLabels: { data_file: 'File' },
  panels: {
    'Export Template': words('name description mime_type file_name file_extension as_attachment'),
  },
  cloned: words('object_types template_code mime_type file_name file_extension as_attachment'),
  form: {
    'Export Template': words('name object_types description template_code'),
    'Data Source': words('data_source data_file auto_sync_enabled'),
    Rendering: words('mime_type file_name file_extension environment_params as_attachment'),
  },
  narrowedBy: { data_file: { source_id: 'data_source' } },
  filters: {
    '': ['object_type_id'],
    Data: words('data_source_id data_file_id'),
    Rendering: words('mime_type file_name file_extension as_attachment'),
  },
  bulkEdit: words('owner description mime_type file_name file_extension as_attachment'),
  imports: { without: ['data_file'], plus: ['data_file.path'] },
})
