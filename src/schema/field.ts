import type { Messages } from '../errors.ts'
import type { Sql } from '../sql/fragment.ts'
import type { ChoiceSet, ChoiceValue } from './choices.ts'
import type { FieldQuery, LoadComputed } from './computed.ts'
import type { FilterDeclaration } from './filter.ts'
import type { Json } from './json.ts'
import type { ColumnOf } from './path.ts'

/**
 * Fields of a nested object, in order. A pair gives the form of a field that differs from its usual one: a
 * projection, or bare (a relation's id, a choice's value).
 */
export type NestedProjection = readonly (string | readonly [string, NestedProjection | 'bare'])[]

/**
 * Value of the field in the body of the n-th example object of its model, undefined if there is no n-th; `id` is the id of
 * the n-th example object of another model. Needed only where kind, limits and choices do not determine a valid value. For a
 * generic relation it is the model to refer to. Null: examples omit the field, since other fields decide what it may hold.
 */
export type Example =
  | Json
  | ((n: number, id: (model: string, n: number) => number) => Json | undefined)

/** Options of every field that has a column. */
export interface StoredOptions<Value> {
  readonly example?: Example
  /** The column accepts null; a body may send null. */
  readonly nullable?: boolean
  /** Value where a body omits the field. A field with neither default nor null is required. */
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
  /** Value where a body omits the field: the time of the request, or the id of its user. */
  readonly defaultFrom?: 'now' | 'user'
  /** PUT without the field sets the default again instead of keeping the stored value. */
  readonly resetOnPut?: boolean
  /** Value computed from the row at each save; never read from a body. */
  readonly compute?: (row: Readonly<Record<string, unknown>>) => Value | null
  /**
   * Whether a filter of the field's name and kind exists. Each kind has its default. `single` (choices): the last of
   * several values counts, and lookups accept any text.
   */
  readonly filter?: boolean | 'single'
  /** Shown only in the full form where `fields` names it or a condition holds; see output/. */
  readonly label?: string
  readonly help?: string
  /** Unit that people read behind a number; or the field whose choice is the unit. */
  readonly unit?: string
  /** Column name if it differs from the field's name (foreign keys add `_id` themselves). */
  readonly column?: string
  /** Omitted from change records. */
  readonly unlogged?: boolean
}

interface Stored<Kind extends string, Value> extends StoredOptions<Value> {
  readonly kind: Kind
  /** Type of the value; never present at run time. */
  readonly valueType?: Value
}

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
  readonly pattern?: readonly [RegExp, string]
}
export interface IntegerField<Value = number> extends Stored<'integer', Value> {
  readonly size: 'small' | 'normal' | 'big'
  readonly range?: readonly [number, number]
}
export interface DecimalField<Value = string> extends Stored<'decimal', Value> {
  readonly digits: number
  readonly places: number
  readonly range?: readonly [number, number]
}
export interface BooleanField<Value = boolean> extends Stored<'boolean', Value> {}
export interface DateField<Value = string> extends Stored<'date', Value> {}
export interface DateTimeField<Value = string> extends Stored<'dateTime', Value> {
  /** Set by the pipeline: at insert, or at every save. */
  readonly auto?: 'insert' | 'save'
}
export interface JsonField<Value = Json> extends Stored<'json', Value> {
  /** Only objects are accepted. */
  readonly objectOnly?: boolean
  /** Stored as it was written (json, not jsonb): for values that are often stored and seldom queried. */
  readonly verbatim?: boolean
}
export interface UuidField<Value = string> extends Stored<'uuid', Value> {}
export interface ChoiceField<Value = ChoiceValue> extends Stored<'choice', Value> {
  readonly choices: ChoiceSet
  readonly max?: number
  /** '' may be stored and sent; responses show it as null. */
  readonly blank?: boolean
  /** Responses show the bare value instead of {value, label}. */
  readonly bare?: boolean
}
/** Host address with the mask length of its network: PostgreSQL inet. */
export interface AddressField<Value = string> extends Stored<'address', Value> {
  /** All values are hosts without a network: those of a network are a range, which an ordinary index finds. */
  readonly isHost?: boolean
}
/** Network without host bits: PostgreSQL cidr. */
export interface NetworkField<Value = string> extends Stored<'network', Value> {}
/** MAC address (macaddr, 6 bytes) or world wide name (macaddr8, 8 bytes). */
export interface HardwareAddressField<Value = string> extends Stored<'hardwareAddress', Value> {
  readonly bytes: 6 | 8
}
/** An image or file below the media directory; the column contains the relative path. */
export interface FileField<Value = string> extends Stored<'file', Value> {
  readonly image: boolean
  /** Directory below the media directory. */
  readonly directory: string
  readonly blank?: boolean
}
export type ListItem = 'text' | 'integer' | 'network' | 'json' | 'textPair' | 'range'
/** PostgreSQL array. `range` items are `[low, high]` inclusive and stored as int4range. */
export interface ListField<Value = readonly Json[]> extends Stored<'list', Value> {
  readonly of: ListItem
  readonly choices?: ChoiceSet
  readonly range?: readonly [number, number]
  readonly blank?: boolean
  readonly max?: number
  /** Rows are searched by the list's content: it has an index. */
  readonly isSearched?: boolean
}
/** Names of object types, `app.model`, stored as text[]. */
export interface ObjectTypesField<Value = readonly string[]> extends Stored<'objectTypes', Value> {
  /** Feature that the model must have; absent: any public model. */
  readonly feature?: string
}
/** Name of one object type, `app.model`, stored as text. */
export interface ObjectTypeField<Value = string> extends Stored<'objectType', Value> {
  readonly feature?: string
}

