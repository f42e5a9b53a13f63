import type { Field, StoredField } from './field.ts'
import { genericKeys } from './generic-keys.ts'

/** A physical column of a model's table. */
export interface Column {
  /** Column name in the database. */
  readonly name: string
  /** Key of the value in rows: the field's name, `<name>_type` or `<name>_id`. */
  readonly key: string
  /** PostgreSQL type. */
  readonly type: string
  readonly nullable: boolean
  readonly collation?: 'natural'
  readonly field: Field
}

const INTEGER_TYPES = { small: 'smallint', normal: 'integer', big: 'bigint' } as const
const LIST_TYPES = {
  text: 'text[]',
  integer: 'integer[]',
  network: 'cidr[]',
  json: 'jsonb[]',
  textPair: 'text[][]',
  range: 'int4range[]',
} as const

/** PostgreSQL type of each kind of stored field. */
const TYPES: {
  readonly [K in StoredField['kind']]: (field: Extract<StoredField, { kind: K }>) => string
} = {
  text: () => 'text',
  integer: ({ size }) => INTEGER_TYPES[size],
  decimal: ({ digits, places }) => `numeric(${digits},${places})`,
  boolean: () => 'boolean',
  date: () => 'date',
  dateTime: () => 'timestamptz',
  json: ({ verbatim }) => (verbatim ? 'json' : 'jsonb'),
  uuid: () => 'uuid',
  choice: ({ choices }) => (typeof choices.list[0]?.value === 'number' ? 'integer' : 'text'),
  address: () => 'inet',
  network: () => 'cidr',
  hardwareAddress: ({ bytes }) => (bytes === 6 ? 'macaddr' : 'macaddr8'),
  file: () => 'text',
  list: ({ of }) => LIST_TYPES[of],
  objectTypes: () => 'text[]',
  objectType: () => 'text',
  foreignKey: () => 'bigint',
}

/** Whether the column holds texts that may be left out, as most of them are: labels and descriptions. */
export const isOftenEmpty = ({ field }: Column): boolean =>
  field.kind === 'text' && field.default === ''

const STORED_KINDS: ReadonlySet<string> = new Set(Object.keys(TYPES))

/** Whether the field has exactly one column, whose value rows contain under the field's name. */
export const isStored = (field: Field): field is StoredField => STORED_KINDS.has(field.kind)

/** The columns of a field: one, two (generic relation) or none. */
export function columnsOf(name: string, field: Field): readonly Column[] {
  if (isStored(field)) {
    const type = (TYPES[field.kind] as (field: StoredField) => string)(field)
    const column = field.column ?? (field.kind === 'foreignKey' ? `${name}_id` : name)
    const base = { name: column, key: name, type, nullable: field.nullable === true, field }
    return [
      field.kind === 'text' && field.collation ? { ...base, collation: field.collation } : base,
    ]
  }
  if (field.kind === 'genericForeignKey') {
    const { type, id } = genericKeys(name, field)
    const nullable = field.nullable
    return [
      { name: type, key: type, type: 'text', nullable, field },
      { name: id, key: id, type: 'bigint', nullable, field },
    ]
  }
  if (field.kind === 'counter') return [{ name, key: name, type: 'bigint', nullable: false, field }]
  if (field.kind === 'customFields') {
    return [{ name: 'custom_field_data', key: name, type: 'jsonb', nullable: false, field }]
  }
  return []
}
