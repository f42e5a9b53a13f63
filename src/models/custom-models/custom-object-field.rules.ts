import { CUSTOM_MODELS_APP } from '../../schema/custom-models.ts'
import { matchesFromStart } from '../../schema/custom-value.ts'
import { isScalar, kindOf } from '../../schema/field.ts'
import { isJsonObject, type Json } from '../../schema/json.ts'
import { isRefused } from '../../schema/outcome.ts'
import { type ChoicePair, choicesOf } from '../../schema/published-choices.ts'
import { behaviour, type Normalizer, type Refusal, type Rule } from '../../schema/rule.ts'
import { sql, volatile } from '../../sql/fragment.ts'
import { systemTable, table } from '../../sql/table.ts'
import { customFieldChoiceSet } from '../extras/custom-field-choice-set.ts'
import { conversionOf } from './convert-values.ts'
import { claimedNames, RESERVED_NAMES, tableOfType } from './custom-models.ts'
import { customObjectField } from './custom-object-field.ts'
import { customObjectType } from './custom-object-type.ts'
import { followNames } from './follow-names.ts'
import { targetsOf } from './target-model.ts'
import { columnOf, declaredFields, hasUse } from './value-field.ts'

type Fields = typeof customObjectField.fields
type FieldRule = Rule<Fields>
type Row = Parameters<FieldRule>[0]['next']

const is =
  (...types: readonly string[]) =>
  ({ type }: Pick<Row, 'type'>): boolean =>
    types.includes(type)

const isNumber = is('integer', 'decimal')
const isText = is('text', 'longtext', 'url')
const isSelection = is('select', 'multiselect')
const isRelation = is('object', 'multiobject')

/** The first complaint about options that do not fit together. */
const CHECKS: readonly ((row: Row) => Refusal | undefined | false)[] = [
  (row) =>
    claimedNames(row).some((name) => RESERVED_NAMES.has(name)) && {
      name: `The name ${row.name} is reserved. Choose another.`,
    },
  (row) =>
    !isNumber(row) &&
    (row.validation_minimum ?? row.validation_maximum) !== null && {
      validation_minimum: 'Limits may be set for numbers only.',
    },
  (row) =>
    row.validation_minimum !== null &&
    row.validation_maximum !== null &&
    Number(row.validation_minimum) > Number(row.validation_maximum) && {
      validation_maximum: 'The maximum must not be less than the minimum.',
    },
  (row) =>
    row.validation_regex !== '' &&
    !isText(row) && { validation_regex: 'A regular expression may be set for texts and URLs only.' },
  (row) =>
    row.validation_regex !== '' &&
    matchesFromStart(row.validation_regex, '') === undefined && {
      validation_regex:
        'The regular expression is not valid, or it uses lookaround or back-references, which are not supported.',
    },
  (row) =>
    row.unique &&
    is('boolean', 'multiobject', 'multiselect', 'coordinates', 'json')(row) && {
      unique: 'Fields of this type cannot be unique.',
    },
  (row) => row.primary && row.context && { context: 'A field cannot be primary and context at the same time.' },
  (row) => row.primary && !hasUse(row.type, 'name') && { primary: 'A field of this type cannot name an object.' },
  (row) => isSelection(row) && row.choice_set === null && { choice_set: 'A selection needs a set of choices.' },
  (row) => !isSelection(row) && row.choice_set !== null && { choice_set: 'Choices may be set for selections only.' },
  (row) =>
    isRelation(row) &&
    targetsOf(row).length === 0 && {
      [row.is_polymorphic ? 'related_object_types_input' : 'related_object_type']:
        'Name the type of object that the field refers to.',
    },
  (row) =>
    row.type === 'object' &&
    row.is_polymorphic &&
    row.on_delete_behavior === 'protect' && {
      on_delete_behavior: 'A field that refers to objects of several types cannot protect them.',
    },
  (row) => !isRelation(row) && row.is_polymorphic && { is_polymorphic: 'Only object fields refer to objects.' },
  (row) =>
    row.default !== null &&
    (isRelation(row) || row.type === 'coordinates') && { default: 'Fields of this type have no default.' },
  (row) =>
    row.related_object_filter !== null &&
    !isJsonObject(row.related_object_filter) && {
      related_object_filter: 'A filter must be an object of parameters and values.',
    },
]

const optionsFit: FieldRule = ({ next }) => CHECKS.map((check) => check(next)).find(Boolean) || undefined

const targetsExist: FieldRule = async ({ next, read }) => {
  const unknownNames = isRelation(next) ? targetsOf(next).filter((name) => !read.isModel(name)) : []
  // Types of the same transaction.
  const types = await Promise.all(unknownNames.map((name) => read.find(customObjectType, { object_type_name: name })))
  const unknown = unknownNames.find((_name, index) => !types[index])
  return unknown === undefined
    ? undefined
    : {
        [next.is_polymorphic ? 'related_object_types_input' : 'related_object_type']:
          `There is no object type ${unknown}.`,
      }
}