export type OnDelete = 'protect' | 'restrict' | 'cascade' | 'setNull'
/** How a body identifies a related object. */
export type ReferenceFormat = 'idOrAttributes' | 'id' | 'slug'

export interface ForeignKeyField<Value = number> extends Stored<'foreignKey', Value> {
  readonly to: string
  readonly onDelete: OnDelete
  /** Name of the inverse relation, for paths: Site.devices. Absent: the referring model's own name; '+': none. */
  readonly related?: string
  readonly write: ReferenceFormat
  /** Responses show a bare id instead of a nested object. */
  readonly bare?: boolean
  /** Fields of the nested object if they differ from the target's `nested`. */
  readonly projection?: NestedProjection
  /**
   * Name of a field to an object with the same reference: the foreign key constraint of that one suffices, so the
   * database does not check this one.
   */
  readonly repeats?: string
  /** Filters beyond `<name>` and `<name>_id`; their paths start at the model. */
  readonly filters?: Readonly<Record<string, FilterDeclaration>>
}
export interface ManyToManyField {
  readonly example?: Example
  readonly kind: 'manyToMany'
  readonly to: string
  readonly related?: string
  readonly table?: string
  /** Field of the target that owns the join table, of which this relation is the inverse. */
  readonly inverse?: string
  readonly write: ReferenceFormat
  readonly hidden?: boolean
  readonly readOnly?: boolean
  readonly required?: boolean
  readonly bare?: boolean
  readonly projection?: NestedProjection
  /** Order of the nested objects; absent: the target's own order. */
  readonly order?: readonly string[]
  readonly filter?: boolean
  readonly label?: string
  readonly help?: string
  readonly valueType?: readonly number[]
}
/** Refers to a row of one of several models: two columns, `<name>_type` (text) and `<name>_id`. */
export interface GenericForeignKeyField<Nullable extends boolean = boolean> {
  readonly example?: Example
  readonly kind: 'genericForeignKey'
  /** Allowed models; a feature name (`feature:journaling`) allows every model that has it. */
  readonly targets: readonly string[]
  /** Any type is parsed; a type that is no target is refused together with the model's rules, for the object. */
  readonly lateTargets?: boolean
  readonly nullable: Nullable
  readonly typeField?: string
  readonly idField?: string
  /** Name of the nested object in responses; false: omitted. Default: the field's name. */
  readonly shown?: string | false
  readonly readOnly?: boolean
  readonly hidden?: boolean
  /** Creating and replacing require the type although the relation may be empty. */
  readonly typeRequired?: boolean
  /** OPTIONS lists the allowed types. */
  readonly listsTypes?: boolean
  /** Label of the id in OPTIONS if it is not the name as words. */
  readonly idLabel?: string
  /** PUT without type and id clears both instead of leaving them unchanged. */
  readonly resetOnPut?: boolean
  /** Effect of a deletion of the target on this row. */
  readonly onDelete: 'cascade' | 'setNull' | 'keep'
  readonly related?: string
  /** Filters by type and id exist; default: true. */
  readonly filter?: boolean
  /** Fields of the nested object by target, if they differ from the usual ones of generic relations. */
  readonly projections?: Readonly<Record<string, NestedProjection>>
}
export interface TagsField {
  readonly kind: 'tags'
  readonly hidden?: boolean
}
export interface CustomFieldsField {
  readonly kind: 'customFields'
  readonly hidden?: boolean
}
/** Stored number of rows that refer to this one, maintained by the write pipeline. */
export interface CounterField {
  readonly kind: 'counter'
  readonly of: string
  readonly via: string
  readonly hidden?: boolean
  readonly filter?: boolean
}
/** Number of rows of `of` whose path `via` leads to this row, counted per page. */
export interface RelatedCountField {
  readonly kind: 'relatedCount'
  readonly of: string
  readonly via: string
  /** Includes rows that refer to descendants (trees); nested forms show 0. */
  readonly cumulative?: boolean
  /** Counted by the object itself, not by the query of the endpoint: events of all objects show it. */
  readonly belongsToObject?: boolean
}
/** Type of a value without a column. */
export type DerivedType = 'text' | 'integer' | 'decimal' | 'boolean' | 'dateTime' | 'json'
/** A scalar computed by SQL in the query of the page. */
export interface DerivedField {
  readonly kind: 'derived'
  readonly type: DerivedType
  readonly sql: (column: ColumnOf) => Sql
  readonly choices?: ChoiceSet
  readonly nullable: boolean
  /** Whether OPTIONS reports the type; default: for all but booleans. */
  readonly isTyped?: boolean
  /** Of a decimal: maximum number of digits, and of those after the point. */
  readonly digits?: number
  readonly places?: number
  /** Computed by the query of the endpoint: events of objects that no request names leave it out. */
  readonly ofEndpoint?: boolean
  /** Unit that people read behind a number. */
  readonly unit?: string
}
/** A nested object whose id is computed by SQL in the query of the page. */
export interface DerivedKeyField {
  readonly kind: 'derivedKey'
  readonly to: string
  readonly sql: (column: ColumnOf) => Sql
  readonly projection?: NestedProjection
}
/** Nested objects of `of` that refer to this one by `via` (a foreign key, a generic one, or many to many). */
export interface ReverseField {
  readonly kind: 'reverse'
  readonly of: string
  readonly via: string
  /** One object or null instead of a list. */
  readonly single?: boolean
  readonly projection?: NestedProjection
  readonly order?: readonly string[]
}
/** Any other value: computed for a whole page at once by a function beside the model. */
export interface ComputedField {
  readonly example?: Example
  readonly kind: 'computed'
  readonly load: LoadComputed
  /** OpenAPI schema of the value. */
  readonly schema: Json
  /** Fields with columns of their own whose stored values `load` uses; read with the page's other columns. */
  readonly columns?: readonly string[]
  /** Queries whose results `load` uses; sent with all others about the page's rows. */
  readonly queries?: readonly FieldQuery[]
  /** Omitted if `exclude` names it. */
  readonly excludable?: boolean
  /**
   * Parses the value in a body: the value that rules and effects see in the row, or why it is refused. Absent: the
   * field is read-only.
   */
  readonly input?: (input: unknown) => { readonly value: unknown } | { readonly refused: Messages }
  /** Read from a body, never part of a response. */
  readonly writeOnly?: boolean
  /** Ids, bigint[], that rows and change records contain for it, by the id of the row. */
  readonly recorded?: (id: Sql) => Sql
  /** Models of the objects that it lists, each as `nested` gives it: GraphQL shows them in any form. */
  readonly objects?: readonly string[]
}

