import { description, LOGGED, owner, timestamps } from '../../schema/common.ts'
import { boolean, dateTime, foreignKey, json, tags, text } from '../../schema/field.ts'
import { related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { behaviour } from '../../schema/rule.ts'
import { registered, titled, words } from '../../schema/view.ts'
import { fileIsUsable, followDataFile } from './data-file.rules.ts'
import { parametersAreAllowed } from './environment-parameters.rules.ts'
import { TEMPLATE_CODE } from './file-content.ts'

/** A Jinja2 template that renders a device's configuration. */
export const configTemplate = model({
  name: 'extras.configtemplate',
  path: 'extras/config-templates',
  labels: ['config template', 'config templates'],
  about: 'A Jinja template of the configuration of devices.',

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

  filters: { data_file_id: related('data_file', 'core.datasource') },
  features: [...LOGGED, 'customLinks', 'exportTemplates', 'syncedData'],
  actions: ['render', 'sync'],
})

export const configTemplateModel = registered(configTemplate, {
  behaviour: behaviour(configTemplate, {
    normalize: [followDataFile(TEMPLATE_CODE)],
    modelRules: [fileIsUsable(TEMPLATE_CODE), parametersAreAllowed],
  }),
  columns: words('name description'),
  moreColumns: { without: words('template_code owner.group'), plus: ['data_synced'] },
  labels: {
    ...titled('data_source data_file as_attachment file_name file_extension auto_sync_enabled'),
    mime_type: 'MIME Type',
  },
  formLabels: { data_file: 'File' },
  panels: {
    'Config Template': words(`
      name description mime_type file_name file_extension as_attachment debug data_source data_path
      data_synced auto_sync_enabled
    `),
  },
  form: {
    'Config Template': words('name description tags template_code'),
    'Data Source': words('data_source data_file auto_sync_enabled'),
    Rendering: words('mime_type file_name file_extension environment_params as_attachment debug'),
  },
  narrowedBy: { data_file: { source_id: 'data_source' } },
  filters: {
    Data: words('data_source_id data_file_id auto_sync_enabled'),
    Rendering: words('mime_type file_name file_extension as_attachment debug'),
  },
  bulkEdit: words(`
    owner description mime_type file_name file_extension as_attachment debug auto_sync_enabled
  `),
  imports: { without: ['data_file'], plus: ['data_file.path'] },
})
