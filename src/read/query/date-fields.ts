import type { Model } from '../../schema/registry.ts'
import { identifier, type Sql, sql } from '../../sql/fragment.ts'

/** A date or timestamp of a model's rows `t`. */
interface DateValue {
  /** Null for rows without one. */
  readonly sql: Sql
  readonly type: 'date' | 'timestamptz'
}

/** A custom field, as far as it may be a date. */
interface CustomField {
  readonly name: string
  readonly type: string
  readonly object_types: readonly string[]
}

const CUSTOM = 'cf_'
const CUSTOM_TYPES = {
  date: { type: 'date', form: '^\\d{4}-\\d\\d-\\d\\d$' },
  datetime: { type: 'timestamptz', form: '^\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d' },
} as const

/** Whether the name is that of a custom field. */
export const isCustomDate = (name: string): boolean => name.startsWith(CUSTOM)

/** The date or timestamp of this name, `cf_<name>` for a custom field; undefined if the model has none. */
export function dateValueOf(model: Model, name: string, customFields: readonly CustomField[]): DateValue | undefined {
  if (isCustomDate(name)) {
    const key = name.slice(CUSTOM.length)
    const custom = customFields.find((field) => field.name === key && field.object_types.includes(model.name))
    if (custom?.type !== 'date' && custom?.type !== 'datetime') return undefined
    const { type, form } = CUSTOM_TYPES[custom.type]
    const text = sql`(t.custom_field_data ->> ${key}::text)`
    const cast = type === 'date' ? sql`${text}::date` : sql`${text}::timestamptz`
    // A text in another form can come from an import.
    return { sql: sql`case when ${text} ~ ${form} then ${cast} end`, type }
  }
  const column = model.columns.get(name)
  if (column?.type !== 'date' && column?.type !== 'timestamptz') return undefined
  if (!model.answer.includes(name)) return undefined
  return { sql: sql`t.${identifier(column.name)}`, type: column.type }
}

/** How long after a date something happens; before it if negative. */
export interface DateOffset {
  readonly offset: number
  readonly unit: 'days' | 'hours'
}

/**
 * The time at which `value` is due. Days are those of the calendar in the time zone: a date begins at midnight there, and
 * a timestamp keeps its time of day.
 */
export function dueTime(value: Sql, type: DateValue['type'], { offset, unit }: DateOffset, timeZone: string): Sql {
  if (unit === 'hours') {
    const start = type === 'date' ? sql`(${value}::timestamp at time zone ${timeZone})` : value
    return sql`(${start} + make_interval(hours => ${offset}::int))`
  }
  const local = type === 'date' ? sql`${value}::timestamp` : sql`(${value} at time zone ${timeZone})`
  return sql`((${local} + make_interval(days => ${offset}::int)) at time zone ${timeZone})`
}

/** Text of a date or timestamp, the same in every session. */
export const dateText = (value: Sql, type: DateValue['type']): Sql =>
  type === 'date'
    ? sql`to_char(${value}, 'YYYY-MM-DD')`
    : sql`to_char(${value} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