export type ScalarField =
  | TextField<unknown>
  | IntegerField<unknown>
  | DecimalField<unknown>
  | BooleanField<unknown>
  | DateField<unknown>
  | DateTimeField<unknown>
  | JsonField<unknown>
  | UuidField<unknown>
  | ChoiceField<unknown>
  | AddressField<unknown>
  | NetworkField<unknown>
  | HardwareAddressField<unknown>
  | FileField<unknown>
  | ListField<unknown>
  | ObjectTypesField<unknown>
  | ObjectTypeField<unknown>
/** Fields with exactly one column, whose value rows contain. */
export type StoredField = ScalarField | ForeignKeyField<unknown>
/** All kinds of fields; tables keyed by `FieldKind` make the engine handle each of them. */
export type Field =
  | StoredField
  | ManyToManyField
  | GenericForeignKeyField
  | TagsField
  | CustomFieldsField
  | CounterField
  | RelatedCountField
  | DerivedField
  | DerivedKeyField
  | ReverseField
  | ComputedField
export type FieldKind = Field['kind']
export type Fields = Readonly<Record<string, Field>>
/** An empty set of fields. */
export type NoFields = Readonly<Record<never, never>>

/** Options with the value type widened by null if the field is nullable. */
type ValueOf<Base, O> = O extends { readonly nullable: true } ? Base | null : Base
/** Options of one kind: those of every stored field and the kind's own. */
type OptionsOf<F extends { readonly kind: string }> = Omit<F, 'kind' | 'valueType'>

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

