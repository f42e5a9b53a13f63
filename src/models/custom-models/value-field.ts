import { createHash } from 'node:crypto'
import { type ChoiceRow, type ChoiceSet, choices } from '../../schema/choices.ts'
import { tenantOptions } from '../../schema/common.ts'
import {
  address,
  boolean,
  choice,
  date,
  dateTime,
  decimal,
  type Field,
  foreignKey,
  genericForeignKey,
  hardwareAddress,
  integer,
  joinedLists,
  json,
  list,
  manyToMany,
  network,
  text,
  url,
} from '../../schema/field.ts'
import { isJsonObject, type JsonObject } from '../../schema/json.ts'
import type { RowOf } from '../../schema/rule.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { customObjectField } from './custom-object-field.ts'
import { targetsOf } from './target-model.ts'

/** A stored field of a custom model. */
export type CustomObjectField = RowOf<typeof customObjectField.fields>

/** A field of a custom model, and the choices of its set; undefined if any value may be valid. */
export interface ValueField {
  readonly row: CustomObjectField
  /** Table of the objects. */
  readonly table: string
  /** Name of the column, or the beginning of the names of the columns. */
  readonly column: string
  readonly choices: readonly ChoiceRow<string>[] | undefined
}

/** Largest number of characters of a single line. */
export const LINE = 500
/** Largest whole number: beyond it, clients in JavaScript and many others round. */
const BIG = Number.MAX_SAFE_INTEGER

/** Options that fields of all kinds have. Columns keep their names when a field is renamed. */
const common = ({ row, column }: ValueField) => ({
  column,
  nullable: true as const,
  ...(row.label !== '' && { label: row.label }),
  ...(row.description !== '' && { help: row.description }),
  ...(row.unique && { unique: true }),
  ...required(row),
  ...(row.filter_logic === 'disabled' && { filter: false as const }),
  ...(row.default !== null && { default: row.default as never }),
})

/** The column accepts null, because objects may be older than the field; the rules of the model refuse it. */
const required = (row: CustomObjectField) => (row.required && row.default === null ? { required: true as const } : {})

/** Name of the column, or the beginning of the names of the columns, of a field; those of extensions name the type. */
export const columnOf = (
  { schema_id }: Pick<CustomObjectField, 'schema_id'>,
  type: { readonly id: number; readonly extends: string | null },
): string => (type.extends === null ? `f${schema_id}` : `x${type.id}_f${schema_id}`)

const range = ({ row }: ValueField) =>
  row.validation_minimum === null && row.validation_maximum === null
    ? {}
    : {
        range: [Number(row.validation_minimum ?? -BIG), Number(row.validation_maximum ?? BIG)] as const,
      }

const choicesOf = (field: ValueField): ChoiceSet<string> | undefined =>
  field.choices && field.choices.length > 0 ? choices(field.choices) : undefined

const ON_DELETE = { set_null: 'setNull', cascade: 'cascade', protect: 'protect' } as const

/** The kinds of fields. */
export type FieldType = CustomObjectField['type']

type Declare = (field: ValueField) => Readonly<Record<string, Field>>

/** What values can do: be the name of an object, be offered as a filter, be found by the search. */
type Use = 'name' | 'filter' | 'search'

/** A kind of fields. */
interface Kind {
  /** The declared fields by their names. */
  readonly declare: Declare
  readonly uses: readonly Use[]
  /** How values become those of another kind: they are texts, or have a column of this type; undefined if they cannot. */
  readonly converts: 'text' | { readonly column: string } | undefined
}

const single =
  (make: (field: ValueField, options: ReturnType<typeof common>) => Field): Declare =>
  (field) => ({ [field.row.name]: make(field, common(field)) })

const kind = (declare: Declare, uses: readonly Use[], converts?: Kind['converts']): Kind => ({
  declare,
  uses,
  converts,
})

