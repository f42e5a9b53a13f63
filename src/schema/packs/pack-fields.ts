import { type Sql, sql } from '../../sql/fragment.ts'
import { boundedName } from '../bounded-name.ts'
import { choices } from '../choices.ts'
import { ownerOptions, tenantOptions } from '../common.ts'
import {
  address,
  boolean,
  choice,
  color,
  date,
  dateTime,
  decimal,
  derived,
  email,
  type Field,
  file,
  foreignKey,
  genericForeignKey,
  hardwareAddress,
  integer,
  json,
  list,
  manyToMany,
  network,
  objectType,
  relatedCount,
  slug,
  text,
  timeZone,
  url,
  uuid,
} from '../field.ts'
import type { Example } from '../fields/kind.ts'
import type { Json, JsonObject } from '../json.ts'
import { linearExpression } from '../linear-expression.ts'
import { SYSTEM } from '../system-models.ts'

/** The kinds of fields. */
export type PackFieldKind =
  | 'text'
  | 'slug'
  | 'url'
  | 'email'
  | 'color'
  | 'time_zone'
  | 'integer'
  | 'duration'
  | 'decimal'
  | 'boolean'
  | 'date'
  | 'datetime'
  | 'uuid'
  | 'json'
  | 'address'
  | 'network'
  | 'mac_address'
  | 'object_type'
  | 'file'
  | 'choice'
  | 'choices'
  | 'texts'
  | 'integers'
  | 'ranges'
  | 'object'
  | 'objects'
  | 'any_object'
  | 'count'
  | 'range_texts'
  | 'computed'

/** A field of a model of a pack, as its document declares it. Which options a field may have depends on its kind. */
export interface PackField {
  readonly kind: PackFieldKind
  readonly label?: string
  readonly help?: string
  /** Null is a value. */
  readonly optional?: boolean
  /** Value if a body omits the field. A field that has none and is not optional is required. */
  readonly default?: Json
  /** Required although it has a default or is optional. */
  readonly required?: boolean
  readonly unique?: boolean
  readonly read_only?: boolean
  /** Bodies may contain it, responses never do. */
  readonly write_only?: boolean
  /**
   * Value in the body of an example object, in whose texts `{n}` is the number of the object; null: examples omit the
   * field, because other fields decide its value.
   */
  readonly example?: Json
  /** False: no filter has the name of the field. */
  readonly filter?: boolean
  /** Maximum number of characters. */
  readonly max?: number
  /** Regular expression that the whole text must match. */
  readonly pattern?: string
  /** The empty text is a value. */
  readonly blank?: boolean
  readonly range?: readonly [number, number]
  readonly digits?: number
  readonly places?: number
  /** Labels by value, or `[value, label, colour]` in order. */
  readonly choices?: Readonly<Record<string, string>> | readonly (readonly string[])[]
  /** Responses show `{value, label}`, as those of built-in models do, instead of the value alone. */
  readonly structured?: boolean
  /** Object type to which a relation leads, or several. */
  readonly to?: string | readonly string[]
  readonly on_delete?: keyof typeof ON_DELETE
  /** Name by which the other object's relations lead back, in expressions and templates. */
  readonly related?: string
  /** Responses show the id alone. */
  readonly bare?: boolean
  /** Field of the related objects by which the filter with the field's name selects; by default slug or id. */
  readonly by?: string
  /** Names of the type and the id of a relation to objects of several types, and of the object in responses. */
  readonly type_field?: string
  readonly id_field?: string
  readonly shown?: string | false
  /** The model and its relation by which objects are counted. */
  readonly of?: string
  readonly via?: string
  /** Field with ranges, which are shown as texts: 80, 8000-8080. */
  readonly from?: string
  /** The value as an expression over the other fields, and its type. */
  readonly expression?: string
  readonly type?: 'text' | 'integer' | 'decimal' | 'boolean' | 'date' | 'dateTime'
  /** Field that gets the number of bytes of a file. */
  readonly size?: string
  /** Texts of JSON bodies contain the file in base64. */
  readonly base64?: boolean
  /** A tab of its own on the pages of the related objects, instead of a panel. */
  readonly tab?: boolean
}

