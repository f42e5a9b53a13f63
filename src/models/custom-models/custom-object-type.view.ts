import { registered, words } from '../../schema/view.ts'
import { customObjectField } from './custom-object-field.ts'
import { customObjectTypeBehaviour } from './custom-object-type.rules.ts'
import { customObjectType } from './custom-object-type.ts'

export const customObjectTypeModel = registered(customObjectType, {
  behaviour: customObjectTypeBehaviour,
  columns: words('name slug verbose_name group_name object_type_name description'),
  panels: {
    'Custom Object Type': words(`
      name slug verbose_name verbose_name_plural object_type_name version description menu_section
      group_name icon display_expression
      unique_together ordering extends applies_to
    `),
  },
  tables: [{ model: customObjectField.name, by: { custom_object_type_id: 'id' }, isShownEmpty: true }],
  form: {
    'Custom Object Type': words(
      'name slug verbose_name verbose_name_plural description version display_expression tags',
    ),
    Menu: words('menu_section group_name icon'),
    Lists: words('ordering unique_together'),
    Extension: words('extends applies_to'),
  },
  fieldLabels: {
    verbose_name: 'Singular',
    verbose_name_plural: 'Plural',
    group_name: 'Group',
    menu_section: 'Section',
    object_type_name: 'Name in the API',
  },
  formHelp: { name: 'Name in the API: lower-case letters, digits and underscores, such as power_contract' },
  filters: { Attributes: words('group_name') },
  bulkEdit: words('description menu_section group_name icon version comments'),
})
