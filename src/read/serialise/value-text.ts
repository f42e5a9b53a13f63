import type { ChoiceSet, ChoiceValue } from '../../schema/choices.ts'
import type { DerivedType, ListItem, ScalarField } from '../../schema/field.ts'
import { type Sql, sql } from '../../sql/fragment.ts'
import { BASE } from './base.ts'

/** JSON text of a value that is not null, as the row carries it. */
export type ToText = (value: unknown) => string

/** JSON text of a string. */
export const quote = (value: unknown): string => JSON.stringify(String(value))

/** For values that hold nothing which JSON would escape: dates, addresses, UUIDs. */
const quotePlain: ToText = (value) => `"${value}"`
/** Numbers, and what already is JSON. */
const asIs: ToText = String

/** A path as a URL holds it. */
const urlPath: ToText = (path) => String(path).split('/').map(encodeURIComponent).join('/')

/** JSON text of a value that may be null. */
export const orNull =
  (toText: ToText): ToText =>
  (value) =>
    value === null ? 'null' : toText(value)

/** How a value of one kind is selected and written. */
interface Wording<F> {
  /** The selected expression, if it is not the column itself. */
  readonly select?: (column: Sql, field: F) => Sql
  readonly text: (field: F) => ToText
}

const plain = (toText: ToText): Wording<unknown> => ({ text: () => toText })

/** Every kind of value that has a column of its own, and how it is shown. */
const WORDINGS: {
  readonly [K in ScalarField['kind']]: Wording<Extract<ScalarField, { kind: K }>>
} = {
  text: plain(quote),
  integer: plain(asIs),
  decimal: plain(asIs),
  boolean: plain(asIs),
  date: plain(quotePlain),
  dateTime: plain(quotePlain),
  json: plain(asIs),
  uuid: plain(quotePlain),
  choice: { text: ({ choices, bare }) => (bare ? bareChoice : labelledChoice(choices)) },
  // The function, unlike the type's output, keeps the length of a host: 192.0.2.1/32.
  address: { select: (column) => sql`text(${column})`, text: () => quotePlain },
  network: plain(quotePlain),
  hardwareAddress: plain((value) => `"${String(value).toUpperCase()}"`),
  file: plain((value) => (value === '' ? 'null' : `"${BASE}/media/${urlPath(value)}"`)),
  list: {
    select: (column, { of }) => (of === 'json' ? sql`to_jsonb(${column})` : column),
    text: ({ of }) => LISTS[of],
  },
  objectTypes: plain((value) => JSON.stringify(value)),
  objectType: plain(quotePlain),
}

const LISTS: Readonly<Record<ListItem, ToText>> = {
  text: (value) => JSON.stringify(value),
  integer: (value) => JSON.stringify(value),
  network: (value) => JSON.stringify(value),
  textPair: (value) => JSON.stringify(value),
  json: asIs,
  range: (value) => `[${(value as readonly string[]).map(rangeText).join(',')}]`,
}

/** PostgreSQL writes [low, high + 1); people mean both ends to be included. */
function rangeText(range: string): string {
  const [, low = '', high = ''] = /^\[(-?\d*),(-?\d*)\)$/.exec(range) ?? []
  return `[${low === '' ? 'null' : low},${high === '' ? 'null' : Number(high) - 1}]`
}

const bareChoice: ToText = (value) =>
  value === '' ? 'null' : typeof value === 'number' ? String(value) : quote(value)

/** `{"value":…,"label":…}`. A value that has left the set since it was stored is its own label. */
export function labelledChoice(choices: ChoiceSet): ToText {
  const texts = new Map<ChoiceValue, string>(
    choices.list.map(({ value, label }) => [value, JSON.stringify({ value, label })]),
  )
  return (value) =>
    texts.get(value as ChoiceValue) ??
    (value === '' ? 'null' : JSON.stringify({ value, label: String(value) }))
}

/** The expression that is selected for a field with the given column. */
export function selectOf(field: ScalarField, column: Sql): Sql {
  // The table's row fits the field's kind, which the compiler cannot follow through a union.
  const { select } = WORDINGS[field.kind] as Wording<ScalarField>
  return select ? select(column, field) : column
}

/** How a field's value is written; `isBare`: a choice without its label. */
export function valueText(field: ScalarField, isBare: boolean): ToText {
  if (isBare && field.kind === 'choice') return orNull(bareChoice)
  const { text } = WORDINGS[field.kind] as Wording<ScalarField>
  return orNull(text(field))
}

/** Values that no column holds, by type. */
export const DERIVED: Readonly<Record<DerivedType, ToText>> = {
  text: quote,
  integer: asIs,
  decimal: asIs,
  boolean: asIs,
  dateTime: quotePlain,
  json: asIs,
}
