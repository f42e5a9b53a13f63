import type { CustomRules, ValueChecks } from '../../config/custom-rules.ts'
import { isJsonObject, ownValue } from '../../schema/json.ts'
import { linearExpression } from '../../schema/linear-expression.ts'
import type { Model } from '../../schema/registry.ts'
import type { AnyRow, Read } from '../../schema/rule.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { WriteContext } from '../context.ts'

/** The user's part of a path: `request.user.username`. */
const REQUEST = 'request'
const CUSTOM_FIELDS: ReadonlySet<string> = new Set(['cf', 'custom_fields', 'custom_field_data'])

/** An object that is checked by configured rules. */
interface JudgedObject {
  readonly model: Model
  readonly row: AnyRow
}

/** A condition that an object does not meet. */
interface BrokenRule {
  readonly path: string
  readonly sentences: readonly string[]
}

/** The first condition of its model that an object does not meet; undefined if it meets all. */
export async function brokenRule(
  context: WriteContext,
  read: Read,
  rules: CustomRules,
  { model, row }: JudgedObject,
): Promise<BrokenRule | undefined> {
  for (const rule of rules[model.name] ?? []) {
    if (typeof rule === 'string') continue
    for (const [path, checks] of Object.entries(rule)) {
      const value = await valueAt({ context, read }, { model, row }, path.split('.'))
      const sentences = failedChecks(value, checks)
      if (sentences.length > 0) return { path, sentences }
    }
  }
  return undefined
}

/** The names of the classes in Python among the rules of a model. */
export const validatorNames = (rules: CustomRules, { name }: Model): readonly string[] =>
  (rules[name] ?? []).filter((rule) => typeof rule === 'string')

interface Lookup {
  readonly context: WriteContext
  readonly read: Read
}

/** The value at a path, which may lead through relations; null if one of them is empty. */
async function valueAt(
  lookup: Lookup,
  { model, row }: JudgedObject,
  [name = '', ...remaining]: readonly string[],
): Promise<unknown> {
  if (name === REQUEST) return await userValue(lookup, remaining.slice(1))
  if (CUSTOM_FIELDS.has(name)) {
    const values = row.custom_fields
    return remaining.length === 0 || !isJsonObject(values) ? values : ownValue(values, remaining.join('.'))
  }
  const target = targetOf(lookup, model, row, name)
  if (target === undefined) return name === 'pk' ? row.id : row[name]
  if (remaining.length === 0 || target.id === null) return target.id
  const related = lookup.context.service.registry.model(target.model)
  const next = await lookup.read.get(related.definition, target.id)
  return await valueAt(lookup, { model: related, row: next }, remaining)
}

/** The object that a relation of the row refers to; undefined for a name that is not a relation to one object. */
function targetOf(
  { context }: Lookup,
  model: Model,
  row: AnyRow,
  name: string,
): { readonly model: string; readonly id: number | null } | undefined {
  const field = model.fields.get(name)
  const idOf = (value: unknown) => (typeof value === 'number' ? value : null)
  if (field?.kind === 'foreignKey') return { model: field.to, id: idOf(row[name]) }
  if (field?.kind !== 'genericForeignKey') return undefined
  const type = row[field.typeField ?? `${name}_type`]
  const isKnown = typeof type === 'string' && context.service.registry.models.has(type)
  const id = idOf(row[field.idField ?? `${name}_id`])
  return isKnown ? { model: type, id } : { model: model.name, id: null }
}

async function userValue({ context, read }: Lookup, [name = 'id', ...remaining]: readonly string[]): Promise<unknown> {
  const { actor, service } = context
  if (name === 'username') return actor.username
  if (name === 'id' || name === 'pk') return actor.id
  if (name === 'is_superuser') return actor.isSuperuser
  if (actor.id === 0) return null
  const model = service.registry.model(SYSTEM.user)
  const row = await read.get(model.definition, actor.id)
  return await valueAt({ context, read }, { model, row }, [name, ...remaining])
}

/** Sentences about the conditions that a value fails, in NetBox's words. Limits do not apply to a missing value. */
export function failedChecks(value: unknown, checks: ValueChecks): readonly string[] {
  const { required, prohibited } = checks
  const isMissing = value === null || value === undefined
  const isEmpty = isMissing || value === '' || lengthOf(value) === 0
  return [
    ...(required === true && isEmpty ? ['This field must not be empty.'] : []),
    ...(prohibited === true && !isEmpty ? ['This field must be empty.'] : []),
    ...('eq' in checks && !equals(value, checks.eq) ? [`Ensure this value is equal to ${checks.eq}.`] : []),
    ...('neq' in checks && equals(value, checks.neq) ? [`Ensure this value does not equal ${checks.neq}.`] : []),
    ...(isMissing ? [] : brokenLimits(value, checks)),
  ]
}

function brokenLimits(value: unknown, checks: ValueChecks): readonly string[] {
  const { min, max, min_length, max_length, regex } = checks
  const size = sizeOf(value)
  const length = lengthOf(value) ?? [...String(value)].length
  const lengthBroken = (limit: string) => `Ensure this value has at ${limit} characters (it has ${length}).`
  return [
    ...(min !== undefined && size < min ? [`Ensure this value is greater than or equal to ${min}.`] : []),
    ...(max !== undefined && size > max ? [`Ensure this value is less than or equal to ${max}.`] : []),
    ...(min_length !== undefined && length < min_length ? [lengthBroken(`least ${min_length}`)] : []),
    ...(max_length !== undefined && length > max_length ? [lengthBroken(`most ${max_length}`)] : []),
    ...(regex !== undefined && linearExpression(regex)?.test(String(value)) !== true ? ['Enter a valid value.'] : []),
  ]
}

/** A number, or the number of items of a list. */
const sizeOf = (value: unknown): number => (Array.isArray(value) ? value.length : Number(value))

/** Length of a list or text, in characters; undefined for other values. */
function lengthOf(value: unknown): number | undefined {
  if (Array.isArray(value)) return value.length
  return typeof value === 'string' ? [...value].length : undefined
}

/** Decimal numbers are texts in a row. */
function equals(value: unknown, expected: unknown): boolean {
  if (typeof expected === 'number') return value !== null && sizeOf(value) === expected
  return (value ?? null) === (expected ?? null)
}
