import type { ChoiceSet, ChoiceValue } from '../schema/choices.ts'
import type { DerivedType, ListItem, ScalarField } from '../schema/field.ts'
import { type Sql, sql } from '../sql/fragment.ts'
import { BASE } from './base.ts'
import {
  booleanBytes,
  bytesByText,
  plainBytes,
  quotedBytes,
  sameBytes,
  timestampBytes,
  type WriteBytes,
} from './value-bytes.ts'

/** JSON text of a value that is not null, as the row carries it. */
export type ToText = (value: unknown) => string

/** JSON text of a string. */
export const quote = (value: unknown): string => JSON.stringify(String(value))

/** For values that hold nothing which JSON would escape: dates, addresses, UUIDs. */
const quotePlain: ToText = (value) => `"${value}"`
/** A path as a URL holds it. */
const urlPath: ToText = (path) => String(path).split('/').map(encodeURIComponent).join('/')

/** JSON text of a value that may be null. */
export const orNull =
  (toText: ToText): ToText =>
  (value) =>
    value === null ? 'null' : toText(value)

/** How a value that is not null is written. */
export interface ValueForm {
  readonly text: ToText
  /** From its text as the database sent it, where that is possible. */
  readonly bytes?: WriteBytes
}

export const QUOTED: ValueForm = { text: quote, bytes: quotedBytes }
export const QUOTED_PLAIN: ValueForm = { text: quotePlain, bytes: plainBytes }
export const AS_IS: ValueForm = { text: String, bytes: sameBytes }
const BOOLEAN: ValueForm = { text: String, bytes: booleanBytes }
const TIMESTAMP: ValueForm = { text: quotePlain, bytes: timestampBytes }

/** How a value of one kind is selected and written. */
interface Wording<F> {
  /** The selected expression, if it is not the column itself. */
  readonly select?: (column: Sql, field: F) => Sql
  readonly form: (field: F) => ValueForm
}

const always = (form: ValueForm): Wording<unknown> => ({ form: () => form })

/** Every kind of value that has a column of its own, and how it is shown. */
const WORDINGS: {
  readonly [K in ScalarField['kind']]: Wording<Extract<ScalarField, { kind: K }>>
} = {
  text: always(QUOTED),
  integer: always(AS_IS),
  decimal: always(AS_IS),
  boolean: always(BOOLEAN),
  date: always(QUOTED_PLAIN),
  dateTime: always(TIMESTAMP),
  json: always(AS_IS),
  uuid: always(QUOTED_PLAIN),
  choice: { form: ({ choices, bare }) => (bare ? BARE_CHOICE : labelledChoice(choices)) },
  // The function, unlike the type's output, keeps the length of a host: 192.0.2.1/32.
  address: { select: (column) => sql`text(${column})`, form: () => QUOTED_PLAIN },
  network: always(QUOTED_PLAIN),
  hardwareAddress: always({ text: (value) => `"${String(value).toUpperCase()}"` }),
  file: always({
    text: (value) => (value === '' ? 'null' : `"${BASE}/media/${urlPath(value)}"`),
  }),
  list: {
    select: (column, { of }) => (of === 'json' ? sql`to_jsonb(${column})` : column),
    form: ({ of }) => ({ text: LISTS[of] }),
  },
  objectTypes: always({ text: (value) => JSON.stringify(value) }),
  objectType: always(QUOTED_PLAIN),
}

const LISTS: Readonly<Record<ListItem, ToText>> = {
  text: (value) => JSON.stringify(value),
  integer: (value) => JSON.stringify(value),
  network: (value) => JSON.stringify(value),
  textPair: (value) => JSON.stringify(value),
  json: String,
  range: (value) => `[${(value as readonly string[]).map(rangeText).join(',')}]`,
}

/** PostgreSQL writes [low, high + 1); people mean both ends to be included. */
function rangeText(range: string): string {
  const [, low = '', high = ''] = /^\[(-?\d*),(-?\d*)\)$/.exec(range) ?? []
  return `[${low === '' ? 'null' : low},${high === '' ? 'null' : Number(high) - 1}]`
}

const bareChoice: ToText = (value) =>
  value === '' ? 'null' : typeof value === 'number' ? String(value) : quote(value)

const BARE_CHOICE: ValueForm = { text: bareChoice }

/** `{"value":…,"label":…}`. A value that has left the set since it was stored is its own label. */
export function labelledChoice(choices: ChoiceSet): ValueForm {
  const texts = new Map<ChoiceValue, string>(
    choices.list.map(({ value, label }) => [value, JSON.stringify({ value, label })]),
  )
  const text: ToText = (value) =>
    texts.get(value as ChoiceValue) ??
    (value === '' ? 'null' : JSON.stringify({ value, label: String(value) }))
  // The bytes of a number and of a text of digits are the same.
  const areTexts = choices.list.every(({ value }) => typeof value === 'string')
  return areTexts ? { text, bytes: bytesByText(texts as Map<string, string>, text) } : { text }
}

/** The expression that is selected for a field with the given column. */
export function selectOf(field: ScalarField, column: Sql): Sql {
  // The table's row fits the field's kind, which the compiler cannot follow through a union.
  const { select } = WORDINGS[field.kind] as Wording<ScalarField>
  return select ? select(column, field) : column
}

/** How a field's value is written; `isBare`: a choice without its label. */
export function valueForm(field: ScalarField, isBare: boolean): ValueForm {
  if (isBare && field.kind === 'choice') return BARE_CHOICE
  const { form } = WORDINGS[field.kind] as Wording<ScalarField>
  return form(field)
}

/** Values that no column holds, by type. */
export const DERIVED: Readonly<Record<DerivedType, ValueForm>> = {
  text: QUOTED,
  integer: AS_IS,
  decimal: AS_IS,
  boolean: BOOLEAN,
  dateTime: TIMESTAMP,
  json: AS_IS,
}
