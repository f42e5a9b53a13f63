import type { Messages } from '../../base/errors.ts'
import { isStored } from '../../schema/column.ts'
import type { Field, ForeignKeyField, GenericForeignKeyField, ManyToManyField } from '../../schema/field.ts'
import { wholeNumber } from '../../schema/fields/integer.ts'
import { complainOfDocument, inputText } from '../../schema/fields/text.ts'
import { genericKeys } from '../../schema/generic-keys.ts'
import { isJsonObject } from '../../schema/json.ts'
import { oncePer } from '../../schema/once-per.ts'
import { accept, isRefused, NOT_NULL, type Outcome, REQUIRED, refuse } from '../../schema/outcome.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { isRequired, isWritable } from '../../schema/writable.ts'
import type { Draft, Mode, ReferenceItem } from '../draft.ts'
import { defaultOf, emptyRow, type RequestDefaults } from '../empty-row.ts'
import type { StoredRow } from '../rows.ts'
import { parseJoined } from './joined-lists.ts'
import { parseValue } from './parse.ts'
import { parseReference, parseReferences } from './reference-input.ts'
import { parseTags } from './tags.ts'

/** A body with its context. */
interface BodyInput {
  readonly body: unknown
  /** The model in the request's API version; by default the model itself. */
  readonly form?: Model | undefined
  readonly mode: Mode
  readonly previous: StoredRow | undefined
  /** Fields that the request excludes from the body (`fields`, `omit`). */
  readonly ignores?: ((name: string) => boolean) | undefined
  /** Values of `defaultFrom` in this request. */
  readonly defaults: RequestDefaults
}

const LONGEST_MESSAGE = 200

/** The first stage: parses every value by its field. Related objects are collected, to be resolved together. */
export function parseBody(registry: Registry, model: Model, input: BodyInput): Draft {
  const { body, mode, previous, ignores } = input
  const form = input.form && isInForm(input.form, body) ? input.form : model
  const draft: Draft = {
    model,
    form,
    mode,
    previous,
    next: previous ? { ...previous } : emptyRow(model, input.defaults),
    sent: new Set(),
    errors: new Map(),
    references: [],
    tags: {},
    customFields: undefined,
    message: '',
  }
  if (!isJsonObject(body)) {
    draft.errors.set('non_field_errors', ['Expected an object with named fields.'])
    return draft
  }
  const inputOf = (name: string) => (ignores?.(name) ? undefined : body[name])
  for (const [name, field] of writableOf(model)) {
    if (isReadOnlyIn(input.form, name)) continue
    parseField(registry, draft, name, field, inputOf, input.defaults)
  }
  // Parts that only the earlier version reads.
  for (const [name, field] of form === model ? [] : writableOf(form)) {
    const modelField = model.fields.get(name)
    if (!modelField || !isWritable(modelField)) parseField(registry, draft, name, field, inputOf, input.defaults)
  }
  parseMessage(draft, body.changelog_message)
  return draft
}

/**
 * Whether a body for an earlier version has none of the fields that only a later version has; if it has one, it is read
 * as a body of the later version.
 */
const isInForm = ({ definition: { earlier } }: Model, body: unknown): boolean =>
  earlier === undefined || earlier === 'absent' || !isJsonObject(body) || !earlier.without?.some((name) => name in body)

/** Whether the version shows the field but does not let clients write it. */
function isReadOnlyIn(form: Model | undefined, name: string): boolean {
  const field = form?.fields.get(name)
  return field !== undefined && 'readOnly' in field && field.readOnly === true
}

const writableOf = oncePer((model: Model) => [...model.fields].filter(([, field]) => isWritable(field)))

type InputOf = (name: string) => unknown

function parseField(
  registry: Registry,
  draft: Draft,
  name: string,
  field: Field,
  inputOf: InputOf,
  defaults: RequestDefaults,
): void {
  if (field.kind === 'tags') parseTags(registry, draft, inputOf)
  else if (field.kind === 'customFields') parseCustomFields(draft, inputOf(name))
  else if (field.kind === 'genericForeignKey') parseGeneric(registry, draft, name, field, inputOf)
  else if (field.kind === 'manyToMany') parseMany(registry, draft, name, field, inputOf(name))
  else if (field.kind === 'computed' && field.joins) parseJoined(registry, draft, name, field.joins, inputOf(name))
  else if (field.kind === 'computed' || field.kind === 'derived') {
    const input = inputOf(name)
    if (input !== undefined && field.input) take(draft, name, field.input(input))
  } else if (isStored(field)) {
    const input = inputOf(name)
    if (input === undefined) leaveOut(draft, name, field, defaults)
    else if (field.kind === 'foreignKey') parseOne(registry, draft, name, field, input)
    else take(draft, name, parseValue(registry, field, input))
  }
}

/** Stores the value from the body, which is parsed once the definitions are loaded. */
function parseCustomFields(draft: Draft, input: unknown): void {
  if (input === undefined) return
  draft.sent.add('custom_fields')
  if (!isJsonObject(input)) {
    draft.errors.set('custom_fields', ['Expected an object of values by the names of the fields.'])
    return
  }
  const complaint = complainOfDocument(input)
  if (complaint !== undefined) draft.errors.set('custom_fields', [complaint])
  else draft.customFields = { ...input }
}

