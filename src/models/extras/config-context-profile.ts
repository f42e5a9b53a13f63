import { comments, description, owner, PRIMARY, timestamps } from '../../schema/common.ts'
import { boolean, customFields, dateTime, foreignKey, json, tags, text } from '../../schema/field.ts'
import { booleanFilter, related } from '../../schema/filter.ts'
import { complainOfSchema } from '../../schema/json-schema.ts'
import { model } from '../../schema/model.ts'
import { behaviour, type Rule } from '../../schema/rule.ts'
import { registered, titled, words } from '../../schema/view.ts'
import { fileIsUsable, followDataFile } from './data-file.rules.ts'
import { PROFILE_SCHEMA } from './file-content.ts'

/** A schema that config contexts may have to satisfy. */
export const configContextProfile = model({
  name: 'extras.configcontextprofile',
  path: 'extras/config-context-profiles',
  labels: ['config context profile', 'config context profiles'],

  fields: {
    name: text({ max: 100, unique: true }),
    description,
    schema: json({ nullable: true }),
    tags: tags(),
    owner,
    comments,
    data_source: foreignKey('core.datasource', { related: '+', nullable: true }),
    data_path: text({ max: 1000, default: '', readOnly: true, filter: false }),
    data_file: foreignKey('core.datafile', { onDelete: 'setNull', related: '+' }),
    data_synced: dateTime({ nullable: true, readOnly: true, label: 'Date synced' }),
    ...timestamps,
    auto_sync_enabled: boolean({ default: false, hidden: true, accepted: true }),
    custom_fields: customFields({ hidden: true }),
  },

  graphql: { lookups: { data_source_id: 'IntFilterLookup', data_file_id: 'IntFilterLookup' } },
  brief: ['id', 'url', 'display', 'name', 'description'],
  order: ['name'],
  search: ['comments', 'name', 'description'],

  filters: {
    auto_sync_enabled: booleanFilter('auto_sync_enabled'),
    data_file_id: related('data_file', 'core.datasource'),
  },
  features: [...PRIMARY, 'syncedData'],
  actions: ['sync'],
})

const schemaCanBeUsed: Rule<typeof configContextProfile.fields> = ({ next }) => {
  if (next.schema === null) return
  const complaint = complainOfSchema(next.schema)
  return complaint === undefined ? undefined : { schema: complaint }
}

export const configContextProfileModel = registered(configContextProfile, {
  behaviour: behaviour(configContextProfile, {
    normalize: [followDataFile(PROFILE_SCHEMA)],
    modelRules: [fileIsUsable(PROFILE_SCHEMA), schemaCanBeUsed],
  }),
  columns: words('name description'),
  labels: titled('data_source data_file'),
  formLabels: { data_file: 'File' },
  panels: { 'Config Context Profile': words('name description') },
  cloned: ['schema'],
  form: {
    'Config Context Profile': words('name description schema tags'),
    'Data Source': words('data_source data_file auto_sync_enabled'),
  },
  narrowedBy: { data_file: { source_id: 'data_source' } },
  filters: { Data: words('data_source_id data_file_id') },
  bulkEdit: ['description'],
  imports: { without: words('data_source data_file auto_sync_enabled') },
  search: { shown: ['description'] },
})
