import type { Messages } from '../../base/errors.ts'
import { type CustomFieldDefinition, complainOf, isEmpty, normalize, typedInput } from '../../schema/custom-value.ts'
import { emptyRecord, parseJson } from '../../schema/json.ts'
import { oncePer } from '../../schema/once-per.ts'
import { isRefused } from '../../schema/outcome.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { Service } from '../../service.ts'
import { sql } from '../../sql/fragment.ts'
import type { Queryable, Row } from '../../sql/queryable.ts'
import { table } from '../../sql/table.ts'
import { cachedDefinitions } from '../cached.ts'
import type { WriteContext } from '../context.ts'
import { addRefusal, type Draft } from '../draft.ts'
import { parseReference } from '../parse/reference-input.ts'
import { typedBody } from '../parse/typed-body.ts'
import { checkUniqueValues, customValuesOf } from './unique-custom-fields.ts'

/** Custom fields of the model's objects, by weight and name; cached until a definition changes. */
export async function customFieldsOf(context: WriteContext, model: Model): Promise<readonly CustomFieldDefinition[]> {
  const { service, transaction } = context
  if (!model.fields.has('custom_fields') || !service.registry.models.has(SYSTEM.customField)) return []
  // All are loaded at once, because a document has objects of many models.
  const load = () => loadDefinitions(transaction)
  const definitionsOf = await cachedDefinitions(context, 'custom fields', load)
  return definitionsOf(model)
}

/** As `customFieldsOf`, outside a write. */
export async function committedCustomFields(
  { registry, database }: Service,
  model: Model,
): Promise<readonly CustomFieldDefinition[]> {
  const hasFields = model.fields.has('custom_fields') && registry.models.has(SYSTEM.customField)
  return hasFields ? (await loadDefinitions(database))(model) : []
}

interface DefinitionRow extends Row {
  readonly types: readonly string[]
  readonly id: number
  readonly name: string
  readonly type: string
  readonly required: boolean
  readonly unique: boolean
  readonly default: string | null
  readonly related: string | null
  readonly minimum: string | null
  readonly maximum: string | null
  readonly pattern: string | null
  readonly schema: string | null
  readonly base: string | null
  readonly choices: string[][] | null
}

/** The custom fields of each model. */
async function loadDefinitions(transaction: Queryable): Promise<(model: Model) => readonly CustomFieldDefinition[]> {
  const rows = await transaction.query<DefinitionRow>(sql`
    select f.object_types as types, f.id, f.name, f.type, f.required, f."unique", f."default", f.related_object_type as related,
      f.validation_minimum as minimum, f.validation_maximum as maximum, f.validation_regex as pattern,
      f.validation_schema as schema, s.base_choices as base, s.extra_choices as choices
    from ${table(SYSTEM.customField)} f left join ${table(SYSTEM.customFieldChoiceSet)} s on s.id = f.choice_set_id
    order by f.weight, f.name`)
  return oncePer((model: Model) => rows.filter(({ types }) => types.includes(model.name)).map(definitionOf))
}

const definitionOf = (row: DefinitionRow): CustomFieldDefinition => ({
  id: row.id,
  name: row.name,
  type: row.type,
  required: row.required,
  unique: row.unique,
  default: row.default === null ? null : parseJson(row.default),
  relatedType: row.related,
  minimum: row.minimum === null ? null : Number(row.minimum),
  maximum: row.maximum === null ? null : Number(row.maximum),
  pattern: row.pattern ?? '',
  schema: row.schema === null ? null : JSON.parse(row.schema),
  choices: row.base ? undefined : (row.choices ?? []).map(([value = '']) => value),
})

/** Refuses unknown names and collects related objects, before references are resolved. */
export function readCustomFields(
  context: WriteContext,
  fields: readonly CustomFieldDefinition[],
  drafts: readonly Draft[],
): void {
  const byName = new Map(fields.map((field) => [field.name, field]))
  for (const draft of drafts) {
    const { customFields } = draft
    if (!customFields) continue
    const unknown = Object.keys(customFields).filter((name) => !byName.has(name))
    if (unknown.length > 0) {
      const messages = emptyRecord<Messages>()
      for (const name of unknown) {
        messages[name] = [`There is no custom field ${name} for this type of object.`]
      }
      draft.errors.set('custom_fields', messages)
      continue
    }
    for (const [name, value] of Object.entries(customFields)) {
      const field = byName.get(name)
      if (!field) continue
      const read = field.relatedType
        ? typedBody(context.service.registry.model(field.relatedType), value)
        : typedInput(field, value)
      customFields[name] = read
      if (field.relatedType && !isEmpty(read)) noteReference(context, draft, customFields, field, read)
    }
  }
}