const ON_DELETE = { protect: 'protect', cascade: 'cascade', set_null: 'setNull' } as const

type Option = Exclude<keyof PackField, 'kind'>

const TEXT = { type: 'string', maxLength: 500 }
const FLAG = { type: 'boolean' }
const NAME = { type: 'string', pattern: '^[a-z_][a-z0-9_]*$', maxLength: 50 }
const OBJECT_TYPE = { type: 'string', pattern: '^[a-z][a-z0-9_]*\\.[a-z][a-z0-9]*$', maxLength: 100 }

/** JSON schema of each option: an option without one does not compile. */
const OPTIONS: Readonly<Record<Option, JsonObject>> = {
  label: TEXT,
  help: TEXT,
  optional: FLAG,
  default: {},
  required: FLAG,
  unique: FLAG,
  read_only: FLAG,
  write_only: FLAG,
  filter: FLAG,
  example: {},
  max: { type: 'integer', minimum: 1 },
  pattern: TEXT,
  blank: FLAG,
  range: { type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 2 },
  digits: { type: 'integer', minimum: 1, maximum: 100 },
  places: { type: 'integer', minimum: 0, maximum: 50 },
  choices: {
    anyOf: [
      { type: 'object', minProperties: 1, additionalProperties: TEXT },
      { type: 'array', minItems: 1, items: { type: 'array', minItems: 2, maxItems: 3, items: TEXT } },
    ],
  },
  structured: FLAG,
  to: {
    anyOf: [
      OBJECT_TYPE,
      { type: 'array', minItems: 1, items: { anyOf: [OBJECT_TYPE, { enum: ['*', 'independent'] }] } },
    ],
  },
  on_delete: { enum: Object.keys(ON_DELETE) },
  related: { type: 'string', pattern: '^([a-z_][a-z0-9_]*|[+])$', maxLength: 50 },
  bare: FLAG,
  by: NAME,
  type_field: NAME,
  id_field: NAME,
  shown: { anyOf: [NAME, { const: false }] },
  of: OBJECT_TYPE,
  via: NAME,
  from: NAME,
  expression: { type: 'string', minLength: 1, maxLength: 2000 },
  type: { enum: ['text', 'integer', 'decimal', 'boolean', 'date', 'dateTime'] },
  size: NAME,
  base64: FLAG,
  tab: FLAG,
}

/** Where a field is declared. */
interface Place {
  /** Whether the model has a field of this name. */
  readonly hasField: (name: string) => boolean
  /** Name of the field. */
  readonly name: string
  /** Table of the objects. */
  readonly table: string
}

/** A kind of fields: the options that it must and may have, and what it declares. */
interface Kind {
  readonly needs: readonly Option[]
  readonly takes: readonly Option[]
  /** Undefined if the engine computes the value from an expression. */
  readonly declare: (field: PackField, place: Place) => Field | undefined
}

const STORED = [
  'label',
  'help',
  'optional',
  'default',
  'required',
  'read_only',
  'write_only',
  'filter',
  'example',
] as const
const PLAIN = [...STORED, 'unique'] as const

/** Options of a declaration that fields of all kinds with a value of their own have. */
const stored = ({
  label,
  help,
  optional,
  default: value,
  required,
  unique,
  read_only,
  write_only,
  filter,
  ...field
}: PackField) => ({
  ...(label !== undefined && { label }),
  ...(help !== undefined && { help }),
  ...(optional && { nullable: true as const }),
  ...(value !== undefined && { default: value as never }), // app/plugins/check-plugin.ts checks it
  ...(required && { required }),
  ...(unique && { unique }),
  ...(read_only && { readOnly: true }),
  ...(write_only && { writeOnly: true }),
  ...(filter === false && { filter }),
  ...exampleOf(field),
})