/** All kinds of fields: a new one does not compile without its row. */
const KINDS: Readonly<Record<FieldType, Kind>> = {
  text: kind(
    single((_field, options) => text({ max: LINE, ...options })),
    ['name', 'filter', 'search'],
    'text',
  ),
  longtext: kind(
    single((_field, options) => text(options)),
    ['name', 'search'],
    'text',
  ),
  integer: kind(
    single((field, options) => integer({ size: 'big', ...range(field), ...options })),
    ['name', 'filter'],
    { column: 'bigint' },
  ),
  decimal: kind(
    single((field, options) => decimal({ digits: 19, places: 4, ...range(field), ...options })),
    ['name'],
    { column: 'numeric(19,4)' },
  ),
  boolean: kind(
    single((_field, options) => boolean(options)),
    ['filter'],
    { column: 'boolean' },
  ),
  date: kind(
    single((_field, options) => date(options)),
    ['name', 'filter'],
    { column: 'date' },
  ),
  datetime: kind(
    single((_field, options) => dateTime(options)),
    ['name'],
    { column: 'timestamptz' },
  ),
  json: kind(
    single((_field, options) => json(options)),
    [],
  ),
  address: kind(
    single((_field, options) => address(options)),
    ['name', 'search'],
    { column: 'inet' },
  ),
  prefix: kind(
    single((_field, options) => network(options)),
    ['name', 'search'],
    { column: 'cidr' },
  ),
  mac_address: kind(
    single((_field, options) => hardwareAddress({ bytes: 6, ...options })),
    ['name', 'search'],
    { column: 'macaddr' },
  ),
  url: kind(
    (field) => ({
      [field.row.name]: url({ max: LINE, ...common(field) }),
      [`${field.row.name}_title`]: text({
        ...{ max: 200, nullable: true, column: `${field.column}_title`, filter: false },
      }),
    }),
    ['name', 'search'],
  ),
  select: kind(
    single((field, options) => {
      const set = choicesOf(field)
      return set ? choice(set, options) : text({ max: LINE, ...options })
    }),
    ['name', 'filter'],
    'text',
  ),
  multiselect: kind(
    single((field, options) => {
      const set = choicesOf(field)
      const { unique: _, ...repeatable } = options
      return list('text', { ...repeatable, blank: true, ...(set && { choices: set }) })
    }),
    ['filter'],
  ),
  coordinates: kind(
    (field) => ({
      [`${field.row.name}_latitude`]: coordinate(field, 'latitude', 90),
      [`${field.row.name}_longitude`]: coordinate(field, 'longitude', 180),
    }),
    [],
  ),
  object: kind(
    (field) => {
      const { row } = field
      const onDelete = ON_DELETE[row.on_delete_behavior as keyof typeof ON_DELETE]
      const targets = targetsOf(row)
      const [target = ''] = targets
      if (row.is_polymorphic) {
        const generic = {
          nullable: true,
          takesObject: true,
          onDelete: onDelete === 'protect' ? 'setNull' : onDelete,
        } as const
        return { [row.name]: genericForeignKey(targets, generic) }
      }
      const { column, default: _, ...options } = common(field)
      const filters = row.name === 'tenant' && target === SYSTEM.tenant ? { filters: tenantOptions.filters } : {}
      const key = { ...options, ...filters, ...offered(row), column, onDelete, related: wayBack(row) }
      return { [row.name]: foreignKey(target, key) }
    },
    ['filter'],
  ),
  multiobject: kind(({ row, table, column }) => {
    const targets = targetsOf(row)
    const texts = {
      ...(row.label !== '' && { label: row.label }),
      ...(row.description !== '' && { help: row.description }),
    }
    // Documents name objects by attributes.
    const options = { write: 'idOrAttributes', related: wayBack(row) } as const
    if (!row.is_polymorphic) {
      const list = { table: `${table}_${column}`, ...texts, ...options, ...offered(row), ...required(row) }
      return { [row.name]: manyToMany(targets[0] ?? '', list) }
    }
    const { label: _, ...help } = texts
    const lists = targets.map((target) => {
      // The names of all models would make names of tables too long.
      const hash = createHash('sha256').update(target).digest('hex').slice(0, HASH)
      return [listName(row, target), manyToMany(target, { table: `${table}_${column}_${hash}`, ...help, ...options })]
    })
    const joins = Object.fromEntries(targets.map((target) => [target, listName(row, target)]))
    return { [row.name]: joinedLists(joins, texts), ...Object.fromEntries(lists) }
  }, []),
}

/** The filters of the objects that forms offer, if there are any. */
const offered = ({ related_object_filter: filters }: CustomObjectField): { readonly offered?: JsonObject } =>
  isJsonObject(filters) && Object.keys(filters).length > 0 ? { offered: filters } : {}

const HASH = 8

/** Name of the list with the objects of one of several types, and of the filter by them. */
export const listName = ({ name }: Pick<CustomObjectField, 'name'>, target: string): string =>
  `${name}_${target.replace('.', '_')}`

/** Whether the field has several objects of several types: a list for each type, and one that joins them. */
export const isJoined = ({ type, is_polymorphic }: Pick<CustomObjectField, 'type' | 'is_polymorphic'>): boolean =>
  type === 'multiobject' && is_polymorphic

/** Names of the lists that a field joins; none for other fields. */
export const listNames = (row: CustomObjectField): readonly string[] =>
  isJoined(row) ? targetsOf(row).map((target) => listName(row, target)) : []

/** Name of the inverse relation; '+' for none. */
const wayBack = ({ related_name }: CustomObjectField): string => (related_name === '' ? '+' : related_name)

const coordinate = ({ row, column }: ValueField, part: string, limit: number): Field =>
  decimal({
    ...{ digits: 9, places: 6, range: [-limit, limit], nullable: true, column: `${column}_${part}` },
    ...required(row),
  })

/** The declarations of a field by their names; most kinds have one. */
export const declaredFields = (field: ValueField): Readonly<Record<string, Field>> =>
  KINDS[field.row.type].declare(field)

/** Whether values of this type can be used so. */
export const hasUse = (type: FieldType, use: Use): boolean => KINDS[type].uses.includes(use)

/** How values of this type become those of another one, and back. */
export const conversionKind = (type: FieldType): Kind['converts'] => KINDS[type].converts

/** Names under which objects have the values of a field. */
export const namesOf = (row: CustomObjectField): readonly string[] =>
  Object.keys(declaredFields({ row, table: '', column: '', choices: undefined }))

/** Names under which pages show the values of a field, and those under which forms and imports take them. */
export const shownNames = (row: CustomObjectField): readonly string[] => (isJoined(row) ? [row.name] : namesOf(row))
export const enteredNames = (row: CustomObjectField): readonly string[] =>
  isJoined(row) ? listNames(row) : namesOf(row)
