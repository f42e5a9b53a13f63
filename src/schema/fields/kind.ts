import type { Sql } from '../../sql/fragment.ts'
import type { FilterDeclaration } from '../filter.ts'
import type { Json, JsonObject } from '../json.ts'
import type { Outcome } from '../outcome.ts'
import type { ColumnOf } from '../path.ts'
import { shortened } from '../shortened.ts'

/**
 * Value of the field in the body of the n-th example object of its model, undefined if there is no n-th; `id` returns
 * the id of the n-th example object of another model. Needed only if kind, limits and choices do not determine a valid
 * value. For a generic relation, it is the model to refer to. Null: examples omit the field, because other fields
 * decide its value.
 */
export type Example = Json | ((n: number, id: (model: string, n: number) => number) => Json | undefined)

/** Options of every field that has a column. */
export interface StoredOptions<Value> {
  readonly example?: Example
  /** The column accepts null; a body may send null. */
  readonly nullable?: boolean
  /** Value if a body omits the field. A field with neither default nor null is required. */
  readonly default?: Value
  /** Values must be unique; a duplicate is refused with an error on the field itself. */
  readonly unique?: boolean
  /** Stored and filterable, never part of a response (names begin with an underscore). */
  readonly hidden?: boolean
  /** Read from a body although it is hidden. */
  readonly accepted?: boolean
  /** Part of responses, never read from a body. */
  readonly readOnly?: boolean
  /** Read from a body, never part of a response (passwords). */
  readonly writeOnly?: boolean
  /** A password or key that responses show: exports to files for people leave it out. */
  readonly isSecret?: true
  /** Required in a body even with a default or null. */
  readonly required?: boolean
  /** A body may omit it or send null, but the model's rules then refuse it. */
  readonly lateRequired?: boolean
  /** Value if a body omits the field: the time of the request, or the id of its user. */
  readonly defaultFrom?: 'now' | 'user'
  /** PUT without the field sets the default again instead of keeping the stored value. */
  readonly resetOnPut?: boolean
  /** Value computed from the row at each save; never read from a body. */
  readonly compute?: (row: Readonly<Record<string, unknown>>) => Value | null
  /**
   * Whether a filter of the field's name and kind exists. Each kind has its own default. `single` (choices): the last
   * of several values counts, and lookups accept any text.
   */
  readonly filter?: boolean | 'single'
  /** Shown only in the full form if `fields` names it or a condition holds; see read/serialise/. */
  readonly label?: string
  readonly help?: string
  /** Unit shown to people after a number, or the field whose choice is the unit. Pages scale `kbps` to Mbps and so on. */
  readonly unit?: string
  /** Column name if it differs from the field's name (foreign keys add `_id` themselves). */
  readonly column?: string
  /** Expression in responses, if it is not the column itself. */
  readonly shownAs?: (column: ColumnOf) => Sql
  /** Omitted from change records. */
  readonly unlogged?: boolean
  /** Effects of other objects keep the value up to date, so that undos and merges do not set it. */
  readonly maintained?: boolean
}

export interface Stored<Kind extends string, Value> extends StoredOptions<Value> {
  readonly kind: Kind
  /** Type of the value; never present at run time. */
  readonly valueType?: Value
}

/** Options with the value type widened by null if the field is nullable. */
export type ValueOf<Base, O> = O extends { readonly nullable: true } ? Base | null : Base
/** Options of one kind: those of every stored field and the kind's own. */
export type OptionsOf<F extends { readonly kind: string }> = Omit<F, 'kind' | 'valueType'>

/** Builder for a kind without parameters of its own; `defaults` are options that a declaration may override. */
export const builder =
  <F extends { readonly kind: string; readonly valueType?: unknown }>(kind: F['kind']) =>
  <Result>(options: object): Result =>
    Object.freeze({ kind, ...options }) as Result

/** Why a value cannot be imported from a response. */
export class WrongValue extends Error {
  override readonly name = 'WrongValue'
}

/** A value for a body, or the reason why the cell of a table cannot be read. */
export type CellValue = { readonly value: unknown } | { readonly message: string }

/** JSON text of a value that is not null, in the form of the row. */
export type ToText = (value: unknown) => string

/** JSON text of a string. */
export const quote: ToText = (value) => JSON.stringify(String(value))
/** For values without characters that JSON escapes: dates, addresses, UUIDs. */
export const quotePlain: ToText = (value) => `"${value}"`
/** For numbers, and values that are JSON already. */
export const asIs: ToText = String

/** The control of a form in which people enter a value. */
export type ControlKind =
  | 'text'
  | 'password'
  | 'lines'
  | 'number'
  | 'checkbox'
  | 'date'
  | 'textOrNull'
  | 'timeZone'
  | 'choice'
  | 'choices'
  | 'file'
  | 'json'
  | 'entries'
  | 'numbers'
  | 'ranges'
  | 'textPerLine'
  | 'pairPerLine'
  | 'objectType'
  | 'objectTypes'