/** Builder for a kind without parameters of its own; `defaults` are options that a declaration may override. */
const builder =
  <F extends Field & { readonly valueType?: unknown }>(kind: F['kind']) =>
  <Result>(options: object): Result =>
    Object.freeze({ kind, ...options }) as Result

/** Whole number; `size` is that of the column: 16, 32 or 64 bits. */
export const integer = <const O extends Partial<OptionsOf<IntegerField>>>(
  options: O,
): IntegerField<ValueOf<number, O>> =>
  builder<IntegerField>('integer')({ size: 'normal', ...options })
/** Exact number of at most `digits` digits, `places` of them after the point; a text in rows. */
export const decimal = <const O extends OptionsOf<DecimalField>>(
  options: O,
): DecimalField<ValueOf<string, O>> => builder<DecimalField>('decimal')(options)
export const boolean = <const O extends OptionsOf<BooleanField>>(
  options: O,
): BooleanField<ValueOf<boolean, O>> => builder<BooleanField>('boolean')(options)
/** Calendar date, YYYY-MM-DD. */
export const date = <const O extends OptionsOf<DateField>>(
  options: O,
): DateField<ValueOf<string, O>> => builder<DateField>('date')(options)
/** Timestamp, ISO 8601 UTC with microseconds. */
export const dateTime = <const O extends OptionsOf<DateTimeField>>(
  options: O,
): DateTimeField<ValueOf<string, O>> => builder<DateTimeField>('dateTime')(options)
export const json = <const O extends OptionsOf<JsonField>>(
  options: O,
): JsonField<ValueOf<Json, O>> => builder<JsonField>('json')(options)
export const uuid = <const O extends OptionsOf<UuidField>>(
  options: O,
): UuidField<ValueOf<string, O>> => builder<UuidField>('uuid')(options)
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
/** Address of a host with the mask length of its network: 192.0.2.1/24. */
export const address = <const O extends OptionsOf<AddressField>>(
  options: O,
): AddressField<ValueOf<string, O>> => builder<AddressField>('address')(options)
/** Network with its mask length, host bits zero: 192.0.2.0/24. */
export const network = <const O extends OptionsOf<NetworkField>>(
  options: O,
): NetworkField<ValueOf<string, O>> => builder<NetworkField>('network')(options)
/** Hardware address of 6 or 8 bytes, upper case with colons. */
export const hardwareAddress = <const O extends OptionsOf<HardwareAddressField>>(
  options: O,
): HardwareAddressField<ValueOf<string, O>> =>
  builder<HardwareAddressField>('hardwareAddress')(options)
export const file = <const O extends OptionsOf<FileField>>(
  options: O,
): FileField<ValueOf<string, O>> => builder<FileField>('file')(options)

/** Value types of list items. */
interface ListValues {
  text: string
  integer: number
  network: string
  json: Json
  textPair: readonly [string, string]
  range: readonly [number, number]
}
export const list = <const Of extends ListItem, const O extends Omit<OptionsOf<ListField>, 'of'>>(
  of: Of,
  options: O,
): ListField<ValueOf<readonly ListValues[Of][], O>> =>
  builder<ListField>('list')({ of, ...options })
