import { fieldGroup, modelView, words } from '../../schema/view.ts'

export const customFieldView = modelView('extras.customfield', {
  columns: words('name object_types label group_name type required unique description'),
  moreColumns: words(`
    id related_object_type default search_weight filter_logic ui_visible ui_editable is_cloneable
    weight choice_set validation_minimum validation_maximum validation_regex validation_schema
    comments created last_updated owner
  `),
  labels: {
    object_types: 'Object Types',
    related_object_type: 'Related Object Type',
    default: 'Default',
    unique: 'Validate Uniqueness',
    ui_visible: 'Visible',
    ui_editable: 'Editable',
    is_cloneable: 'Is Cloneable',
    choice_set: 'Choice Set',
    validation_minimum: 'Minimum Value',
    validation_maximum: 'Maximum Value',
    validation_regex: 'Validation Regex',
    validation_schema: 'Validation Schema',
  },
  fieldLabels: { default: 'Default value' },
  panels: [
    [
      fieldGroup(
        'Custom Field',
        `
          name type label group_name description required unique is_cloneable choice_set default
          related_object_filter
        `,
      ),
      fieldGroup('Behavior', 'search_weight filter_logic weight ui_visible ui_editable'),
    ],
    [fieldGroup('Validation Rules', 'validation_minimum validation_maximum validation_regex')],
  ],
  cloned: words(`
    object_types type related_object_type group_name description required unique search_weight
    filter_logic default weight validation_minimum validation_maximum validation_regex
    validation_schema choice_set ui_visible ui_editable is_cloneable
  `),
  form: [
    fieldGroup(
      'Custom Field',
      'object_types name label group_name description type required unique default',
    ),
    fieldGroup('Behavior', 'search_weight filter_logic ui_visible ui_editable weight is_cloneable'),
    fieldGroup(
      'More',
      `
        related_object_type related_object_filter validation_minimum validation_maximum
        validation_regex validation_schema choice_set
      `,
    ),
  ],
  filters: [
    fieldGroup('Attributes', 'object_type_id type group_name weight required unique'),
    fieldGroup('Type Options', ['choice_set_id', 'related_object_type_id']),
    fieldGroup('Behavior', ['ui_visible', 'ui_editable', 'is_cloneable']),
    fieldGroup('Validation', ['validation_minimum', 'validation_maximum', 'validation_regex']),
  ],
  bulkEdit: [
    fieldGroup('Attributes', 'group_name description weight required unique choice_set'),
    fieldGroup('Behavior', ['ui_visible', 'ui_editable', 'is_cloneable']),
    fieldGroup(
      'Validation',
      'validation_minimum validation_maximum validation_regex validation_schema',
    ),
  ],
  importRequires: ['search_weight', 'filter_logic', 'weight'],
  imports: words(`
    name label group_name type object_types related_object_type required unique description
    search_weight filter_logic default choice_set.name weight validation_minimum validation_maximum
    validation_regex validation_schema ui_visible ui_editable is_cloneable owner.name comments
  `),
  search: {
    weights: { name: 100, label: 100, description: 500, comments: 5000 },
    shown: ['description'],
  },
})
