import { isJsonObject, type Json, type JsonObject } from '../../schema/json.ts'
import { linearExpression } from '../../schema/linear-expression.ts'
import { formatInterface, networkOf, parseInterface, parseIp } from '../../schema/net/ip.ts'
import type { ScriptDeclaration, Variable, VariableKind } from './declaration.ts'

/** Problems of the data, each with one message or several, by the name of the variable. */
type Problems = Readonly<Record<string, readonly string[]>>

/** Files of a request as a script gets them, by the names of their variables. */
type ScriptFiles = Readonly<Record<string, { readonly name: string; readonly base64: string }>>

/** Which of the objects exist and may be used. */
type FindObjects = (model: string, ids: readonly number[]) => Promise<ReadonlySet<number>>

/** Refuses a value; Django's messages. */
class InvalidValue extends Error {
  readonly messages: readonly string[]
  constructor(...messages: readonly string[]) {
    super(messages.join(' '))
    this.messages = messages
  }
}

const REQUIRED = 'This field is required.'
const NO_CHOICE = 'Select a valid choice. That choice is not one of the available choices.'
const notAChoice = (value: string): string => `Select a valid choice. ${value} is not one of the available choices.`

/**
 * The data for a run of a Python script, as NetBox 4.7 cleans it with the script's form (Django 6.1): text without
 * surrounding spaces, ids of objects, and text for what JSON lacks. A variable that is missing has its default; one
 * that is null has none. Data without a variable is dropped.
 */
export async function checkPythonData(
  { variables }: Pick<ScriptDeclaration, 'variables'>,
  data: Json,
  files: ScriptFiles,
  findObjects: FindObjects,
): Promise<{ readonly data: JsonObject } | { readonly problems: Problems | readonly string[] }> {
  if (!isJsonObject(data)) {
    return { problems: ['Invalid data payload; expected an object mapping variable names to values.'] }
  }
  const values: Record<string, Json> = {}
  const problems: Record<string, readonly string[]> = {}
  for (const [name, variable] of Object.entries(variables)) {
    const { type, options } = variable
    const sent = Object.hasOwn(data, name) ? (data[name] ?? null) : (options.default ?? null)
    try {
      values[name] = await cleaned(variable, type === 'file' ? (files[name] ?? null) : sent, findObjects)
    } catch (error) {
      if (!(error instanceof InvalidValue)) throw error
      problems[name] = error.messages
    }
  }
  return Object.keys(problems).length > 0 ? { problems } : { data: values }
}

async function cleaned({ type, options }: Variable, sent: Json, findObjects: FindObjects): Promise<Json> {
  if (type === 'object' || type === 'multiObject') return await objects(type, options, sent, findObjects)
  const value = PARSERS[type](sent, options)
  if (isEmpty(value) && type !== 'boolean') {
    if (options.required !== false) throw new InvalidValue(REQUIRED)
    return value
  }
  const messages = (CHECKS[type] ?? []).flatMap((check) => check(value, options) ?? [])
  if (messages.length > 0) throw new InvalidValue(...messages)
  return value
}

const isEmpty = (value: Json): boolean =>
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (isJsonObject(value) && Object.keys(value).length === 0)

/** A value as Python's `str` writes it, except that lists and objects are JSON. */
function textOf(value: Json): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const text = (sent: Json): string => (isEmpty(sent) ? '' : textOf(sent).trim())

/** Null for an empty value, otherwise what `parse` makes of its text. Throws InvalidValue if that is undefined. */
const parsed =
  (parse: (text: string) => Json | undefined, problem: string | ((text: string) => string)) =>
  (sent: Json): Json => {
    const trimmed = text(sent)
    if (trimmed === '') return null
    const value = parse(trimmed)
    if (value === undefined) throw new InvalidValue(typeof problem === 'string' ? problem : problem(trimmed))
    return value
  }

const matching = (expression: RegExp) => (value: string) => (expression.test(value) ? value : undefined)

/** ISO 8601, or month, day and year as in the United States. */
function dateOf(value: string): string | undefined {
  const [, month = '', day = '', year = ''] = /^(\d\d?)\/(\d\d?)\/(\d{4})$/.exec(value) ?? []
  const iso = year === '' ? value : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return isDate(iso) ? iso : undefined
}

const isDate = (value: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value)) && new Date(value).toISOString().startsWith(value)

const TIME = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(\.\d{1,6})?)?(Z|[+-]\d\d:?\d\d)?)?$/

