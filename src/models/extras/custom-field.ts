import { choices } from '../../schema/choices.ts'
import { comments, description, LOGGED, owner, timestamps } from '../../schema/common.ts'
import {
  boolean,
  choice,
  decimal,
  derived,
  foreignKey,
  integer,
  json,
  objectType,
  objectTypes,
  text,
} from '../../schema/field.ts'
import { objectTypeFilter, related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { words } from '../../schema/view.ts'
import { type Sql, sql } from '../../sql/fragment.ts'

/** Types of custom fields, in the order of the form. */
export const CUSTOM_FIELD_TYPES = [
  ['text', 'Text'],
  ['longtext', 'Text (long)'],
  ['integer', 'Integer'],
  ['decimal', 'Decimal'],
  ['boolean', 'Boolean'],
  ['date', 'Date'],
  ['datetime', 'Date & time'],
  ['url', 'URL'],
  ['json', 'JSON'],
  ['select', 'Selection'],
  ['multiselect', 'Multiple selection'],
  ['object', 'Object'],
  ['multiobject', 'Multiple objects'],
] as const

export const customFieldType = choices(CUSTOM_FIELD_TYPES)

const customFieldStatus = choices([
  ['active', 'Active', 'green'],
  ['provisioning', 'Provisioning', 'blue'],
  ['deleting', 'Deleting', 'red'],
])

/** How a filter by a field compares texts. */
export const customFieldFilterLogic = choices([
  ['disabled', 'Disabled'],
  ['loose', 'Loose'],
  ['exact', 'Exact'],
])

/** Whether pages show a field. */
export const customFieldUiVisible = choices([
  ['always', 'Always', 'green'],
  ['if-set', 'If set', 'yellow'],
  ['hidden', 'Hidden', 'gray'],
])

/** Whether forms show a field. */
export const customFieldUiEditable = choices([
  ['yes', 'Yes', 'green'],
  ['no', 'No', 'red'],
  ['hidden', 'Hidden', 'gray'],
])

/** Types by the validation options that their fields can have. */
export const NUMBER_TYPES = words('integer decimal')
export const TEXT_TYPES = words('text longtext url')
export const SELECTION_TYPES = words('select multiselect')
export const RELATION_TYPES = words('object multiobject')

/** The field's name as words: `asset_owner` becomes `Asset owner`. */
const spokenName = (name: Sql): Sql =>
  sql`upper(left(replace(${name}, '_', ' '), 1)) || lower(substr(replace(${name}, '_', ' '), 2))`

/** JSON type of the values of a field of the type. */
const dataTypeOf = (type: Sql): Sql => sql`case
  when ${type} in ('integer', 'decimal', 'boolean') then ${type}
  when ${type} in ('json', 'object') then 'object'
  when ${type} in ('multiselect', 'multiobject') then 'array'
  else 'string'
end`

/** A field that users add to object types. */
export const customField = model({
  name: 'extras.customfield',
  path: 'extras/custom-fields',
  labels: ['custom field', 'custom fields'],
  about: 'A field that you add to objects, such as an order number.',
  earlier: {
    without: ['nulls_first', 'status'],
    fields: {
      type: choice(
        choices([
          ...CUSTOM_FIELD_TYPES.slice(0, 4),
          ['boolean', 'Boolean (true/false)'],
          ...CUSTOM_FIELD_TYPES.slice(5),
        ]),
        {
          default: 'text',
          required: true,
        },
      ),
    },
  },

  fields: {
    object_types: objectTypes({ filter: false, feature: 'customFields' }),
    type: choice(customFieldType, { default: 'text', required: true }),
    related_object_type: objectType({ nullable: true, example: null }),
    data_type: derived('text', (column) => dataTypeOf(column('type')), { isTyped: false }),
    name: text({
      example: (n) => `field_${n}`,
      max: 50,
      unique: true,
      pattern: [/^(?!.*__)[A-Za-z0-9_]+$/, 'Only letters, digits and single underscores are allowed.'],
    }),
    label: text({ max: 50, default: '' }),
    group_name: text({ max: 50, default: '' }),
    description,
    required: boolean({ default: false }),
    unique: boolean({ default: false, label: 'Must be unique' }),
    search_weight: integer({ size: 'small', range: [0, 32767], default: 1000 }),
    filter_logic: choice(customFieldFilterLogic, { default: 'loose', filter: 'single' }),
    ui_visible: choice(customFieldUiVisible, { default: 'always', filter: 'single' }),
    ui_editable: choice(customFieldUiEditable, { default: 'yes', filter: 'single' }),
    is_cloneable: boolean({ default: false }),
    nulls_first: boolean({ default: true }),
    default: json({ nullable: true, example: null }),
    related_object_filter: json({ nullable: true, example: null }),
    weight: integer({ size: 'small', range: [0, 32767], default: 100, label: 'Display weight' }),
    validation_minimum: decimal({
      example: null,
      digits: 16,
      places: 4,
      nullable: true,
      label: 'Minimum value',
    }),
    validation_maximum: decimal({
      example: null,
      digits: 16,
      places: 4,
      nullable: true,
      label: 'Maximum value',
    }),
    validation_regex: text({ max: 500, default: '' }),
    validation_schema: json({ nullable: true, example: null }),
    choice_set: foreignKey('extras.customfieldchoiceset', {
      related: 'choices_for',
      nullable: true,
    }),
    status: choice(customFieldStatus, { default: 'active', readOnly: true, filter: 'single' }),
    owner,
    comments,
    ...timestamps,
  },

  display: (column) => sql`coalesce(nullif(${column('label')}, ''), ${spokenName(column('name'))})`,
  graphql: {
    enums: {
      filter_logic: ['CustomFieldFilterLogicEnum', 'FILTER'],
      status: ['CustomFieldStatusEnum', 'STATUS'],
      ui_editable: ['CustomFieldUIEditableEnum', ''],
      ui_visible: ['CustomFieldUIVisibleEnum', ''],
    },
  },
  brief: ['id', 'url', 'display', 'name', 'description'],
  order: ['group_name', 'weight', 'name'],
  search: ['comments', 'description', 'group_name', 'name', 'label'],

  filters: {
    object_type_id: objectTypeFilter('object_types', { byId: true }),
    object_type: objectTypeFilter('object_types', { textLookups: true }),
    related_object_type_id: objectTypeFilter('related_object_type', { byId: true }),
    choice_set: related('choice_set', 'extras.customfieldchoiceset', 'name'),
  },
  features: [...LOGGED, 'cloning', 'exportTemplates'],
})
