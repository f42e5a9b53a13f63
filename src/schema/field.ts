import type { Messages } from '../base/errors.ts'
import type { Sql } from '../sql/fragment.ts'
import type { ChoiceSet } from './choices.ts'
import type { FieldQuery, LoadComputed } from './computed.ts'
import { addressKind, hardwareAddressKind, networkKind } from './fields/address.ts'
import { booleanKind } from './fields/boolean.ts'
import { choiceKind } from './fields/choice.ts'
import { dateKind, dateTimeKind } from './fields/date.ts'
import { decimalKind } from './fields/decimal.ts'
import { fileKind } from './fields/file.ts'
import { integerKind } from './fields/integer.ts'
import { jsonKind } from './fields/json.ts'
import { builder, type Example, type OptionsOf, type ScalarKind, type Stored, type ValueOf } from './fields/kind.ts'
import { listKind } from './fields/list.ts'
import { objectTypeKind, objectTypesKind } from './fields/object-type.ts'
import { textKind } from './fields/text.ts'
import { uuidKind } from './fields/uuid.ts'
import type { FilterDeclaration } from './filter.ts'
import type { Json, JsonObject } from './json.ts'
import type { ColumnOf } from './path.ts'

export { address, hardwareAddress, network } from './fields/address.ts'
export { boolean } from './fields/boolean.ts'
export { choice } from './fields/choice.ts'
export { date, dateTime } from './fields/date.ts'
export { decimal } from './fields/decimal.ts'
export { file } from './fields/file.ts'
export { integer } from './fields/integer.ts'
export { json } from './fields/json.ts'
export { list } from './fields/list.ts'
export { objectType, objectTypes } from './fields/object-type.ts'
export { color, email, slug, text, timeZone, url } from './fields/text.ts'
export { uuid } from './fields/uuid.ts'

/**
 * Fields of a nested object, in order. A pair specifies a form of a field that differs from its usual one: a
 * projection, or bare (a relation's id, a choice's value).
 */
export type NestedProjection = readonly (string | readonly [string, NestedProjection | 'bare'])[]

export type OnDelete = 'protect' | 'restrict' | 'cascade' | 'setNull'
/** How a body identifies a related object. */
export type ReferenceFormat = 'idOrAttributes' | 'id' | 'slug'