/** The example, as declarations have it. */
const exampleOf = ({ example }: Pick<PackField, 'example'>): { readonly example?: Example } => {
  if (example === undefined) return {}
  const text = JSON.stringify(example)
  return { example: text.includes('{n}') ? (n) => JSON.parse(text.replaceAll('{n}', String(n))) as Json : example }
}

const single = (
  declare: (options: ReturnType<typeof stored>, field: PackField) => Field,
  takes: readonly Option[] = [],
  needs: readonly Option[] = [],
): Kind => ({ needs, takes: [...PLAIN, ...takes], declare: (field) => declare(stored(field), field) })

/** A regular expression that the whole text must match. Throws an Error for one that cannot be used. */
function wholly(pattern: string): Pick<RegExp, 'test'> {
  const expression = linearExpression(`^(?:${pattern})$`)
  if (!expression) throw new Error(`the regular expression ${pattern} cannot be used`)
  return expression
}

const textual = (make: typeof text): Kind =>
  single(
    (options, { max, blank, pattern }) =>
      make({
        ...options,
        ...(max !== undefined && { max }),
        ...(blank && { blank }),
        ...(pattern !== undefined && { pattern: [wholly(pattern), `The value must match ${pattern}.`] }),
      }),
    ['max', 'blank', 'pattern'],
  )

const choiceSet = ({ choices: set = {} }: PackField) =>
  choices<string>(
    Array.isArray(set)
      ? (set as readonly (readonly [string, string])[]) // as the schema demands
      : Object.entries(set),
  )

const targetsOf = ({ to = [] }: PackField): readonly string[] => (typeof to === 'string' ? [to] : to)

/** A field named `tenant` or `owner` has the filters that those of built-in models have. */
const usualFilters = (name: string, target: string): object => {
  if (name === 'tenant' && target === SYSTEM.tenant) return { filters: tenantOptions.filters }
  return name === 'owner' && target === SYSTEM.owner ? { filters: ownerOptions.filters } : {}
}

/** The ranges of a list as texts. */
const rangeTexts = (ranges: Sql): Sql => sql`(
  select coalesce(jsonb_agg(case when upper(r) - lower(r) = 1 then lower(r)::text
    else lower(r) || '-' || upper(r) - 1 end order by place), '[]')
  from unnest(${ranges}) with ordinality as q (r, place))`

