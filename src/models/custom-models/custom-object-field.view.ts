import { registered, words } from '../../schema/view.ts'
import { FIELD_HELP } from '../extras/custom-field.view.ts'
import { customObjectFieldBehaviour } from './custom-object-field.rules.ts'
import { customObjectField } from './custom-object-field.ts'

export const customObjectFieldModel = registered(customObjectField, {
  behaviour: customObjectFieldBehaviour,
  columns: words('name custom_object_type label type required unique primary weight description'),
  panels: {
    Field: words('custom_object_type name label type description group_name required unique primary context default'),
    Values: words(`
      choice_set related_object_type related_object_types is_polymorphic related_object_filter on_delete_behavior
      related_name validation_regex validation_minimum validation_maximum
    `),
    Pages: words(`
      weight search_weight filter_logic ui_visible ui_editable is_cloneable deprecated deprecated_since
      scheduled_removal schema_id
    `),
  },
  form: {
    Field: words(`
      custom_object_type name label type choice_set related_object_type is_polymorphic related_object_types
      on_delete_behavior description group_name
    `),
    Values: words(`
      required unique primary context default validation_minimum validation_maximum validation_regex
      related_object_filter related_name
    `),
    Pages: words('weight search_weight filter_logic ui_visible ui_editable is_cloneable'),
    Deprecation: words('deprecated deprecated_since scheduled_removal'),
  },
  folded: words('deprecated deprecated_since scheduled_removal related_object_filter'),
  fieldLabels: {
    is_polymorphic: 'Objects of several types',
    on_delete_behavior: 'When that object is deleted',
    related_name: 'Name of the way back',
    schema_id: 'Number in the type',
    ui_visible: 'Visible',
    ui_editable: 'Editable',
  },
  formHelp: {
    ...FIELD_HELP,
    name: 'Name in the API: lower-case letters, digits and underscores, such as notice_days',
    default: 'Value of new objects, as JSON: "gold", 30 or true',
    related_object_type: 'Type of the objects that the field refers to',
    related_name:
      'Name under which expressions and templates find these objects from the related one, such as contracts',
    related_object_filter: 'Offers only the objects that these filters find, such as {"status": "active"}',
  },
  setElsewhere: {
    app_label: 'related_object_type',
    model: 'related_object_type',
    related_object_types_input: 'related_object_types',
    schema_id: 'the service',
  },
  shownWith: {
    choice_set: { field: 'type', values: words('select multiselect') },
    related_object_type: { field: 'type', values: words('object multiobject') },
    related_object_types: { field: 'type', values: words('object multiobject') },
    is_polymorphic: { field: 'type', values: words('object multiobject') },
    related_object_filter: { field: 'type', values: words('object multiobject') },
    on_delete_behavior: { field: 'type', values: ['object'] },
    related_name: { field: 'type', values: words('object multiobject') },
    validation_regex: { field: 'type', values: words('text longtext url') },
    validation_minimum: { field: 'type', values: words('integer decimal') },
    validation_maximum: { field: 'type', values: words('integer decimal') },
  },
  filters: { Attributes: words('custom_object_type_id type required unique') },
  bulkEdit: words('description group_name required weight search_weight filter_logic ui_visible ui_editable'),
})