/** A default that the field accepts as a value. */
const defaultFits: FieldRule = async ({ next, read }) => {
  if (next.default === null) return undefined
  const refused = (message: string): Refusal => ({ default: `Invalid default value: ${message}` })
  if (isSelection(next)) {
    const isList = Array.isArray(next.default)
    if (isList !== (next.type === 'multiselect')) {
      return refused(isList ? 'Name one choice.' : 'A list of choices is expected.')
    }
    if (next.choice_set === null) return undefined
    const { base_choices: base, extra_choices: extra } = await read.get(customFieldChoiceSet, next.choice_set)
    const allowed = new Set(
      [...(await choicesOf(base, null)), ...(extra as readonly ChoicePair[])].map(([value]) => value),
    )
    const unknown = [next.default].flat().find((value) => typeof value !== 'string' || !allowed.has(value))
    return unknown === undefined ? undefined : refused(`${JSON.stringify(unknown)} is not a choice of the set.`)
  }
  const [field] = Object.values(
    declaredFields({ row: { ...next, default: null }, table: '', column: '', choices: undefined }),
  )
  if (!field || !isScalar(field)) return undefined
  const outcome = kindOf(field).parse(field, next.default, () => true)
  if (isRefused(outcome)) return refused([outcome.refused].flat().join(' '))
  const matches = next.validation_regex === '' || next.default === '' || typeof next.default !== 'string'
  return matches || matchesFromStart(next.validation_regex, String(next.default)) === true
    ? undefined
    : refused(`The value must match the regular expression ${next.validation_regex}.`)
}

/** What decides the columns stays; other changes of the type convert the values. */
const identityStays: FieldRule = ({ next, previous }) => {
  if (!previous) return undefined
  if (next.custom_object_type !== previous.custom_object_type) {
    return { custom_object_type: 'A field cannot be moved to another type.' }
  }
  if (next.schema_id !== previous.schema_id) return { schema_id: 'This cannot be changed.' }
  if (next.is_polymorphic !== previous.is_polymorphic) return { is_polymorphic: 'This cannot be changed.' }
  if (next.is_polymorphic && next.name !== previous.name) {
    return { name: 'A field that refers to objects of several types cannot be renamed.' }
  }
  if (isRelation(next) && next.type === previous.type && !isSameTarget(next, previous)) {
    return { related_object_type: 'The type of the related objects cannot be changed. Add another field.' }
  }
  return next.type === previous.type || conversionOf(previous.type, next.type)
    ? undefined
    : { type: `A field of the type ${previous.type} cannot become one of the type ${next.type}. Add another field.` }
}

/** Further targets may be added. */
const isSameTarget = (next: Row, previous: Row): boolean => {
  const names = new Set(targetsOf(next))
  return targetsOf(previous).every((name) => names.has(name)) && (next.is_polymorphic || names.size === 1)
}

/** Refuses a change of the type if a value would be lost or changed. */
const valuesConvert: FieldRule = async ({ next, previous, read }) => {
  if (!previous || next.type === previous.type) return undefined
  const conversion = conversionOf(previous.type, next.type)
  if (!conversion) return undefined
  const type = await read.get(customObjectType, next.custom_object_type)
  const column = columnOf(next, type)
  const set = next.choice_set
  const lost = await conversion.lost(read.database, {
    table: tableOfType(type),
    model: type.object_type_name,
    column,
    set,
  })
  return lost.count === 0
    ? undefined
    : {
        type: `${lost.count} values cannot be converted without a change, such as ${JSON.stringify(lost.example)}.`,
      }
}

/** Targets in their stored form, from any of the forms in which clients write them. */
const readTargets: Normalizer<Fields> = async ({ next, sent, read }) => {
  const { app_label, model } = next as Row & { readonly app_label?: unknown; readonly model?: unknown }
  const written = sent.has('app_label') || sent.has('model') ? { app_label, model } : next.related_object_type
  const { related_object_types_input: input } = next as Row & { readonly related_object_types_input?: unknown }
  const many = sent.has('related_object_types_input') ? input : next.related_object_types
  const single = await storedTarget(written, read.database)
  const list = Array.isArray(many) ? await Promise.all(many.map((item) => storedTarget(item, read.database))) : []
  return { related_object_type: single, related_object_types: list.filter((item) => item !== null) }
}

type Database = Parameters<FieldRule>[0]['read']['database']