export interface ForeignKeyField<Value = number> extends Stored<'foreignKey', Value> {
  readonly to: string
  readonly onDelete: OnDelete
  /**
   * Name of the inverse relation, for paths: Site.devices. Absent: the referring model's own name; '+': no inverse
   * relation.
   */
  readonly related?: string
  readonly write: ReferenceFormat
  /** Responses show a bare id instead of a nested object. */
  readonly bare?: boolean
  /** Fields of the nested object if they differ from the target's `nested`. */
  readonly projection?: NestedProjection
  /**
   * Name of a field that refers to the same object: its foreign key constraint suffices, so the database does not check
   * this one.
   */
  readonly repeats?: string
  /** Filters beyond `<name>` and `<name>_id`; their paths start at the model. */
  readonly filters?: Readonly<Record<string, FilterDeclaration>>
  /** Filters of the objects that forms offer. */
  readonly offered?: JsonObject
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
  /** Filters of the objects that forms offer. */
  readonly offered?: JsonObject
}
/** Refers to a row of one of several models: two columns, `<name>_type` (text) and `<name>_id`. */
export interface GenericForeignKeyField<Nullable extends boolean = boolean> {
  readonly example?: Example
  readonly kind: 'genericForeignKey'
  /**
   * Allowed models; a feature name (`feature:journaling`) allows every model that has it, `*` all models, and `independent`
   * those whose visibility does not depend on that of another object.
   */
  readonly targets: readonly string[]
  /** Any type is parsed; the model's rules refuse a type that is not a target. */
  readonly lateTargets?: boolean
  /** A body may have the object as well: `{app_label, model, object_id}`, or `id` instead. */
  readonly takesObject?: true
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
  /** Counted by the object itself, not by the query of the endpoint: events of all objects include it. */
  readonly belongsToObject?: boolean
}
/** Type of a value without a column. */
export type DerivedType = 'text' | 'integer' | 'decimal' | 'boolean' | 'date' | 'dateTime' | 'json'
/** A scalar computed by SQL in the query of the page. */
export interface DerivedField {
  readonly kind: 'derived'
  readonly type: DerivedType
  readonly sql: (column: ColumnOf) => Sql
  readonly choices?: ChoiceSet
  readonly nullable: boolean
  /** Whether OPTIONS reports the type; default: for all but booleans. */
  readonly isTyped?: boolean
  /** For a decimal: the maximum number of digits, and of those after the point. */
  readonly digits?: number
  readonly places?: number
  /** Computed by the query of the endpoint; events of objects that no request names leave it out. */
  readonly ofEndpoint?: boolean
  /** Unit shown to people after a number. */
  readonly unit?: string
  /** The expression of a computed field that users have defined. */
  readonly expression?: string
  /** A default column of lists. */
  readonly inLists?: boolean
  /** Names of other models whose objects the expression reads: without permission to view all of them, it is hidden. */
  readonly reads?: () => ReadonlySet<string>
  readonly label?: string
  readonly help?: string
  /** Parses the value in a body, which rules and effects then see in the row; absent: the field is read-only. */
  readonly input?: ComputedField['input']
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
/** Any other value: computed for a whole page at once by a function next to the model. */
export interface ComputedField {
  readonly example?: Example
  readonly kind: 'computed'
  readonly load: LoadComputed
  /** OpenAPI schema of the value. */
  readonly schema: Json
  /** Fields with columns of their own whose stored values `load` uses; read with the page's other columns. */
  readonly columns?: readonly string[]
  /** Queries whose results `load` uses; sent together with all others about the page's rows. */
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
  /**
   * Its items link positions of a port to positions of another port, whose field this property names; forms offer these
   * as choices.
   */
  readonly linksTo?: string
  /**
   * What rows and change records contain for it: ids, bigint[], of objects of the model `of`, by row id. `isValue`: a
   * JSON list in the form of the body instead, for parts without change records.
   */
  readonly recorded?: { readonly of: string; readonly ids: (id: Sql) => Sql; readonly isValue?: boolean }
  /** Models of the listed objects, each shown as its `nested` form; GraphQL shows them in any form. */
  readonly objects?: readonly string[]
  /**
   * Names of many-to-many fields by the models of their objects, which the field shows as one list. A body may contain
   * that list instead of theirs.
   */
  readonly joins?: Readonly<Record<string, string>>
  readonly label?: string
  readonly help?: string
}

/**
 * Everything about the kinds of fields that hold one value. A kind is a file in `fields/`, a line here and one in
 * `ScalarField`.
 */
export const SCALAR_KINDS = {
  text: textKind,
  integer: integerKind,
  decimal: decimalKind,
  boolean: booleanKind,
  date: dateKind,
  dateTime: dateTimeKind,
  json: jsonKind,
  uuid: uuidKind,
  choice: choiceKind,
  address: addressKind,
  network: networkKind,
  hardwareAddress: hardwareAddressKind,
  file: fileKind,
  list: listKind,
  objectTypes: objectTypesKind,
  objectType: objectTypeKind,
} as const

type FieldOf<Kind> = Kind extends ScalarKind<infer F> ? F : never
export type ScalarField = FieldOf<(typeof SCALAR_KINDS)[keyof typeof SCALAR_KINDS]>

/** Definition of the field's kind. */
export const kindOf = (field: ScalarField): ScalarKind<ScalarField> =>
  // The table's entry fits the field's kind, but the compiler cannot infer that through a union.
  SCALAR_KINDS[field.kind] as unknown as ScalarKind<ScalarField>

export const isScalar = (field: Field): field is ScalarField => field.kind in SCALAR_KINDS

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

/**
 * Reference to one row of another model; the row contains its id. By default a row with references cannot be deleted
 * (see `onDelete`). With `setNull` the reference is nullable.
 */
export const foreignKey = <const O extends Partial<Omit<OptionsOf<ForeignKeyField>, 'to'>>>(
  to: string,
  options?: O,
): ForeignKeyField<O extends { readonly onDelete: 'setNull' } ? number | null : ValueOf<number, O>> =>
  builder<ForeignKeyField>('foreignKey')({
    to,
    write: 'idOrAttributes',
    onDelete: 'protect',
    ...(options?.onDelete === 'setNull' && { nullable: true }),
    ...options,
  })
export const manyToMany = (to: string, options: Partial<Omit<ManyToManyField, 'kind' | 'to'>> = {}): ManyToManyField =>
  Object.freeze({ kind: 'manyToMany', to, write: 'id', ...options })
export const genericForeignKey = <const Nullable extends boolean>(
  targets: readonly string[],
  options: Omit<GenericForeignKeyField<Nullable>, 'kind' | 'targets' | 'onDelete'> & {
    readonly onDelete?: GenericForeignKeyField['onDelete']
  },
): GenericForeignKeyField<Nullable> =>
  Object.freeze({ kind: 'genericForeignKey', targets, onDelete: 'cascade', ...options })
export const tags = (options: Pick<TagsField, 'hidden'> = {}): TagsField => Object.freeze({ kind: 'tags', ...options })
export const customFields = (options: Pick<CustomFieldsField, 'hidden'> = {}): CustomFieldsField =>
  Object.freeze({ kind: 'customFields', ...options })
export const counter = (of: string, via: string, options: Pick<CounterField, 'hidden' | 'filter'> = {}): CounterField =>
  Object.freeze({ kind: 'counter', of, via, ...options })
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
    'columns' | 'queries' | 'excludable' | 'input' | 'linksTo' | 'recorded' | 'example' | 'objects'
  > = {},
): ComputedField => Object.freeze({ kind: 'computed', schema, load, ...options })
/** The objects of several many-to-many fields, by the models of the objects, as one list. */
export const joinedLists = (
  joins: Readonly<Record<string, string>>,
  options: Pick<ComputedField, 'label' | 'help' | 'example'> = {},
): ComputedField =>
  Object.freeze({ kind: 'computed', schema: JOINED_SCHEMA, load: async () => new Map(), joins, ...options })
const JOINED_SCHEMA: Json = {
  type: 'array',
  items: {
    type: 'object',
    required: ['app_label', 'model', 'id'],
    properties: {
      app_label: { type: 'string' },
      model: { type: 'string' },
      id: { type: 'integer' },
      object: { type: 'object', readOnly: true },
    },
  },
}
/** Option of a write; neither stored nor part of a response. */
export const instruction = (schema: Json, input: NonNullable<ComputedField['input']>): ComputedField =>
  Object.freeze({ kind: 'computed', schema, load: async () => new Map(), input, writeOnly: true })
