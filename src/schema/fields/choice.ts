import type { ChoiceSet, ChoiceValue } from '../choices.ts'
import { isJsonObject, type Json, type JsonObject } from '../json.ts'
import { accept, NOT_BLANK, type Outcome, refuse } from '../outcome.ts'
import {
  builder,
  mayBeEmpty,
  type OptionsOf,
  printed,
  quote,
  type ScalarKind,
  type Stored,
  type ToText,
  type ValueOf,
  WrongValue,
} from './kind.ts'

export interface ChoiceField<Value = ChoiceValue> extends Stored<'choice', Value> {
  readonly choices: ChoiceSet
  readonly max?: number
  /** '' may be stored and sent; responses show it as null. */
  readonly blank?: boolean
  /** Responses show the bare value instead of {value, label}. */
  readonly bare?: boolean
  /** Responses show '' as it is, not as null. */
  readonly showsEmpty?: boolean
}

/** One of a closed list of values. */
export const choice = <
  Value extends ChoiceValue,
  const O extends Omit<OptionsOf<ChoiceField<Value>>, 'choices' | 'default'> & {
    readonly default?: Value | ''
  },
>(
  set: ChoiceSet<Value>,
  options: O,
): ChoiceField<ValueOf<Value, O>> => builder<ChoiceField>('choice')({ choices: set, ...options })

export const choiceKind: ScalarKind<ChoiceField<unknown>> = {
  options: { choices: true, max: true, blank: true, bare: true, showsEmpty: true },
  columnType: ({ choices }) => (holdsNumbers(choices) ? 'integer' : 'text'),
  parse: parseChoice,
  parseNull: (field) => {
    if (field.nullable || field.lateRequired) return accept(null)
    return mayBeEmpty(field) ? accept('') : refuse(NOT_BLANK)
  },
  restore: (value, { choices }) => {
    const chosen = isJsonObject(value) ? (value.value ?? null) : value
    const isKnown = (typeof chosen === 'string' || typeof chosen === 'number') && chosen !== ''
    if (isKnown && !choices.labels.has(chosen)) {
      throw new WrongValue(`${printed(chosen)} is not one of the choices`)
    }
    return chosen
  },
  empty: '',
  cell: (input, { choices: { labels, list } }) => {
    if (typeof input !== 'string' || labels.has(input) || labels.has(Number(input))) {
      return { value: input }
    }
    const matches = list.filter(({ label }) => label.toLowerCase() === input.toLowerCase())
    return { value: matches.length === 1 ? matches[0]?.value : input }
  },
  text: ({ choices, bare, showsEmpty }) => {
    if (showsEmpty) return numberOrText
    return bare ? bareChoice : labelledChoice(choices)
  },
  filter: (path, { choices, filter }) => ({
    kind: 'choice',
    path,
    choices,
    ...(filter === 'single' && { single: true }),
  }),
  metadata: ({ choices, bare }, _name, isWritable) => ({
    type: bare ? 'choice' : 'field',
    ...(isWritable && { choices: choicesMetadata(choices) }),
  }),
  schema: (field) => {
    const schema = field.bare ? choiceSchema(field.choices) : labelledSchema(field.choices)
    return mayBeEmpty(field) && !field.showsEmpty ? { ...schema, nullable: true } : schema
  },
  sentSchema: (field) =>
    choiceSchema(field.choices, [
      ...(mayBeEmpty(field) && !holdsNumbers(field.choices) ? [''] : []),
      ...(field.nullable ? [null] : []),
    ]),
  graphql: {
    type: ({ choices }) => (holdsNumbers(choices) ? 'Int' : 'String'),
    // The stored value; the empty text is stored if the field may be empty.
    text: ({ nullable }) => (nullable ? bareChoice : numberOrText),
  },
  control: () => 'choice',
}

/** Whether the values of the choices are numbers. */
export const holdsNumbers = ({ list }: ChoiceSet): boolean => typeof list[0]?.value === 'number'

/** Choices that a refusal lists; longer lists are in the response to OPTIONS. */
const MOST_LISTED = 20

/** Clients match the first sentence. */
export function invalidChoice(input: unknown, { labels }: ChoiceSet): string {
  const values = [...labels.keys()]
  const hint = values.length > MOST_LISTED ? 'OPTIONS lists the choices.' : `Choose one of: ${values.join(', ')}.`
  return `"${input}" is not a valid choice. ${hint}`
}

function parseChoice(field: ChoiceField<unknown>, input: unknown): Outcome {
  if (typeof input === 'object') {
    return refuse('The value must be passed directly, not within a document or a list.')
  }
  if (input === '') {
    if (!mayBeEmpty(field)) return refuse(NOT_BLANK)
    // The empty text means no value for a text choice; for a number choice null does.
    return accept(holdsNumbers(field.choices) ? null : '')
  }
  const candidates: unknown[] = [input]
  // Forms send no numbers, and some choices are numbers as text.
  if (typeof input === 'string' && /^-?\d+$/.test(input)) candidates.push(Number(input))
  if (typeof input === 'number') candidates.push(String(input))
  const value = candidates.find((candidate) => field.choices.labels.has(candidate as ChoiceValue))
  return value === undefined ? refuse(invalidChoice(input, field.choices)) : accept(value)
}

const numberOrText: ToText = (value) => (typeof value === 'number' ? String(value) : quote(value))

/** A choice without its label. */
export const bareChoice: ToText = (value) => (value === '' ? 'null' : numberOrText(value))

/** `{"value":…,"label":…}`. A value that is no longer in the set is its own label. */
export function labelledChoice(choices: ChoiceSet): ToText {
  const texts = new Map<ChoiceValue, string>(
    choices.list.map(({ value, label }) => [value, JSON.stringify({ value, label })]),
  )
  return (value) =>
    texts.get(value as ChoiceValue) ?? (value === '' ? 'null' : JSON.stringify({ value, label: String(value) }))
}

/** The choices in the response to OPTIONS. */
export const choicesMetadata = ({ list }: ChoiceSet) => list.map(({ value, label }) => ({ value, display_name: label }))

/** OpenAPI schema of a value without its label. */
export const choiceSchema = (choices: ChoiceSet, more: readonly Json[] = []): JsonObject => ({
  type: holdsNumbers(choices) ? 'integer' : 'string',
  enum: [...choices.list.map(({ value }) => value), ...more],
})

/** OpenAPI schema of a value with its label. */
export const labelledSchema = (choices: ChoiceSet): JsonObject => ({
  type: 'object',
  properties: {
    value: choiceSchema(choices),
    label: { type: 'string', enum: [...new Set(choices.list.map(({ label }) => label))] },
  },
})
