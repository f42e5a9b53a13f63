import { type CustomFieldDefinition, complainOf, isEmpty, matchesFromStart } from '../../schema/custom-value.ts'
import { complainOfSchema } from '../../schema/json-schema.ts'
import { behaviour, type EffectFunction, type Read, type RowOf, type Rule } from '../../schema/rule.ts'
import { sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { updateTable } from '../../sql/table.ts'
import { customField, NUMBER_TYPES, RELATION_TYPES, SELECTION_TYPES, TEXT_TYPES } from './custom-field.ts'
import { customFieldChoiceSet } from './custom-field-choice-set.ts'

type CustomFieldRow = RowOf<typeof customField.fields>

/**
 * Updates the values in objects, which are stored under the field's name: types that gain the field get its default,
 * types that lose it (all of them when it is deleted) lose the values, a rename moves the values. Values of a restored
 * field are restored by its undo.
 */
const carryValues: EffectFunction<typeof customField.fields> = async ({ action, rows, database, isModel }) => {
  if (action === 'restore') return
  for (const { next, previous } of rows) {
    const before = previous?.object_types ?? []
    const after = next?.object_types ?? []
    for (const type of new Set([...before, ...after])) {
      if (!isModel(type, 'customFields')) continue
      const isKept = before.includes(type) && after.includes(type)
      if (isKept) await rename(database, type, previous?.name ?? '', next?.name ?? '')
      else if (after.includes(type)) await fill(database, type, next)
      else await strip(database, type, previous?.name ?? '')
    }
  }
}

/** What names the field follows a new name. */
const followName: EffectFunction<typeof customField.fields> = async ({ action, rows, write }) => {
  if (action !== 'update') return
  await write.renameFields(
    rows.flatMap(({ next, previous }) =>
      next && previous && next.name !== previous.name
        ? next.object_types.map((type) => ({ type, from: previous.name, to: next.name, isCustom: true }))
        : [],
    ),
  )
}

const rename = async (database: Queryable, model: string, from: string, to: string) =>
  from === to
    ? 0
    : await database.execute(sql`
        ${updateTable(model)} set custom_field_data = (custom_field_data - ${from}::text)
          || jsonb_build_object(${to}::text, custom_field_data -> ${from}::text)
        where custom_field_data ? ${from}::text`)

const fill = async (database: Queryable, model: string, field: CustomFieldRow | undefined) =>
  field === undefined || field.default === null
    ? 0
    : await database.execute(sql`
        ${updateTable(model)} set custom_field_data = custom_field_data
          || jsonb_build_object(${field.name}::text, ${JSON.stringify(field.default)}::jsonb)`)

const strip = (database: Queryable, model: string, name: string) =>
  database.execute(sql`
    ${updateTable(model)} set custom_field_data = custom_field_data - ${name}::text
    where custom_field_data ? ${name}::text`)

type FieldRow = RowOf<typeof customField.fields>
type FieldRule = Rule<typeof customField.fields>

const NUMBERS: ReadonlySet<unknown> = new Set(NUMBER_TYPES)
const TEXTS: ReadonlySet<unknown> = new Set(TEXT_TYPES)
const SELECTIONS: ReadonlySet<unknown> = new Set(SELECTION_TYPES)
const RELATIONS: ReadonlySet<unknown> = new Set(RELATION_TYPES)

/** Values are stored in the form of their type, so the type cannot change. */
const typeStays: FieldRule = ({ next, previous }) =>
  previous && previous.type !== next.type ? { type: 'The type of a custom field cannot be changed.' } : undefined

/** Clients send 0 for numbers that are not set; in a field that is not a number, 0 does not limit anything. */
const boundsNeedNumbers: FieldRule = ({ next }) => {
  if (NUMBERS.has(next.type)) return undefined
  if (Number(next.validation_minimum) !== 0) {
    return { validation_minimum: 'A minimum may be set for numeric fields only.' }
  }
  return Number(next.validation_maximum) === 0
    ? undefined
    : { validation_maximum: 'A maximum may be set for numeric fields only.' }
}

const expressionNeedsText: FieldRule = ({ next }) => {
  if (next.validation_regex === '') return undefined
  if (!TEXTS.has(next.type)) {
    return { validation_regex: 'A regular expression may be set for texts and URLs only.' }
  }
  return matchesFromStart(next.validation_regex, '') === undefined
    ? {
        validation_regex:
          'The regular expression is not valid, or it uses lookaround or back-references, which are not supported.',
      }
    : undefined
}

const schemaNeedsJson: FieldRule = ({ next }) => {
  if (next.validation_schema === null) return undefined
  if (next.type !== 'json') return { validation_schema: 'A schema may be set for JSON fields only.' }
  const complaint = complainOfSchema(next.validation_schema)
  return complaint === undefined ? undefined : { validation_schema: complaint }
}

/** A unique boolean would allow only two objects. */
const uniquenessNeedsValues: FieldRule = ({ next }) =>
  next.unique && next.type === 'boolean' ? { unique: 'Boolean fields cannot be unique.' } : undefined

const selectionHasChoices: FieldRule = ({ next }) => {
  if (SELECTIONS.has(next.type)) {
    return next.choice_set === null ? { choice_set: 'A selection needs a set of choices.' } : undefined
  }
  return next.choice_set === null ? undefined : { choice_set: 'Choices may be set for selections only.' }
}

const relationHasTarget: FieldRule = ({ next }) => {
  if (RELATIONS.has(next.type)) {
    return next.related_object_type === null
      ? { related_object_type: 'Object fields need the type of object that they refer to.' }
      : undefined
  }
  return next.related_object_type === null ? undefined : { type: 'Only object fields have a related object type.' }
}

const filterNeedsRelation: FieldRule = ({ next }) => {
  if (next.related_object_filter === null) return undefined
  if (!RELATIONS.has(next.type)) {
    return { related_object_filter: 'A filter may be set for object fields only.' }
  }
  const isObject = typeof next.related_object_filter === 'object' && !Array.isArray(next.related_object_filter)
  return isObject ? undefined : { related_object_filter: 'A filter must be an object of parameters and values.' }
}

const defaultFits: FieldRule = async ({ next, read }) => {
  if (isEmpty(next.default)) return undefined
  const complaint = complainOf(await definitionOf(next, read), next.default)
  return complaint ? { default: `Invalid default value: ${complaint}` } : undefined
}

async function definitionOf(row: FieldRow, read: Read): Promise<CustomFieldDefinition> {
  const set = row.choice_set === null ? undefined : await read.get(customFieldChoiceSet, row.choice_set)
  const bound = (text: string | null) => (text === null ? null : Number(text))
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    required: false,
    unique: row.unique,
    default: row.default,
    relatedType: row.related_object_type,
    minimum: bound(row.validation_minimum),
    maximum: bound(row.validation_maximum),
    pattern: row.validation_regex,
    schema: row.validation_schema,
    // Published lists are not stored here, so any value may be valid.
    choices: set?.base_choices ? undefined : (set?.extra_choices ?? []).map(([value]) => value),
  }
}

export const customFieldBehaviour = behaviour(customField, {
  modelRules: [
    typeStays,
    defaultFits,
    boundsNeedNumbers,
    expressionNeedsText,
    schemaNeedsJson,
    uniquenessNeedsValues,
    selectionHasChoices,
    relationHasTarget,
    filterNeedsRelation,
  ],
  afterWrite: [carryValues, followName],
})
