import { choices } from '../../schema/choices.ts'
import { comments, description, LOGGED } from '../../schema/common.ts'
import { boolean, choice, dateTime, decimal, foreignKey, instruction, integer, json, text } from '../../schema/field.ts'
import { related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import {
  CUSTOM_FIELD_TYPES,
  customFieldFilterLogic,
  customFieldUiEditable,
  customFieldUiVisible,
} from '../extras/custom-field.ts'
import { CUSTOM_MODELS_PATH, NAME_PATTERN } from './custom-object-type.ts'

/** Types of fields, in the order of the form. */
export const fieldType = choices([
  ...CUSTOM_FIELD_TYPES,
  ['coordinates', 'Coordinates'],
  ['address', 'IP address'],
  ['prefix', 'IP prefix'],
  ['mac_address', 'MAC address'],
])

const onDelete = choices([
  ['set_null', 'Clear the field'],
  ['cascade', 'Delete the object'],
  ['protect', 'Refuse the deletion'],
])

/** A target as responses show it: with the id of its object type. */
const withId = (target: Sql): Sql => sql`case when ${target} is not null then (
  select jsonb_build_object('id', o.id) || jsonb_build_object('app_label', o.app_label, 'model', o.model)
  from ${table('core.objecttype')} o
  where o.app_label = ${target} ->> 'app_label' and o.model = ${target} ->> 'model') end`

const withIds = (targets: Sql): Sql => sql`(
  select coalesce(jsonb_agg(${withId(sql`x.target`)} order by x.position), '[]')
  from jsonb_array_elements(${targets}) with ordinality x(target, position))`

const asValue = (value: unknown) => ({ value })

/** Names the target in a body, as an alternative to `related_object_type`. */
const targetPart = instruction({ type: 'string' }, asValue)

/** A field of a custom model. */
export const customObjectField = model({
  name: 'custom_objects.customobjecttypefield',
  path: `${CUSTOM_MODELS_PATH}/custom-object-type-fields`,
  labels: ['custom object type field', 'custom object type fields'],
  about: 'A field of a custom object type.',

  fields: {
    custom_object_type: foreignKey('custom_objects.customobjecttype', { onDelete: 'cascade', related: 'fields' }),
    name: text({ max: 50, pattern: NAME_PATTERN, example: (n) => `field_${n}` }),
    label: text({ max: 50, default: '' }),
    type: choice(fieldType, { default: 'text', required: true }),
    description,
    group_name: text({ max: 50, default: '', help: 'Heading in forms and on pages' }),
    required: boolean({ default: false }),
    unique: boolean({ default: false, label: 'Must be unique' }),
    primary: boolean({ default: false, help: 'Its value is the name of the object' }),
    context: boolean({ default: false, help: 'Its value is shown beside the name of the object' }),
    default: json({ nullable: true, example: null }),
    weight: integer({ size: 'small', range: [0, 32767], default: 100, label: 'Display weight' }),
    search_weight: integer({ size: 'small', range: [0, 32767], default: 500, help: '0 leaves the field out' }),
    filter_logic: choice(customFieldFilterLogic, { default: 'loose', filter: 'single' }),
    ui_visible: choice(customFieldUiVisible, { default: 'always', filter: 'single' }),
    ui_editable: choice(customFieldUiEditable, { default: 'yes', filter: 'single' }),
    is_cloneable: boolean({ default: false }),
    deprecated: boolean({ default: false }),
    deprecated_since: text({ max: 50, default: '' }),
    scheduled_removal: text({ max: 50, default: '' }),
    schema_id: integer({
      ...{ default: 0, range: [0, 32_767], example: null },
      help: 'Number of the field within its type, by default the next one; it never changes',
    }),
    validation_regex: text({ max: 500, default: '', example: null }),
    validation_minimum: decimal({
      ...{ digits: 19, places: 4, nullable: true, label: 'Minimum value', example: null },
    }),
    validation_maximum: decimal({
      ...{ digits: 19, places: 4, nullable: true, label: 'Maximum value', example: null },
    }),
    choice_set: foreignKey('extras.customfieldchoiceset', {
      ...{ related: 'custom_object_fields', nullable: true, example: null },
    }),
    related_object_type: json({
      nullable: true,
      objectTypes: 'one',
      shownAs: (column) => withId(column('related_object_type')),
      example: null,
    }),
    app_label: targetPart,
    model: targetPart,
    is_polymorphic: boolean({ default: false, example: null }),
    related_object_types: json({
      default: [],
      objectTypes: 'several',
      shownAs: (column) => withIds(column('related_object_types')),
      example: null,
    }),
    related_object_types_input: instruction({ type: 'array', items: { type: 'object' } }, asValue),
    related_object_filter: json({ nullable: true, example: null }),
    related_name: text({ max: 100, default: '', pattern: NAME_PATTERN, example: null }),
    on_delete_behavior: choice(onDelete, { default: 'set_null', filter: 'single' }),
    comments,
    created: dateTime({ nullable: true, readOnly: true, auto: 'insert' }),
    last_updated: dateTime({ nullable: true, readOnly: true, auto: 'save', unlogged: true }),
  },

  graphql: false,
  display: (column) =>
    sql`coalesce(nullif(${column('label')}, ''),
      upper(left(replace(${column('name')}, '_', ' '), 1)) || substr(replace(${column('name')}, '_', ' '), 2))`,
  brief: ['id', 'url', 'display', 'name', 'type', 'description'],
  order: ['custom_object_type', 'weight', 'id'],
  search: ['name', 'label', 'description', 'comments'],
  unique: [{ fields: ['custom_object_type', 'name'] }, { fields: ['custom_object_type', 'schema_id'] }],
  filters: {
    custom_object_type: related('custom_object_type', 'custom_objects.customobjecttype', 'slug'),
  },
  features: LOGGED,
  isShared: true,
})
