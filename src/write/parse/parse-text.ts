import type { TextField, TextFormat } from '../../schema/field.ts'
import { isStorableNumber, WrittenScalar } from '../../schema/json.ts'
import { accept, isRefused, NOT_BLANK, type Outcome, type Refused, refuse } from '../outcome.ts'

// NUL cannot be stored in PostgreSQL's text, lone surrogates cannot be encoded in UTF-8.
const UNSTORABLE = /\0|\p{Surrogate}/u

/** A JSON value as text: numbers are converted, booleans and documents are refused. */
export function inputText(input: unknown): { readonly value: string } | Refused {
  const isText = typeof input === 'string' || typeof input === 'number'
  if (!isText && !(input instanceof WrittenScalar)) return refuse('Not a valid string.')
  const text = String(input).trim()
  if (UNSTORABLE.test(text)) return refuse('Null characters and lone surrogates are not allowed.')
  return { value: text }
}

/** Error message for a document with a text or number that cannot be stored, or undefined. */
export function complainOfDocument(input: unknown): string | undefined {
  if (typeof input === 'string') {
    return UNSTORABLE.test(input) ? 'Null characters are not allowed.' : undefined
  }
  if (input instanceof WrittenScalar) {
    return isStorableNumber(input)
      ? undefined
      : `The number ${input.text.slice(0, 30)}… is too long or out of range: write it as a text.`
  }
  if (typeof input !== 'object' || input === null) return undefined
  for (const [name, value] of Object.entries(input)) {
    const complaint = complainOfDocument(name) ?? complainOfDocument(value)
    if (complaint !== undefined) return complaint
  }
  return undefined
}

export function parseTextField(field: TextField<unknown>, input: unknown): Outcome {
  const outcome = inputText(input)
  if (isRefused(outcome)) return outcome
  const text = outcome.value
  if (text === '') return parseBlank(field)
  if (field.max !== undefined && [...text].length > field.max) {
    return refuse(`Ensure this field has no more than ${field.max} characters.`)
  }
  const complaint = FORMATS[field.format](text)
  if (complaint) return refuse(complaint)
  if (field.pattern && !field.pattern[0].test(text)) return refuse(field.pattern[1])
  return accept(text)
}

function parseBlank(field: TextField<unknown>): Outcome {
  // Many rows may have an empty unique name: null is no duplicate of null.
  if (field.nullable && field.unique) return accept(null)
  const isLenient = field.nullable && field.blank !== false && field.format !== 'timeZone'
  if (field.blank || field.default === '' || isLenient) {
    return accept('')
  }
  return refuse(NOT_BLANK)
}

// NetBox 4.6.8 ALLOWED_URL_SCHEMES, the default.
const SCHEMES = 'file|ftp|ftps|http|https|irc|mailto|sftp|ssh|tel|telnet|tftp|vnc|xmpp'
const URL_FORM = new RegExp(`^(?:(?:${SCHEMES}):)[^\\s]+$`, 'iu')
const EMAIL_FORM =
  /^[^\s@"(),:;<>[\]\\]+@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+[\p{L}\p{N}-]{2,}$/u

/** Validation of each format: an error message, or undefined. */
const FORMATS: Readonly<Record<TextFormat, (text: string) => string | undefined>> = {
  plain: () => undefined,
  slug: (text) =>
    /^[-\w]+$/.test(text)
      ? undefined
      : 'Enter a slug of letters, digits, underscores and hyphens only.',
  color: (text) =>
    /^[0-9a-f]{6}$/.test(text)
      ? undefined
      : 'Enter a colour as six hexadecimal digits, lower case.',
  url: (text) => (URL_FORM.test(text) ? undefined : 'Enter a valid URL.'),
  email: (text) => (EMAIL_FORM.test(text) ? undefined : 'Enter a valid email address.'),
  timeZone: (text) => (isTimeZone(text) ? undefined : 'Enter the IANA name of a time zone.'),
}

/** Most time zones that are kept; there are some 600 names. */
const MOST_TIME_ZONES = 1_000

/** Names that have been found to be valid: Intl takes long for each. */
const timeZones = new Set<string>()

function isTimeZone(name: string): boolean {
  if (timeZones.has(name)) return true
  // Intl also accepts offsets, which are not names.
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    if (timeZones.size < MOST_TIME_ZONES) timeZones.add(name)
    return true
  } catch {
    return false
  }
}
