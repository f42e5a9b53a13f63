import { behaviour, type Normalizer, type Rule } from '../../schema/rule.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { customField } from './custom-field.ts'
import { customFieldChoiceColor, customFieldChoiceSet } from './custom-field-choice-set.ts'

type SetRule = Rule<typeof customFieldChoiceSet.fields>
type SetPreparation = Normalizer<typeof customFieldChoiceSet.fields>

const valuesOf = (choices: readonly (readonly [string, string])[] | null): string[] =>
  (choices ?? []).map(([value]) => value)

const orderValues: SetPreparation = ({ next }) =>
  next.order_alphabetically && next.extra_choices
    ? {
        extra_choices: next.extra_choices.toSorted(([one], [other]) => (one < other ? -1 : 1)),
      }
    : undefined

const hasChoices: SetRule = ({ next }) =>
  next.base_choices === null && valuesOf(next.extra_choices).length === 0
    ? { extra_choices: 'A set needs base choices or choices of its own.' }
    : undefined

const valuesDiffer: SetRule = ({ next }) => {
  const values = valuesOf(next.extra_choices)
  const duplicate = values.find((value, index) => values.indexOf(value) !== index)
  return duplicate === undefined
    ? undefined
    : { extra_choices: `The value ${duplicate} stands twice.` }
}

const coloursFit: SetRule = ({ next }) => {
  const colours = next.choice_colors
  if (typeof colours !== 'object' || colours === null || Array.isArray(colours)) {
    return { choice_colors: 'Colours are an object of values and names of colours.' }
  }
  const values = new Set(valuesOf(next.extra_choices))
  for (const [value, colour] of Object.entries(colours)) {
    if (next.base_choices === null && !values.has(value)) {
      return { choice_colors: `There is no choice ${value} to be coloured.` }
    }
    if (typeof colour !== 'string' || !customFieldChoiceColor.labels.has(colour)) {
      return { choice_colors: `${JSON.stringify(colour)} is no colour to choose.` }
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
      if (!read.isModel(type)) continue
      const [used] = await read.database.query(sql`
        select 1 from ${table(type)} t
        where jsonb_exists_any(
          case jsonb_typeof(t.custom_field_data -> ${field.name}::text)
            when 'array' then t.custom_field_data -> ${field.name}::text
            else jsonb_build_array(t.custom_field_data -> ${field.name}::text)
          end, ${gone}::text[])
        limit 1`)
      if (used) {
        return { extra_choices: `Values of ${field.name} still use a choice that would go.` }
      }
    }
  }
  return undefined
}

export const customFieldChoiceSetBehaviour = behaviour(customFieldChoiceSet, {
  normalize: [orderValues],
  modelRules: [hasChoices, valuesDiffer, coloursFit, usedValuesStay],
})
