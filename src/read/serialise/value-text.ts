import { type DerivedType, kindOf, type ScalarField } from '../../schema/field.ts'
import { bareChoice } from '../../schema/fields/choice.ts'
import { asIs, quote, quotePlain, type ToText } from '../../schema/fields/kind.ts'
import type { Sql } from '../../sql/fragment.ts'

/** JSON text of a value that may be null. */
export const orNull =
  (toText: ToText): ToText =>
  (value) =>
    value === null ? 'null' : toText(value)

/** The expression that is selected for a field with the given column. */
export const selectOf = (field: ScalarField, column: Sql): Sql => kindOf(field).select?.(column, field) ?? column

/** How a field's value is rendered; `isBare`: a choice without its label. */
export const valueText = (field: ScalarField, isBare: boolean): ToText =>
  orNull(isBare && field.kind === 'choice' ? bareChoice : kindOf(field).text(field))

/** Values without a column, by type. */
export const DERIVED: Readonly<Record<DerivedType, ToText>> = {
  text: quote,
  integer: asIs,
  decimal: asIs,
  boolean: asIs,
  date: quotePlain,
  dateTime: quotePlain,
  json: asIs,
}
