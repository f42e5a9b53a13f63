import { registered, titled, words } from '../../schema/view.ts'
import { customFieldBehaviour } from './custom-field.rules.ts'
import {
  customField,
  customFieldType,
  NUMBER_TYPES,
  RELATION_TYPES,
  SELECTION_TYPES,
  TEXT_TYPES,
} from './custom-field.ts'

/** Help for the properties that fields of custom models have too. */
export const FIELD_HELP = {
  search_weight: 'Matches with a lower weight are listed first; 0 leaves the field out of the search',
  filter_logic: 'Loose matches parts of texts, exact matches only whole values, and disabled offers no filter',
  ui_visible: 'Whether the page of an object shows the value: always, only if there is one, or never',
  ui_editable: 'Whether forms show the field, and let users change it',
  weight: 'Fields with a lower weight are shown first on a page',
  is_cloneable: 'Clones of an object get the same value',
  validation_regex: 'A regular expression that values must match from their beginning, such as ^[A-Z]{3}$',
} as const

export const customFieldModel = registered(customField, {
  behaviour: customFieldBehaviour,
  columns: words('name object_types label group_name type required unique description'),
  moreColumns: { without: words('nulls_first owner.group'), plus: words('default validation_schema') },
  labels: {
    ...titled(`
      object_types related_object_type default is_cloneable choice_set validation_regex
      validation_schema
    `),
    unique: 'Validate Uniqueness',
    ui_visible: 'Visible',
    ui_editable: 'Editable',
    validation_minimum: 'Minimum Value',
    validation_maximum: 'Maximum Value',
  },
  fieldLabels: { default: 'Default value' },
  formHelp: {
    ...FIELD_HELP,
    related_object_filter: 'Offers only the objects that these filters find, such as {"status": "active"}',
  },
  shownWith: {
    unique: {
      field: 'type',
      values: customFieldType.list.map(({ value }) => String(value)).filter((type) => type !== 'boolean'),
    },
    choice_set: { field: 'type', values: SELECTION_TYPES },
    related_object_type: { field: 'type', values: RELATION_TYPES },
    related_object_filter: { field: 'type', values: RELATION_TYPES },
    validation_minimum: { field: 'type', values: NUMBER_TYPES },
    validation_maximum: { field: 'type', values: NUMBER_TYPES },
    validation_regex: { field: 'type', values: TEXT_TYPES },
    validation_schema: { field: 'type', values: ['json'] },
  },
  panels: [
    {
      'Custom Field': words(`
        name type label group_name description required unique is_cloneable choice_set default
        related_object_filter
      `),
      Behavior: words('search_weight filter_logic weight nulls_first ui_visible ui_editable'),
    },
    { 'Validation Rules': words('validation_minimum validation_maximum validation_regex') },
  ],
  cloned: words(`
    object_types type related_object_type group_name description required unique search_weight
    filter_logic default weight validation_minimum validation_maximum validation_regex
    validation_schema choice_set ui_visible ui_editable is_cloneable
  `),
  form: {
    'Custom Field': words(`
      object_types name label group_name description type choice_set related_object_type
      related_object_filter default validation_minimum validation_maximum validation_regex
      validation_schema required unique
    `),
    Behavior: words('search_weight filter_logic ui_visible ui_editable weight nulls_first is_cloneable'),
  },
  filters: {
    Attributes: words('object_type_id type group_name weight required unique'),
    'Type Options': words('choice_set_id related_object_type_id'),
    Behavior: words('ui_visible ui_editable is_cloneable'),
    Validation: words('validation_minimum validation_maximum validation_regex'),
  },
  bulkEdit: {
    Attributes: words('group_name description weight required unique choice_set'),
    Behavior: words('ui_visible ui_editable is_cloneable'),
    Validation: words('validation_minimum validation_maximum validation_regex validation_schema'),
  },
  importRequires: words('search_weight filter_logic weight'),
  imports: { without: ['related_object_filter'] },
  search: { weights: { label: 100 }, shown: ['description'] },
})