/** All kinds of fields: a new one does not compile without its row. */
const KINDS: Readonly<Record<PackFieldKind, Kind>> = {
  text: textual(text),
  slug: textual(slug),
  url: textual(url),
  email: textual(email),
  color: textual(color),
  time_zone: textual(timeZone),
  integer: single((options, { range }) => integer({ size: 'big', ...(range && { range }), ...options }), ['range']),
  duration: single((options) => integer({ isDuration: true, range: [0, 2_147_483_647], unit: 's', ...options })),
  decimal: single(
    (options, { digits = 19, places = 4, range }) => decimal({ digits, places, ...(range && { range }), ...options }),
    ['digits', 'places', 'range'],
  ),
  boolean: single((options) => boolean(options)),
  date: single((options) => date(options)),
  datetime: single((options) => dateTime(options)),
  uuid: single((options) => uuid(options)),
  json: single((options) => json({ ...options, filter: false })),
  address: single((options) => address(options)),
  network: single((options) => network(options)),
  mac_address: single((options) => hardwareAddress({ bytes: 6, ...options })),
  object_type: single((options) => objectType(options)),
  file: {
    needs: [],
    takes: [...STORED, 'blank', 'size', 'base64'],
    declare: (field, { table }) =>
      file({
        ...{ ...stored(field), image: false, directory: table, filter: false },
        ...(field.blank && { blank: true }),
        ...(field.size !== undefined && { size: field.size }),
        ...(field.base64 && { base64: true }),
      }),
  },
  choice: single(
    (options, field) =>
      choice(choiceSet(field), {
        ...options,
        ...(field.blank && { blank: true }),
        ...(!field.structured && { bare: true, showsEmpty: true }),
      }),
    ['structured', 'blank'],
    ['choices'],
  ),
  choices: single(
    (options, field) => list('text', { blank: true, default: [], ...options, choices: choiceSet(field) }),
    [],
    ['choices'],
  ),
  texts: single((options) => list('text', { blank: true, default: [], ...options })),
  integers: single((options) => list('integer', { blank: true, default: [], ...options })),
  ranges: single(
    (options, { range }) => list('range', { blank: true, default: [], ...options, ...(range && { range }) }),
    ['range'],
  ),
  object: {
    needs: ['to'],
    takes: [...PLAIN, 'on_delete', 'related', 'bare', 'by', 'tab'],
    declare: (field, { name, hasField }) => {
      const [target = ''] = targetsOf(field)
      const onDelete = ON_DELETE[field.on_delete ?? 'protect']
      return foreignKey(target, {
        ...{ ...stored(field), onDelete, write: 'idOrAttributes', ...usualFilters(name, target) },
        ...(field.related !== undefined && { related: field.related }),
        ...(field.bare && { bare: true }),
        ...(hasField(`${name}_id`) && { column: `${name}__id` }),
      })
    },
  },
  objects: {
    needs: ['to'],
    takes: ['label', 'help', 'required', 'read_only', 'filter', 'example', 'related', 'bare', 'by', 'tab'],
    declare: ({ label, help, required, read_only, related, bare, ...field }, { name, table }) =>
      manyToMany(targetsOf({ ...field, kind: 'objects' })[0] ?? '', {
        ...{ table: boundedName(table, name), write: 'idOrAttributes', related: related ?? '+' },
        ...(label !== undefined && { label }),
        ...(help !== undefined && { help }),
        ...(required && { required }),
        ...(read_only && { readOnly: true }),
        ...(bare && { bare: true }),
        ...exampleOf(field),
      }),
  },
  any_object: {
    needs: ['to'],
    takes: [
      ...(['optional', 'read_only', 'filter', 'example', 'on_delete', 'related'] as const),
      ...(['type_field', 'id_field', 'shown', 'tab'] as const),
    ],
    declare: (field) => {
      const onDelete = ON_DELETE[field.on_delete ?? 'cascade']
      return genericForeignKey(targetsOf(field), {
        nullable: field.optional === true,
        onDelete: onDelete === 'protect' ? 'keep' : onDelete,
        ...(field.type_field !== undefined && { typeField: field.type_field }),
        ...(field.id_field !== undefined && { idField: field.id_field }),
        ...(field.shown !== undefined && { shown: field.shown }),
        ...(field.related !== undefined && { related: field.related }),
        ...(field.read_only && { readOnly: true }),
        ...(field.filter === false && { filter: false }),
        ...exampleOf(field),
      })
    },
  },
  count: {
    needs: ['of', 'via'],
    takes: [],
    declare: ({ of = '', via = '' }) => relatedCount(of, via, { belongsToObject: true }),
  },
  range_texts: {
    needs: ['from'],
    takes: ['label', 'help'],
    declare: ({ from = '', label, help }) =>
      derived('json', (column) => rangeTexts(column(from)), {
        ...(label !== undefined && { label }),
        ...(help !== undefined && { help }),
      }),
  },
  computed: {
    needs: ['expression'],
    takes: ['label', 'help', 'type'],
    declare: () => undefined,
  },
}

/** JSON schema of a field: one alternative for each kind. */
export const FIELD_SCHEMA: JsonObject = {
  type: 'object',
  required: ['kind'],
  discriminator: { propertyName: 'kind' },
  oneOf: Object.entries(KINDS).map(([kind, { needs, takes }]) => ({
    properties: {
      kind: { const: kind },
      ...Object.fromEntries([...needs, ...takes].map((name) => [name, OPTIONS[name]])),
    },
    required: needs,
    additionalProperties: false,
  })),
}

/** What the field declares; undefined for one that is computed from an expression. */
export const declareField = (field: PackField, place: Place): Field | undefined =>
  KINDS[field.kind].declare(field, place)

/** Object types to which the field leads. */
export const relatedTypes = targetsOf