function parseGeneric(
  registry: Registry,
  draft: Draft,
  name: string,
  field: GenericForeignKeyField,
  inputOf: InputOf,
): void {
  const keys = genericKeys(name, field)
  const isOptional = draft.mode === 'change' || field.nullable
  const object = field.takesObject ? inputOf(name) : undefined
  const sent = objectTarget(object) ?? targetOf(inputOf(keys.type), inputOf(keys.id))
  for (const [key, input, parse, isNeeded] of [
    [
      keys.type,
      sent.type,
      (input: unknown) => parseTargetType(registry, field, input),
      !isOptional || (field.typeRequired && draft.mode !== 'change'),
    ],
    [keys.id, sent.id, (input: unknown) => parseTargetId(field.nullable, input), !isOptional],
  ] as const) {
    if (input !== undefined) take(draft, key, parse(input))
    else if (isNeeded) draft.errors.set(key, [REQUIRED])
    else if (draft.mode === 'replace' && field.resetOnPut) draft.next[key] = null
  }
}

/**
 * Reads `{app_label, model, object_id}`. Undefined for an object in another form, such as a nested one, whose type and
 * id are separate fields.
 */
function objectTarget(object: unknown): { readonly type: unknown; readonly id: unknown } | undefined {
  if (object === null) return { type: null, id: null }
  if (!isJsonObject(object) || !('app_label' in object)) return undefined
  return { type: `${object.app_label}.${object.model}`, id: object.object_id ?? object.id }
}

/** Type and id of the body; clients with static types send an empty type and the id zero if there is no object. */
function targetOf(type: unknown, id: unknown): { readonly type: unknown; readonly id: unknown } {
  if (type !== '' && type !== null) return { type, id }
  return { type: null, id: id === 0 ? null : id }
}

function parseOne(
  registry: Registry,
  draft: Draft,
  name: string,
  field: ForeignKeyField<unknown>,
  input: unknown,
): void {
  if (input === null) {
    take(draft, name, field.nullable || field.lateRequired ? accept(null) : refuse(NOT_NULL))
    return
  }
  draft.sent.add(name)
  const item = parseReference(field.write, input)
  if (isRefused(item)) draft.errors.set(name, item.refused)
  else refer(registry, draft, name, field.to, [item], ([id]) => id)
}

function parseMany(registry: Registry, draft: Draft, name: string, field: ManyToManyField, input: unknown): void {
  if (input === undefined) {
    if (isRequired(field) && draft.mode !== 'change') draft.errors.set(name, [REQUIRED])
    return
  }
  draft.sent.add(name)
  const items = parseReferences(field.write, input)
  if (isRefused(items)) draft.errors.set(name, items.refused)
  else refer(registry, draft, name, field.to, items, (ids) => [...new Set(ids)])
}

function take(draft: Draft, name: string, outcome: Outcome): void {
  draft.sent.add(name)
  if (isRefused(outcome)) draft.errors.set(name, outcome.refused)
  else draft.next[name] = outcome.value
}

/** Handles a field that the body omits. */
function leaveOut(draft: Draft, name: string, field: Field, defaults: RequestDefaults): void {
  if (draft.mode === 'change') return
  if (isRequired(draft.form.fields.get(name) ?? field)) draft.errors.set(name, [REQUIRED])
  else if (draft.mode === 'replace' && 'resetOnPut' in field && field.resetOnPut) {
    draft.next[name] = defaultOf(field, defaults)
  }
}

function parseTargetType(registry: Registry, field: GenericForeignKeyField, input: unknown): Outcome {
  if (input === null) {
    return field.nullable && !field.typeRequired ? accept(null) : refuse(NOT_NULL)
  }
  if (typeof input !== 'string' || !/^[a-z_]+\.[a-z_0-9]+$/.test(input)) {
    return refuse('Specify an object type as "app.model".')
  }
  const isTarget = field.lateTargets
    ? registry.models.has(input)
    : registry.targets(field).some(({ name }) => name === input)
  return isTarget ? accept(input) : refuse(`The object type ${input} cannot be chosen here.`)
}

function parseTargetId(nullable: boolean, input: unknown): Outcome {
  if (input === null) return nullable ? accept(null) : refuse(NOT_NULL)
  const id = wholeNumber(input)
  return id === undefined || !Number.isSafeInteger(id) ? refuse('A valid integer is required.') : accept(id)
}

function refer(
  registry: Registry,
  draft: Draft,
  name: string,
  to: string,
  items: readonly ReferenceItem[],
  combine: (ids: readonly number[]) => unknown,
): void {
  draft.references.push({
    to: registry.model(to),
    items,
    settle: (ids) => {
      draft.next[name] = combine(ids)
    },
    refuse: (messages: Messages) => draft.errors.set(name, messages),
  })
}

function parseMessage(draft: Draft, input: unknown): void {
  if (input === undefined || input === null) return
  const outcome = inputText(input)
  if (isRefused(outcome)) draft.errors.set('changelog_message', outcome.refused)
  else if ([...outcome.value].length > LONGEST_MESSAGE) {
    draft.errors.set('changelog_message', [`Ensure this field has no more than ${LONGEST_MESSAGE} characters.`])
  } else draft.message = outcome.value
}