/** `{app_label, model}` of a target: a name, an object with names or with an id, or an id; null if it names none. */
async function storedTarget(target: unknown, database: Database): Promise<Json> {
  if (typeof target === 'string' && target.includes('.')) {
    const [app_label = '', model = ''] = target.split('.')
    return { app_label, model }
  }
  if (isJsonObject(target) && typeof target.app_label === 'string' && typeof target.model === 'string') {
    const { app_label, model } = target
    return app_label === 'custom-objects' ? await ownTarget(model, database) : { app_label, model }
  }
  const id = isJsonObject(target) ? target.id : target
  if (typeof id !== 'number') return null
  const [row] = await database.query<{ app_label: string; model: string }>(
    sql`select app_label, model from ${table('core.objecttype')} where id = ${id}::bigint`,
  )
  return row ? { ...row } : null
}

/** The target of a custom model that a client names by its slug. */
async function ownTarget(slug: string, database: Database): Promise<Json> {
  const [name] = await database.queryColumn(
    sql`select object_type_name from ${table(customObjectType.name)} where slug = ${slug}`,
  )
  return { app_label: CUSTOM_MODELS_APP, model: String(name ?? `.${slug}`).split('.')[1] ?? slug }
}

/** Gives a new field the next number of its type. Numbers of removed fields, whose columns remain, are not used again. */
const numberField: Normalizer<Fields> = async ({ next, previous, read, batch }) => {
  if (previous || next.schema_id > 0) return undefined
  const { numbers } = await usedParts(next, read)
  const before = batch
    .slice(0, batch.indexOf(next))
    .filter((field) => field.custom_object_type === next.custom_object_type && field.id === 0).length
  return { schema_id: Math.max(0, ...numbers) + 1 + before }
}

/** Fields with tables or columns of other forms belong to types with objects of their own. */
const fitsExtension: FieldRule = async ({ next, read }) => {
  if (!next.is_polymorphic && next.type !== 'multiobject' && !next.primary) return undefined
  const type = await read.get(customObjectType, next.custom_object_type)
  if (type.extends === null) return undefined
  return next.primary
    ? { primary: 'The objects of an extended type have names already.' }
    : { type: 'A field of an extension refers to one object of one type.' }
}

/** Refuses what belongs to another field, even to a removed one, whose values would appear. */
const isNew: FieldRule = async ({ next, previous, read }) => {
  if (previous) return undefined
  const { numbers, columns } = await usedParts(next, read)
  if (numbers.has(next.schema_id)) return { schema_id: 'Another field of the type has or had this number.' }
  return next.is_polymorphic && columns.has(`${next.name}_type`)
    ? { name: 'A removed field had this name. Choose another one, or undo the removal.' }
    : undefined
}

/**
 * Refuses a name that another field of the type takes, such as that of its list of racks or of its filter by ids, and
 * one whose own parameters have the name of another field.
 */
const namesAreFree: FieldRule = async ({ next, previous, read, batch }) => {
  const names = claimedNames(next)
  if (previous && names.join() === claimedNames(previous).join()) return undefined
  const stored = await read.all(customObjectField, { custom_object_type: next.custom_object_type })
  const written = new Set(batch.map(({ id }) => id))
  const fields = [...stored.filter(({ id }) => !written.has(id)), ...batch].filter(
    ({ custom_object_type, name }) => custom_object_type === next.custom_object_type && name !== next.name,
  )
  const taken = new Set(fields.flatMap(claimedNames))
  const name = names.find((word) => taken.has(word))
  return name === undefined
    ? undefined
    : { name: `Another field of the type, or a filter by it, has the name ${name}. Choose another.` }
}

/** The columns of the objects of a field's type, and the numbers that its fields have or had. */
async function usedParts(
  { custom_object_type: id }: Row,
  read: Parameters<FieldRule>[0]['read'],
): Promise<{ readonly numbers: ReadonlySet<number>; readonly columns: ReadonlySet<string> }> {
  const type = await read.get(customObjectType, id)
  const base = tableOfType(type)
  const pattern = `^${columnOf({ schema_id: 0 }, type).slice(0, -1)}([0-9]+)`
  const rows = await read.database.query<{ name: string; number: number | null }>(volatile`
    select a.attname as name, substring(a.attname from ${pattern})::int as number
      from ${systemTable('pg_attribute')} a where a.attrelid = to_regclass(${base}) and a.attnum > 0
    union all select c.relname, substring(c.relname from ${`^${base}_f([0-9]+)`})::int
      from ${systemTable('pg_class')} c where c.relname ~ ${`^${base}_f[0-9]+(_|$)`}
    union all select f.name, f.schema_id
      from ${table(customObjectField.name)} f where f.custom_object_type_id = ${id}::bigint`)
  return {
    numbers: new Set(rows.flatMap(({ number }) => number ?? [])),
    columns: new Set(rows.map(({ name }) => name)),
  }
}

/** Rules of fields; the service changes the tables at the end of the write. */
export const customObjectFieldBehaviour = behaviour(customObjectField, {
  normalize: [readTargets, numberField],
  modelRules: [isNew, fitsExtension, identityStays, optionsFit, targetsExist, namesAreFree, defaultFits, valuesConvert],
  afterWrite: [followNames],
})