/** A time without a zone is in UTC. */
function timeOf(value: string): string | undefined {
  const [, day = '', hours = '00', minutes = '00', seconds = '00', fraction = '', zone = 'Z'] = TIME.exec(value) ?? []
  if (!isDate(day) || Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return undefined
  const offset = zone === 'Z' ? '+00:00' : zone.replace(/^(...)(\d\d)$/, '$1:$2')
  return `${day}T${hours}:${minutes}:${seconds}${fraction}${offset}`
}

function networkText(sent: Json): Json {
  const value = text(sent)
  if (value === '') return null
  if (value.split('/').length !== 2) throw new InvalidValue('CIDR mask (e.g. /24) is required.')
  if (!parseInterface(value)) throw new InvalidValue('Please specify a valid IPv4 or IPv6 address.')
  return value
}

const DECIMAL = /^[-+]?(\d+(\.\d*)?|\.\d+)(e[-+]?\d+)?$/i

const PARSERS: Readonly<
  Record<Exclude<VariableKind, 'object' | 'multiObject'>, (sent: Json, options: JsonObject) => Json>
> = {
  string: text,
  text,
  integer: parsed((value) => {
    const number = Number(value.replace(/\.0*$/, ''))
    return /^[-+]?\d+(\.0*)?$/.test(value) && Number.isSafeInteger(number) ? number : undefined
  }, 'Enter a whole number.'),
  decimal: parsed(matching(DECIMAL), 'Enter a number.'),
  boolean: (sent) =>
    typeof sent === 'string' && /^(false|0)$/i.test(sent) ? false : !isEmpty(sent) && sent !== 0 && sent !== false,
  choice: (sent) => (isEmpty(sent) ? '' : textOf(sent)),
  multiChoice: (sent) => {
    if (isEmpty(sent)) return []
    if (!Array.isArray(sent)) throw new InvalidValue('Enter a list of values.')
    return (sent as readonly Json[]).map(textOf)
  },
  file: (sent) => sent,
  ipAddress: parsed(
    (value) => (parseIp(value) ? value : undefined),
    (value) => `Invalid IPv4/IPv6 address format: ${value}`,
  ),
  ipAddressWithMask: networkText,
  ipNetwork: networkText,
  date: parsed(dateOf, 'Enter a valid date.'),
  dateTime: parsed(timeOf, 'Enter a valid date/time.'),
}

/** A message if the value is not valid; those of all checks are shown. */
type Check = (value: Json, options: JsonObject) => string | undefined

const limit = (options: JsonObject, name: string): number | undefined => {
  const value = options[name]
  return value === undefined || value === null || Number.isNaN(Number(value)) ? undefined : Number(value)
}

const checkPattern: Check = (value, { pattern }) => {
  // The script itself checks expressions that need backtracking.
  const expression = typeof pattern === 'string' ? linearExpression(pattern) : undefined
  return expression === undefined || expression.test(String(value))
    ? undefined
    : `Invalid value. Must match regex: ${String(pattern)}`
}

const checkLength: Check = (value, options) => {
  const { length } = [...String(value)]
  const [least, most] = [limit(options, 'minLength'), limit(options, 'maxLength')]
  const has = `(it has ${length}).`
  if (least !== undefined && length < least)
    return `Ensure this value has at least ${plural(least, 'character')} ${has}`
  return most !== undefined && length > most
    ? `Ensure this value has at most ${plural(most, 'character')} ${has}`
    : undefined
}

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

const checkMaximum: Check = (value, { max }) =>
  max != null && Number(value) > Number(max) ? `Ensure this value is less than or equal to ${String(max)}.` : undefined
const checkMinimum: Check = (value, { min }) =>
  min != null && Number(value) < Number(min)
    ? `Ensure this value is greater than or equal to ${String(min)}.`
    : undefined

const checkDigits: Check = (value, options) => {
  const [digits, places] = [limit(options, 'maxDigits'), limit(options, 'decimalPlaces')]
  const [, whole = '', decimals = '', exponent = '0'] = /^[-+]?(\d*)\.?(\d*)(?:e(.*))?$/i.exec(String(value)) ?? []
  const shift = Number(exponent) - decimals.length
  const all = `${whole}${decimals}`.replace(/^0+(?=.)/, '')
  const decimalCount = Math.max(0, -shift)
  const count = shift > 0 ? all.length + (all === '0' ? 0 : shift) : Math.max(all.length, decimalCount)
  if (digits !== undefined && count > digits)
    return `Ensure that there are no more than ${plural(digits, 'digit')} in total.`
  if (places !== undefined && decimalCount > places) {
    return `Ensure that there are no more than ${plural(places, 'decimal place')}.`
  }
  return digits !== undefined && places !== undefined && count - decimalCount > digits - places
    ? `Ensure that there are no more than ${plural(digits - places, 'digit')} before the decimal point.`
    : undefined
}

/** The values of choices, as text; a group has a list of choices in place of a label. */
const valuesIn = (choices: Json | undefined): readonly string[] =>
  Array.isArray(choices)
    ? (choices as readonly Json[]).flatMap((choice) => {
        const [value = null, label] = Array.isArray(choice) ? (choice as readonly Json[]) : []
        return Array.isArray(label) ? valuesIn(label) : value === null ? [] : [textOf(value)]
      })
    : []

const checkChoices: Check = (value, { choices }) => {
  const values = valuesIn(choices)
  const wrong = [value].flat().find((item) => !values.includes(String(item)))
  return wrong === undefined ? undefined : notAChoice(String(wrong))
}

const checkFile: Check = (value) =>
  isJsonObject(value) && value.base64 === '' ? 'The submitted file is empty.' : undefined

const checkHostBits: Check = (value) => {
  const network = parseInterface(String(value))
  if (!network) return undefined
  const suggested = formatInterface(networkOf(network))
  return formatInterface(network) === suggested
    ? undefined
    : `${formatInterface(network)} is not a valid prefix. Did you mean ${suggested}?`
}

const checkPrefixLength: Check = (value, options) => {
  const { length } = parseInterface(String(value)) ?? { length: 0 }
  const [least, most] = [limit(options, 'minPrefixLength'), limit(options, 'maxPrefixLength')]
  if (least !== undefined && length < least) return `The prefix length must be greater than or equal to ${least}.`
  return most !== undefined && length > most ? `The prefix length must be less than or equal to ${most}.` : undefined
}

const CHECKS: Readonly<Partial<Record<VariableKind, readonly Check[]>>> = {
  string: [checkPattern, checkLength],
  text: [checkPattern, checkLength],
  integer: [checkMaximum, checkMinimum],
  decimal: [checkMaximum, checkMinimum, checkDigits],
  choice: [checkChoices],
  multiChoice: [checkChoices],
  file: [checkFile],
  ipNetwork: [checkHostBits, checkPrefixLength],
}

/** The id of an object, or several; `"null"` chooses the option that stands for none. */
async function objects(
  type: 'object' | 'multiObject',
  options: JsonObject,
  sent: Json,
  findObjects: FindObjects,
): Promise<Json> {
  const isMultiple = type === 'multiObject'
  if (isMultiple && !isEmpty(sent) && !Array.isArray(sent)) throw new InvalidValue('Enter a list of values.')
  const hasNull = typeof options.nullOption === 'string'
  const items = isMultiple ? ((isEmpty(sent) ? [] : sent) as readonly Json[]) : isEmpty(sent) ? [] : [sent]
  const keys = items.filter((item) => !(hasNull && item === 'null'))
  const isMissing = keys.length === 0 && (isMultiple || items.length === 0)
  if (isMissing && options.required !== false) throw new InvalidValue(REQUIRED)
  const ids = keys.map(idOf)
  const wrong = isMultiple ? keys.find((_, index) => ids[index] === undefined) : undefined
  if (wrong !== undefined) throw new InvalidValue(`“${textOf(wrong)}” is not a valid value.`)
  const requestedIds = ids.filter((id) => id !== undefined)
  const visible = requestedIds.length === 0 ? new Set<number>() : await findObjects(String(options.model), requestedIds)
  const missing = keys.find((_, index) => !visible.has(ids[index] ?? 0))
  if (missing !== undefined) throw new InvalidValue(isMultiple ? notAChoice(textOf(missing)) : NO_CHOICE)
  if (!isMultiple) return requestedIds[0] ?? null
  return keys.length < items.length ? ['null', ...requestedIds] : requestedIds
}

/** The id that Python's `int` makes of a value, by which Django looks for the object. */
function idOf(key: Json): number | undefined {
  if (typeof key === 'boolean') return Number(key)
  const isText = typeof key === 'string' && /^\s*[-+]?\d+(_\d+)*\s*$/.test(key)
  const number = isText ? Number(key.replaceAll('_', '')) : typeof key === 'number' ? Math.trunc(key) : undefined
  return Number.isSafeInteger(number) ? number : undefined
}