/** How GraphQL names the type of a value; `list`: one of GraphQL's lists of that item. */
export type GraphqlType =
  | 'Int'
  | 'String'
  | 'Boolean'
  | 'BigInt'
  | 'Decimal'
  | 'Date'
  | 'DateTime'
  | 'UUID'
  | 'JSON'
  | '[Int!]'
  | '[String!]'
  | '[[String!]!]'

/** How GraphQL compares the values of a lookup. */
export type LookupType = 'text' | 'choice' | 'colour' | 'integer' | 'decimal' | 'boolean' | 'date' | 'dateTime' | 'list'

/** Whether the name, `app.model`, is that of a public model; with a feature, of one that has it. */
export type IsObjectType = (name: string, feature: string | undefined) => boolean

/** Everything that the engine needs to know about a kind of field with one column, besides its declaration. */
export interface ScalarKind<F extends Stored<string, unknown>> {
  /** Names of the options that other kinds do not have. */
  readonly options: Readonly<Record<Exclude<keyof F, keyof Stored<string, unknown>>, true>>
  /** PostgreSQL type of the column. */
  readonly columnType: (field: F) => string
  /** A value of a body, never null, in the row's form (`RowOf` of schema/rule.ts). */
  readonly parse: (field: F, input: unknown, isObjectType: IsObjectType) => Outcome
  /** What null in a body means, if it is not null itself. */
  readonly parseNull?: (field: F) => Outcome
  /** The row's value for a value in a response of another service. Throws WrongValue. Default: a text. */
  readonly restore?: (value: NonNullable<Json>, field: F) => unknown
  /** Value that represents null in columns that cannot store it. */
  readonly empty?: unknown
  /** The value in a body for a cell of an imported table. Default: the cell itself. */
  readonly cell?: (input: unknown, field: F) => CellValue
  /** The value in a body for an empty cell; undefined if the field cannot be cleared. Default: null. */
  readonly cleared?: (field: F) => unknown
  /** The selected expression, if it is not just the column. */
  readonly select?: (column: Sql, field: F) => Sql
  /** JSON text of a value in responses. */
  readonly text: (field: F) => ToText
  /** JSON text of a value in change records (NetBox 4.6.8's form), if it differs from that of the row's value. */
  readonly recorded?: (field: F) => ToText
  /** The filter that every field of the kind has. */
  readonly filter?: (path: string, field: F) => FilterDeclaration
  /** Type and limits in the response to OPTIONS; `isWritable`: a body may contain the field. */
  readonly metadata: (field: F, name: string, isWritable: boolean) => Readonly<Record<string, unknown>>
  /** OpenAPI schema of the value in responses, and in bodies if that differs. */
  readonly schema: (field: F) => JsonObject
  readonly sentSchema?: (field: F) => JsonObject
  readonly graphql: {
    readonly type: (field: F) => GraphqlType
    /** JSON text in GraphQL, if it differs from that of the REST API with bare choices. */
    readonly text?: (field: F) => ToText
    /** Name of the input by which objects are filtered, and how it compares. */
    readonly lookup?: (field: F) => readonly [input: string, compared: LookupType] | undefined
  }
  readonly control: (field: F) => ControlKind
}

/** Whether the field accepts the empty text, or the empty list. */
export const isBlank = (field: object): boolean => 'blank' in field && field.blank === true

/** Whether responses may contain the empty text. */
export const mayBeEmpty = (field: object): boolean => isBlank(field) || ('default' in field && field.default === '')

/** The field's name as words: `time_zone` becomes `Time zone`. */
export function nameAsWords(name: string): string {
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The value as it is written in a message. */
export const printed = (value: unknown): string => {
  const whole = JSON.stringify(value) ?? 'nothing'
  return shortened(whole, 61)
}

/** A text of a response. Throws WrongValue. */
export const restoredText = (value: NonNullable<Json>): string => {
  if (typeof value !== 'string') throw new WrongValue(`a text is expected, not ${printed(value)}`)
  return value
}

/** A list of a response. Throws WrongValue. */
export const restoredList = (value: NonNullable<Json>): readonly Json[] => {
  if (!Array.isArray(value)) throw new WrongValue(`a list is expected, not ${printed(value)}`)
  return value
}

/** Texts of an OpenAPI schema. */
export const TEXT_SCHEMA: JsonObject = { type: 'string' }
export const limitsSchema = (range: readonly [number, number] | undefined): JsonObject =>
  range ? { minimum: range[0], maximum: range[1] } : {}

/** For kinds whose values are texts of a fixed form, such as dates: JSON escapes nothing in them. */
export const PLAIN_TEXT: Pick<ScalarKind<Stored<string, unknown>>, 'text' | 'schema' | 'control'> = {
  text: () => quotePlain,
  schema: () => TEXT_SCHEMA,
  control: () => 'textOrNull',
}