export const objectTypes = <const O extends OptionsOf<ObjectTypesField>>(
  options: O,
): ObjectTypesField<ValueOf<readonly string[], O>> =>
  builder<ObjectTypesField>('objectTypes')(options)
export const objectType = <const O extends OptionsOf<ObjectTypeField>>(
  options: O,
): ObjectTypeField<ValueOf<string, O>> => builder<ObjectTypeField>('objectType')(options)

/**
 * Reference to one row of another model; the row contains its id. By default a row with references cannot be deleted
 * (see `onDelete`). With `setNull` the reference is nullable.
 */
export const foreignKey = <const O extends Partial<Omit<OptionsOf<ForeignKeyField>, 'to'>>>(
  to: string,
  options?: O,
): ForeignKeyField<
  O extends { readonly onDelete: 'setNull' } ? number | null : ValueOf<number, O>
> =>
  builder<ForeignKeyField>('foreignKey')({
    to,
    write: 'idOrAttributes',
    onDelete: 'protect',
    ...(options?.onDelete === 'setNull' && { nullable: true }),
    ...options,
  })
export const manyToMany = (
  to: string,
  options: Partial<Omit<ManyToManyField, 'kind' | 'to'>> = {},
): ManyToManyField => Object.freeze({ kind: 'manyToMany', to, write: 'id', ...options })
export const genericForeignKey = <const Nullable extends boolean>(
  targets: readonly string[],
  options: Omit<GenericForeignKeyField<Nullable>, 'kind' | 'targets' | 'onDelete'> & {
    readonly onDelete?: GenericForeignKeyField['onDelete']
  },
): GenericForeignKeyField<Nullable> =>
  Object.freeze({ kind: 'genericForeignKey', targets, onDelete: 'cascade', ...options })
export const tags = (options: Pick<TagsField, 'hidden'> = {}): TagsField =>
  Object.freeze({ kind: 'tags', ...options })
export const customFields = (options: Pick<CustomFieldsField, 'hidden'> = {}): CustomFieldsField =>
  Object.freeze({ kind: 'customFields', ...options })
export const counter = (
  of: string,
  via: string,
  options: Pick<CounterField, 'hidden' | 'filter'> = {},
): CounterField => Object.freeze({ kind: 'counter', of, via, ...options })
export const relatedCount = (
  of: string,
  via: string,
  options: Pick<RelatedCountField, 'belongsToObject'> = {},
): RelatedCountField => Object.freeze({ kind: 'relatedCount', of, via, ...options })
/** As `relatedCount`, over the whole subtree. */
export const subtreeCount = (of: string, via: string): RelatedCountField =>
  Object.freeze({ kind: 'relatedCount', of, via, cumulative: true })
export const derived = (
  type: DerivedType,
  sql: (column: ColumnOf) => Sql,
  options: Partial<Omit<DerivedField, 'kind' | 'type' | 'sql'>> = {},
): DerivedField => Object.freeze({ kind: 'derived', type, sql, nullable: false, ...options })
export const derivedKey = (
  to: string,
  sql: (column: ColumnOf) => Sql,
  options: Pick<DerivedKeyField, 'projection'> = {},
): DerivedKeyField => Object.freeze({ kind: 'derivedKey', to, sql, ...options })
export const reverse = (
  of: string,
  via: string,
  options: Pick<ReverseField, 'single' | 'projection' | 'order'> = {},
): ReverseField => Object.freeze({ kind: 'reverse', of, via, ...options })
export const computed = (
  schema: Json,
  load: LoadComputed,
  options: Pick<
    ComputedField,
    'columns' | 'queries' | 'excludable' | 'input' | 'recorded' | 'example' | 'objects'
  > = {},
): ComputedField => Object.freeze({ kind: 'computed', schema, load, ...options })
/** Option of a write; neither stored nor part of a response. */
export const instruction = (
  schema: Json,
  input: NonNullable<ComputedField['input']>,
): ComputedField =>
  Object.freeze({ kind: 'computed', schema, load: async () => new Map(), input, writeOnly: true })
