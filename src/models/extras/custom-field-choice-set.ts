import { choices } from '../../schema/choices.ts'
import { description, LOGGED, owner, timestamps } from '../../schema/common.ts'
import { boolean, choice, derived, json, list, text } from '../../schema/field.ts'
import { custom } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import type { ColumnOf } from '../../schema/path.ts'
import { modelView, words } from '../../schema/view.ts'
import { type Sql, sql } from '../../sql/fragment.ts'

export const customFieldChoiceSetBase = choices([
  ['IATA', 'IATA (Airport codes)'],
  ['ISO_3166', 'ISO 3166 (Country codes)'],
  ['UN_LOCODE', 'UN/LOCODE (Location codes)'],
])

export const customFieldChoiceColor = choices([
  ['blue', 'Blue', 'blue'],
  ['indigo', 'Indigo', 'indigo'],
  ['purple', 'Purple', 'purple'],
  ['pink', 'Pink', 'pink'],
  ['red', 'Red', 'red'],
  ['orange', 'Orange', 'orange'],
  ['yellow', 'Yellow', 'yellow'],
  ['green', 'Green', 'green'],
  ['teal', 'Teal', 'teal'],
  ['cyan', 'Cyan', 'cyan'],
  ['gray', 'Gray', 'gray'],
  ['black', 'Black', 'black'],
  ['white', 'White', 'white'],
])

/** Number of choices: those of the base list and the additional ones. */
const choicesCount = (column: ColumnOf): Sql => sql`(
  case ${column('base_choices')} when 'IATA' then 9765 when 'ISO_3166' then 249 else 0 end
  + coalesce(array_length(${column('extra_choices')}, 1), 0)
)`

/** The values of selection fields. */
export const customFieldChoiceSet = model({
  name: 'extras.customfieldchoiceset',
  path: 'extras/custom-field-choice-sets',
  page: 'extras/custom-field-choices',
  labels: ['custom field choice set', 'custom field choice sets'],

  fields: {
    name: text({ max: 100, unique: true }),
    description,
    base_choices: choice(customFieldChoiceSetBase, { nullable: true, filter: 'single' }),
    extra_choices: list('textPair', { nullable: true, required: true, blank: true }),
    choice_colors: json({ default: {} }),
    order_alphabetically: boolean({ default: false }),
    choices_count: derived('integer', choicesCount),
    owner,
    ...timestamps,
  },

  graphql: {
    enums: {
      base_choices: ['CustomFieldChoiceSetBaseEnum', ''],
      choice_colors: ['CustomFieldChoiceColorEnum', ''],
    },
  },
  brief: ['id', 'url', 'display', 'name', 'description', 'choices_count'],
  order: ['name'],
  search: ['name', 'description'],

  filters: {
    choice: custom({
      value: 'text',
      multiple: true,
      where: ({ column }, values) => sql`${column('extra_choices')} && ${values}::text[]`,
    }),
    choice_colors: custom({
      value: 'choice',
      choices: customFieldChoiceColor,
      multiple: true,
      where: ({ column }, values) => sql`exists (
        select 1 from jsonb_each_text(${column('choice_colors')}) c where c.value = any(${values}::text[])
      )`,
    }),
  },
  features: [...LOGGED, 'cloning', 'exportTemplates'],
})

export const customFieldChoiceSetView = modelView(customFieldChoiceSet, {
  columns: words('name base_choices description'),
  moreColumns: words('id extra_choices order_alphabetically created last_updated owner'),
  labels: {
    order_alphabetically: 'Order Alphabetically',
    extra_choices: 'Count',
  },
  panels: {
    'Custom Field Choice Set': words('name description base_choices order_alphabetically'),
  },
  cloned: words('extra_choices choice_colors order_alphabetically'),
  form: {
    'Custom Field Choice Set': words(`
      name description base_choices extra_choices choice_colors order_alphabetically
    `),
  },
  filters: {
    Choices: words('base_choices choice choice_colors'),
  },
  bulkEdit: words('owner base_choices description order_alphabetically'),
  imports: words(`
    name description base_choices extra_choices choice_colors order_alphabetically owner.name
  `),
})
