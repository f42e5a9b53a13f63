import { isStorableNumber, WrittenScalar } from '../json.ts'
import { accept, isRefused, NOT_BLANK, type Outcome, type Refused, refuse } from '../outcome.ts'
import { UploadedFile } from '../uploaded-file.ts'
import {
  mayBeEmpty,
  type OptionsOf,
  quote,
  restoredText,
  type ScalarKind,
  type Stored,
  type ValueOf,
  WrongValue,
} from './kind.ts'

/** Validation of a text beyond its length. */
export type TextFormat = 'plain' | 'slug' | 'color' | 'url' | 'email' | 'timeZone'

export interface TextField<Value = string> extends Stored<'text', Value> {
  readonly max?: number
  /** The empty string is accepted. Fields with `default: ''` accept it too. */
  readonly blank?: boolean
  readonly format: TextFormat
  /** Natural, case- and accent-aware order and upper-case expansion; otherwise by code point (C). */
  readonly collation?: 'natural'
  /** A regular expression that the whole value must match, with the error message. */
  readonly pattern?: readonly [Pick<RegExp, 'test'>, string]
}

type TextOptions = Omit<OptionsOf<TextField>, 'format'>

const textOf =
  (format: TextFormat) =>
  <const O extends TextOptions>(options: O): TextField<ValueOf<string, O>> =>
    Object.freeze({ kind: 'text', format, ...options }) as TextField<ValueOf<string, O>>

/** Text of at most `max` characters; unlimited without `max`. */
export const text = textOf('plain')
/** Letters, digits, hyphen and underscore; used in URLs. */
export const slug = textOf('slug')
/** Six hexadecimal digits, lower case. */
export const color = textOf('color')
export const url = textOf('url')
export const email = textOf('email')
/** IANA name of a time zone. */
export const timeZone = textOf('timeZone')

export const textKind: ScalarKind<TextField<unknown>> = {
  options: { max: true, blank: true, format: true, collation: true, pattern: true },
  columnType: () => 'text',
  parse: parseText,
  restore: (value, { max }) => {
    const string = restoredText(value)
    if (max !== undefined && [...string].length > max) {
      throw new WrongValue(`the text is longer than ${max} characters`)
    }
    return string
  },
  empty: '',
  // Exports write colours with `#`, as style sheets do.
  cell: (input, { format }) => ({
    value: format === 'color' && typeof input === 'string' ? input.replace(/^#/, '') : input,
  }),
  cleared: ({ nullable }) => (nullable ? null : ''),
  text: () => quote,
  filter: (path) => ({ kind: 'text', path }),
  metadata: ({ format, max }, name, isWritable) => {
    const longest = format === 'color' ? 6 : max
    return {
      type: name === 'slug' ? 'slug' : (METADATA_TYPES[format] ?? 'string'),
      ...(isWritable && format !== 'timeZone' && longest !== undefined && { max_length: longest }),
    }
  },
  schema: (field) => ({
    type: 'string',
    ...(field.max !== undefined && { maxLength: field.max }),
    ...formOf(field),
  }),
  sentSchema: (field) => ({
    ...textKind.schema(field),
    ...(!mayBeEmpty(field) && { minLength: 1 }),
  }),
  graphql: {
    type: () => 'String',
    lookup: ({ format }) => (format === 'color' ? ['Colour', 'colour'] : ['StrFilterLookup', 'text']),
  },
  control: ({ writeOnly, format, max }) => {
    if (writeOnly) return 'password'
    if (format === 'timeZone') return 'timeZone'
    return format === 'plain' && (max === undefined || max > 500) ? 'lines' : 'text'
  },
}

const METADATA_TYPES: Readonly<Partial<Record<TextFormat, string>>> = {
  slug: 'slug',
  url: 'url',
  email: 'email',
}

const PATTERNS: Readonly<Partial<Record<TextFormat, string>>> = {
  slug: '^[-a-zA-Z0-9_]+$',
  color: '^[0-9a-f]{6}$',
}
const SCHEMA_FORMATS: Readonly<Partial<Record<TextFormat, string>>> = { url: 'uri', email: 'email' }

/** Pattern or format of a text; none if the empty text is allowed, since that matches neither. */
function formOf(field: TextField<unknown>) {
  const pattern = PATTERNS[field.format]
  if (pattern) return { pattern: mayBeEmpty(field) ? `^$|${pattern}` : pattern }
  const format = SCHEMA_FORMATS[field.format]
  return format && !mayBeEmpty(field) ? { format } : {}
}

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
  if (input instanceof UploadedFile) return 'A file cannot be stored here.'
  if (typeof input !== 'object' || input === null) return undefined
  for (const [name, value] of Object.entries(input)) {
    const complaint = complainOfDocument(name) ?? complainOfDocument(value)
    if (complaint !== undefined) return complaint
  }
  return undefined
}

function parseText(field: TextField<unknown>, input: unknown): Outcome {
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
  // Many rows may have an empty unique name: it is stored as null, and nulls are not duplicates.
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
const ALLOWED_SCHEME = new RegExp(`^(?:${SCHEMES}):`, 'i')

/** Whether the text begins with an allowed URL scheme. */
export const hasAllowedScheme = (text: string): boolean => ALLOWED_SCHEME.test(text)

const EMAIL_FORM = /^[^\s@"(),:;<>[\]\\]+@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+[\p{L}\p{N}-]{2,}$/u

/** Validation of each format: an error message, or undefined. */
const FORMATS: Readonly<Record<TextFormat, (text: string) => string | undefined>> = {
  plain: () => undefined,
  slug: (text) =>
    /^[-\w]+$/.test(text) ? undefined : 'Enter a slug of letters, digits, underscores and hyphens only.',
  color: (text) => (/^[0-9a-f]{6}$/.test(text) ? undefined : 'Enter a colour as six hexadecimal digits, lower case.'),
  url: (text) => (URL_FORM.test(text) ? undefined : 'Enter a valid URL.'),
  email: (text) => (EMAIL_FORM.test(text) ? undefined : 'Enter a valid email address.'),
  timeZone: (text) => (isTimeZone(text) ? undefined : 'Enter the IANA name of a time zone.'),
}

/** Maximum number of cached time zones; there are about 600 names. */
const MOST_TIME_ZONES = 1_000

/** Names that were valid before: Intl takes long for each name. */
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
