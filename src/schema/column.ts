import { type Field, isScalar, kindOf, type StoredField } from './field.ts'
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

/** Whether the column holds texts that are usually empty: labels and descriptions. */
export const isOftenEmpty = ({ field }: Column): boolean => field.kind === 'text' && field.default === ''

/** Whether the field has exactly one column, whose value rows contain under the field's name. */
export const isStored = (field: Field): field is StoredField => isScalar(field) || field.kind === 'foreignKey'

/** The columns of a field: one, two (generic relation) or none. */
export function columnsOf(name: string, field: Field): readonly Column[] {
  if (isStored(field)) {
    const type = field.kind === 'foreignKey' ? 'bigint' : kindOf(field).columnType(field)
    const column = field.column ?? (field.kind === 'foreignKey' ? `${name}_id` : name)
    const base = { name: column, key: name, type, nullable: field.nullable === true, field }
    return [field.kind === 'text' && field.collation ? { ...base, collation: field.collation } : base]
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
