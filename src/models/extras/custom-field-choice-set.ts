import { choices } from '../../schema/choices.ts'
import { description, LOGGED, owner, timestamps } from '../../schema/common.ts'
import { boolean, choice, derived, json, list, text } from '../../schema/field.ts'
import { custom } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import type { ColumnOf } from '../../schema/path.ts'
import { behaviour, type Normalizer, type Rule } from '../../schema/rule.ts'
import { registered, words } from '../../schema/view.ts'
import { type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { customField } from './custom-field.ts'

const customFieldChoiceSetBase = choices([
  ['IATA', 'IATA (Airport codes)'],
  ['ISO_3166', 'ISO 3166 (Country codes)'],
  ['UN_LOCODE', 'UN/LOCODE (Location codes)'],
])

const customFieldChoiceColor = choices([
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
    choice_colors: json({ default: {}, entries: true }),
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

type SetRule = Rule<typeof customFieldChoiceSet.fields>
type SetPreparation = Normalizer<typeof customFieldChoiceSet.fields>

const valuesOf = (choices: readonly (readonly [string, string])[] | null): string[] =>
  (choices ?? []).map(([value]) => value)

const orderValues: SetPreparation = ({ next }) =>
  next.order_alphabetically && next.extra_choices
    ? {
        extra_choices: next.extra_choices.toSorted(([left], [right]) => (left < right ? -1 : 1)),
      }
    : undefined

const hasChoices: SetRule = ({ next }) =>
  next.base_choices === null && valuesOf(next.extra_choices).length === 0
    ? { extra_choices: 'A choice set needs base choices or choices of its own.' }
    : undefined

const valuesDiffer: SetRule = ({ next }) => {
  const values = valuesOf(next.extra_choices)
  const duplicate = values.find((value, index) => values.indexOf(value) !== index)
  return duplicate === undefined ? undefined : { extra_choices: `The value ${duplicate} is listed twice.` }
}

const coloursFit: SetRule = ({ next }) => {
  const colours = next.choice_colors
  if (typeof colours !== 'object' || colours === null || Array.isArray(colours)) {
    return { choice_colors: 'Colours must be an object of values and colour names.' }
  }
  const values = new Set(valuesOf(next.extra_choices))
  for (const [value, colour] of Object.entries(colours)) {
    if (next.base_choices === null && !values.has(value)) {
      return { choice_colors: `A colour is set for ${value}, which is not one of the choices.` }
    }
    if (typeof colour !== 'string' || !customFieldChoiceColor.labels.has(colour)) {
      return { choice_colors: `${JSON.stringify(colour)} is not one of the available colours.` }
    }
  }
  return undefined
}

/** Refuses to remove a value that objects use. */
const usedValuesStay: SetRule = async ({ next, previous, read }) => {
  const kept = new Set(valuesOf(next.extra_choices))
  const gone = valuesOf(previous?.extra_choices ?? null).filter((value) => !kept.has(value))
  if (gone.length === 0) return undefined
  for (const field of await read.all(customField, { choice_set: next.id })) {
    for (const type of field.object_types) {
      if (!read.isModel(type, 'customFields')) continue
      const [used] = await read.database.query(sql`
        select 1 from ${table(type)} t
        where jsonb_exists_any(
          case jsonb_typeof(t.custom_field_data -> ${field.name}::text)
            when 'array' then t.custom_field_data -> ${field.name}::text
            else jsonb_build_array(t.custom_field_data -> ${field.name}::text)
          end, ${gone}::text[])
        limit 1`)
      if (used) {
        return { extra_choices: `Values of ${field.name} still use a choice that would be removed.` }
      }
    }
  }
  return undefined
}

export const customFieldChoiceSetModel = registered(customFieldChoiceSet, {
  behaviour: behaviour(customFieldChoiceSet, {
    normalize: [orderValues],
    modelRules: [hasChoices, valuesDiffer, coloursFit, usedValuesStay],
  }),
  columns: words('name base_choices description'),
  moreColumns: { without: ['owner.group'] },
  labels: { order_alphabetically: 'Order Alphabetically', extra_choices: 'Count' },
  panels: {
    'Custom Field Choice Set': words('name description base_choices order_alphabetically'),
  },
  formHelp: {
    choice_colors: 'One per line: a value, a colon and a color such as blue, red or gray',
  },
  cloned: words('extra_choices choice_colors order_alphabetically'),
  form: {
    'Custom Field Choice Set': words(`
      name description base_choices extra_choices choice_colors order_alphabetically
    `),
  },
  filters: { Choices: words('base_choices choice choice_colors') },
  bulkEdit: words('owner base_choices description order_alphabetically'),
})
