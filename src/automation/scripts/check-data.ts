import { isJsonObject, type Json, type JsonObject } from '../../schema/json.ts'
import type { Variable, VariableKind } from './declaration.ts'

type Checked = { readonly value: Json } | { readonly problem: string }
type Check = (value: Json, options: JsonObject) => Checked

const ok = (value: Json): Checked => ({ value })
const no = (problem: string): Checked => ({ problem })

const text: Check = (value, { minLength, maxLength, pattern }) => {
  if (typeof value !== 'string' && typeof value !== 'number') return no('Not a valid string.')
  const string = String(value)
  const { length } = [...string]
  if (typeof maxLength === 'number' && length > maxLength) {
    return no(`Ensure this value has at most ${maxLength} characters (it has ${length}).`)
  }
  if (typeof minLength === 'number' && length < minLength) {
    return no(`Ensure this value has at least ${minLength} characters (it has ${length}).`)
  }
  if (typeof pattern === 'string' && !new RegExp(`^(?:${pattern})$`).test(string)) {
    return no('Enter a valid value.')
  }
  return ok(string)
}

const number =
  (expression: RegExp, problem: string, convert: (input: string) => Json): Check =>
  (value, { min, max }) => {
    const trimmed = String(value).trim()
    if ((typeof value !== 'number' && typeof value !== 'string') || !expression.test(trimmed)) {
      return no(problem)
    }
    if (typeof min === 'number' && Number(trimmed) < min) {
      return no(`Ensure this value is greater than or equal to ${min}.`)
    }
    if (typeof max === 'number' && Number(trimmed) > max) {
      return no(`Ensure this value is less than or equal to ${max}.`)
    }
    return ok(convert(trimmed))
  }

/** The values of the choices: texts, or pairs of value and label. */
const valuesOf = (choices: Json | undefined): readonly Json[] =>
  Array.isArray(choices)
    ? choices.map((choice: Json): Json => (Array.isArray(choice) ? (choice[0] ?? null) : choice))
    : []

/** Choices may have the form of an event's object: `{value, label}`. */
const choice: Check = (input, { choices }) => {
  const value = isJsonObject(input) ? (input.value ?? null) : input
  return valuesOf(choices).includes(value)
    ? ok(value)
    : no(`Select a valid choice. ${String(value)} is not one of the available choices.`)
}

/** Objects may have the form of an event's object: their id among other fields. */
const id: Check = (input) => {
  const value = isJsonObject(input) ? input.id : input
  return (typeof value === 'number' && Number.isSafeInteger(value)) ||
    (typeof value === 'string' && /^\d{1,15}$/.test(value))
    ? ok(Number(value))
    : no('Enter the id of an object.')
}

const many =
  (one: Check): Check =>
  (value, options) => {
    if (!Array.isArray(value)) return no('Enter a list of values.')
    const values: Json[] = []
    for (const item of value as readonly Json[]) {
      const checked = one(item, options)
      if ('problem' in checked) return checked
      values.push(checked.value)
    }
    return ok(values)
  }

const matching =
  (expression: RegExp, problem: string): Check =>
  (value) =>
    typeof value === 'string' && expression.test(value) ? ok(value) : no(problem)

const timestamp =
  (expression: RegExp, problem: string): Check =>
  (value) =>
    typeof value === 'string' && expression.test(value) && !Number.isNaN(Date.parse(value)) ? ok(value) : no(problem)

const ADDRESS = /^(\d{1,3}(\.\d{1,3}){3}|[\da-f:]*:[\da-f:.]*)$/i
const WITH_MASK = /^(\d{1,3}(\.\d{1,3}){3}|[\da-f:]*:[\da-f:.]*)\/\d{1,3}$/i

const CHECKS: Readonly<Record<VariableKind, Check>> = {
  string: text,
  text,
  integer: number(/^[-+]?\d{1,15}$/, 'Enter a whole number.', Number),
  decimal: number(/^[-+]?\d+(\.\d+)?$/, 'Enter a number.', (input) => input),
  boolean: (value) => (typeof value === 'boolean' ? ok(value) : no('Must be a valid boolean.')),
  choice,
  multiChoice: many(choice),
  object: id,
  multiObject: many(id),
  file: matching(/^/s, 'Enter the content of the file as text.'),
  ipAddress: matching(ADDRESS, 'Enter a valid IPv4 or IPv6 address.'),
  ipAddressWithMask: matching(WITH_MASK, 'Enter a valid IPv4 or IPv6 address with its mask.'),
  ipNetwork: matching(WITH_MASK, 'Enter a valid IPv4 or IPv6 network.'),
  date: timestamp(/^\d{4}-\d\d-\d\d$/, 'Enter a valid date.'),
  dateTime: timestamp(/^\d{4}-\d\d-\d\dT\d\d:\d\d/, 'Enter a valid date/time.'),
}

/** The data for a run with defaults, or the problems by variable. Data without a variable is passed on unchanged. */
export function checkData(
  data: Json,
  variables: Readonly<Record<string, Variable>>,
): { readonly data: JsonObject } | { readonly problems: Readonly<Record<string, string>> } {
  if (!isJsonObject(data)) return { problems: { data: 'Expected an object.' } }
  const values: Record<string, Json> = { ...data }
  const problems: Record<string, string> = {}
  for (const [name, { type, options }] of Object.entries(variables)) {
    const value = Object.hasOwn(data, name) ? (data[name] ?? null) : (options.default ?? null)
    if (value === null || value === '') {
      values[name] = type === 'boolean' ? false : null
      if (options.required !== false && type !== 'boolean') problems[name] = 'This field is required.'
      continue
    }
    const checked = CHECKS[type](value, options)
    if ('problem' in checked) problems[name] = checked.problem
    else values[name] = checked.value
  }
  return Object.keys(problems).length > 0 ? { problems } : { data: values }
}