function noteReference(
  { service }: WriteContext,
  draft: Draft,
  values: Record<string, unknown>,
  field: CustomFieldDefinition,
  value: unknown,
): void {
  const isList = field.type === 'multiobject'
  const items = (isList && Array.isArray(value) ? value : [value]).map((item) => parseReference('idOrAttributes', item))
  const refuse = (sentence: Messages) => {
    draft.errors.set('custom_fields', [`${field.name}: ${[sentence].flat().join(' ')}`])
  }
  const wrong = isList && !Array.isArray(value) ? { refused: ['Expected a list.'] } : items.find(isRefused)
  if (wrong) {
    refuse(wrong.refused)
    return
  }
  draft.references.push({
    to: service.registry.model(field.relatedType ?? ''),
    items: items.flatMap((item) => (isRefused(item) ? [] : [item])),
    settle: (ids) => {
      values[field.name] = isList ? [...ids] : ids[0]
    },
    refuse,
  })
}

/** Default values for a new object without values, the same object for all, and their problems. */
interface Defaults {
  readonly values: Readonly<Record<string, unknown>>
  readonly complaint: string | undefined
}

const defaultsOf = oncePer((fields: readonly CustomFieldDefinition[]): Defaults => {
  const values = Object.freeze(Object.fromEntries(fields.map((field) => [field.name, normalize(field, field.default)])))
  return { values, complaint: complainOfValues(fields, values) }
})

/** The object's values: stored ones, overridden by those of the body, and defaults. */
export function settleCustomFields(
  fields: readonly CustomFieldDefinition[],
  { model, next, previous, customFields }: Draft,
): void {
  if (!model.fields.has('custom_fields')) return
  if (!previous && !customFields) {
    next.custom_fields = defaultsOf(fields).values
    return
  }
  const stored = (previous?.custom_fields ?? {}) as Readonly<Record<string, unknown>> // decoded jsonb
  const values: Record<string, unknown> = {}
  for (const field of fields) {
    const { name } = field
    if (customFields && Object.hasOwn(customFields, name)) values[name] = normalize(field, customFields[name])
    else if (Object.hasOwn(stored, name)) values[name] = stored[name]
    // A required field without a value is refused before defaults are filled in.
    else if (!field.required && field.default !== null) {
      values[name] = normalize(field, field.default)
    }
  }
  // Returning the same object shows that nothing has changed, without a comparison.
  next.custom_fields = previous && isSameObject(values, stored) ? stored : values
}

const isSameObject = (left: Readonly<Record<string, unknown>>, right: Readonly<Record<string, unknown>>): boolean => {
  const names = Object.keys(left)
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && left[name] === right[name])
  )
}

/** The first invalid value is an error of the object as a whole. */
export async function checkCustomFields(
  context: WriteContext,
  fields: readonly CustomFieldDefinition[],
  drafts: readonly Draft[],
): Promise<void> {
  const defaults = defaultsOf(fields)
  for (const draft of drafts) {
    const values = customValuesOf(draft)
    const complaint = values === defaults.values ? defaults.complaint : complainOfValues(fields, values)
    if (complaint) addRefusal(draft, { __all__: complaint })
  }
  for (const field of fields) if (field.unique) await checkUniqueValues(context, field, drafts)
}

function complainOfValues(
  fields: readonly CustomFieldDefinition[],
  values: Readonly<Record<string, unknown>>,
): string | undefined {
  for (const field of fields) {
    if (!Object.hasOwn(values, field.name)) {
      if (field.required) return `Missing required custom field '${field.name}'.`
      continue
    }
    const complaint = complainOf(field, values[field.name])
    if (complaint) return `Invalid value for custom field '${field.name}': ${complaint}`
  }
  return undefined
}
