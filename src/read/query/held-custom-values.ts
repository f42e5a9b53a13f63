import { identifier, type Sql, sql } from '../../sql/fragment.ts'
import { type FilterableField, SHAPES, type Shape } from './filterable-field.ts'

/** Values of custom fields of the object `alias`, without nulls, because every empty field of its model has one. */
const filledValues = (alias: Sql): Sql => sql`jsonb_strip_nulls(${alias}.${identifier('custom_field_data')})`

/**
 * Whether the object has these custom fields. It follows from the comparison next to it, and lets an index find the
 * objects: that of filled values (`db/migrate/indexes.ts`), which leaves out objects without any. `held`: an object of
 * values by name, or `any` of an array of them.
 */
export const holdsCustomValues = (alias: Sql, held: Sql): Sql =>
  sql`(${filledValues(alias)} <> '{}' and ${filledValues(alias)} @> ${held})`

/**
 * Objects for `holdsCustomValues`, which then finds the objects whose value of the field is one of these, or whose list
 * contains one; undefined if JSON can express a value in several ways.
 */
export function objectsOfValues(
  { name, type }: FilterableField,
  values: readonly string[],
): readonly string[] | undefined {
  const toJson = JSON_OF[SHAPES[type]]
  const texts = values.flatMap((value) => toJson(value) ?? [])
  if (texts.length < values.length) return undefined
  return texts.map((text) => `{${JSON.stringify(name)}:${text}}`)
}

// PostgreSQL's `jsonb` can have no other texts.
const quoted = (value: string): string | undefined =>
  value.isWellFormed() && !value.includes('\0') ? JSON.stringify(value) : undefined
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?$/
const numberText = (value: string): string | undefined => (NUMBER.test(value) ? value : undefined)
const listOf = (item: string | undefined): string | undefined => item && `[${item}]`

/** JSON of a value in each shape, if it has exactly one form. */
const JSON_OF: Readonly<Record<Shape, (value: string) => string | undefined>> = {
  text: quoted,
  texts: (value) => listOf(quoted(value)),
  number: numberText,
  numbers: (value) => listOf(numberText(value)),
  date: quoted,
  dateTime: () => undefined,
  boolean: (value) => value,
}
