import { comments, description, owner, PRIMARY, timestamps } from '../../schema/common.ts'
import {
  boolean,
  customFields,
  dateTime,
  foreignKey,
  json,
  tags,
  text,
} from '../../schema/field.ts'
import { booleanFilter, related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'

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
