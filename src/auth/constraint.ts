import type { Constraint } from '../config/default-permissions.ts'
import { T } from '../query/alias.ts'
import { type PathEnd, reaches } from '../query/reach.ts'
import type { Model } from '../schema/registry.ts'
import { join, raw, type Sql, sql } from '../sql/fragment.ts'

/** Stands for the user who asks, as a value or within a list. */
const USER = '$user'

/**
 * Predicate over alias `t`: the row satisfies all conditions of the constraint. Keys are paths with a
 * lookup (`site__region__name`, `status__in`). A condition that cannot be understood, because a path
 * or a value does not fit the model, is satisfied by no row: a mistake must not open anything.
 */
export function satisfies(model: Model, constraint: Constraint, userId: number): Sql {
  const conditions = Object.entries(constraint).map(([key, value]) => {
    const { path, lookup } = splitKey(model, key)
    const condition = path === '' ? undefined : conditionOf(lookup, forUser(value, userId))
    return (condition && tryPath(model, path, condition)) ?? sql`false`
  })
  return conditions.length === 0 ? sql`true` : sql`(${join(conditions, ' and ')})`
}

/** Whether every row satisfies the constraint. */
export const isUnconditional = (constraint: Constraint): boolean =>
  Object.keys(constraint).length === 0

function forUser(value: unknown, userId: number): unknown {
  if (Array.isArray(value)) return value.map((each) => forUser(each, userId))
  return value === USER ? userId : value
}

/** The longest beginning of the key that is a path; what is left is the lookup. */
function splitKey(model: Model, key: string): { path: string; lookup: string } {
  const names = key.split('__')
  const path: string[] = []
  let here: Model | undefined = model
  while (here && names.length > 0) {
    const name: string = names[0] === 'pk' ? 'id' : (names[0] ?? '')
    const step: ReturnType<Model['steps']['get']> = here.steps.get(name)
    if (!step) break
    path.push(name)
    names.shift()
    here = step.kind === 'column' ? undefined : step.to
  }
  return { path: path.join('.'), lookup: names.join('__') || 'exact' }
}

type Compare = (value: Sql, end: PathEnd) => Sql | undefined

function tryPath(model: Model, path: string, compare: Compare): Sql | undefined {
  let isUnderstood = true
  const predicate = reaches(model, T, path, (value, end) => {
    const compared = compare(value, end)
    if (!compared) isUnderstood = false
    return compared ?? sql`false`
  })
  return isUnderstood ? sql`(${predicate}) is true` : undefined
}

const COMPARISONS: Readonly<Record<string, Sql>> = {
  gt: sql`>`,
  gte: sql`>=`,
  lt: sql`<`,
  lte: sql`<=`,
}
/** Text lookups: operator, what stands before the text, what behind it. */
const PATTERNS: Readonly<Record<string, readonly [Sql, string, string]>> = {
  contains: [sql`like`, '%', '%'],
  icontains: [sql`ilike`, '%', '%'],
  startswith: [sql`like`, '', '%'],
  istartswith: [sql`ilike`, '', '%'],
  endswith: [sql`like`, '%', ''],
  iendswith: [sql`ilike`, '%', ''],
  iexact: [sql`ilike`, '', ''],
}
const EXPRESSIONS: Readonly<Record<string, Sql>> = { regex: sql`~`, iregex: sql`~*` }

function conditionOf(lookup: string, wanted: unknown): Compare | undefined {
  if (lookup === 'isnull' || wanted === null) {
    if (lookup !== 'exact' && lookup !== 'isnull') return undefined
    return (value) => (wanted === false ? sql`${value} is not null` : sql`${value} is null`)
  }
  if (lookup === 'exact') return (value, end) => compareTo(value, sql`=`, wanted, end)
  if (lookup === 'in' && Array.isArray(wanted)) {
    return (value, end) => {
      const each = wanted.map((one) => compareTo(value, sql`=`, one, end))
      if (each.includes(undefined)) return undefined
      return each.length === 0 ? sql`false` : sql`(${join(each as Sql[], ' or ')})`
    }
  }
  if (lookup === 'range' && Array.isArray(wanted) && wanted.length === 2) {
    return (value, end) => {
      const low = compareTo(value, sql`>=`, wanted[0], end)
      const high = compareTo(value, sql`<=`, wanted[1], end)
      return low && high && sql`(${low} and ${high})`
    }
  }
  const comparison = COMPARISONS[lookup]
  if (comparison) return (value, end) => compareTo(value, comparison, wanted, end)
  if (typeof wanted !== 'string' && typeof wanted !== 'number') return undefined
  const expression = EXPRESSIONS[lookup]
  if (expression) {
    return isExpression(String(wanted))
      ? (value) => sql`${value}::text ${expression} ${String(wanted)}::text`
      : undefined
  }
  const pattern = PATTERNS[lookup]
  if (!pattern) return undefined
  const [operator, before, behind] = pattern
  const escaped = String(wanted).replace(/[\\%_]/g, '\\$&')
  return (value) => sql`${value}::text ${operator} ${before + escaped + behind}::text`
}

/** The comparison, where the value has the type of the column. */
function compareTo(value: Sql, operator: Sql, wanted: unknown, end: PathEnd): Sql | undefined {
  const type = typeOf(end)
  const fits = FITTING[type] ?? isScalar
  if (!fits(wanted)) return undefined
  return sql`${value} ${operator} ${String(wanted)}::${raw(type)}`
}

function typeOf(end: PathEnd): string {
  if (end.kind === 'relation') return 'bigint'
  if (end.kind === 'column') return end.column.type
  return {
    integer: 'bigint',
    decimal: 'numeric',
    boolean: 'boolean',
    dateTime: 'timestamptz',
    text: 'text',
    json: 'text',
  }[end.field.kind === 'derived' ? end.field.type : 'integer']
}

const isScalar = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number'
const isWhole = (value: unknown): boolean => isScalar(value) && /^-?\d{1,18}$/.test(String(value))
const isMoment = (value: unknown): boolean =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value) && !Number.isNaN(Date.parse(value))

/** Which values a column of the type can be compared with, without the database refusing them. */
const FITTING: Readonly<Record<string, (value: unknown) => boolean>> = {
  smallint: isWhole,
  integer: isWhole,
  bigint: isWhole,
  boolean: (value) => typeof value === 'boolean',
  timestamptz: isMoment,
  date: isMoment,
  uuid: (value) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(String(value)),
  inet: (value) => /^[\da-f.:]+(\/\d{1,3})?$/i.test(String(value)),
  cidr: (value) => /^[\da-f.:]+(\/\d{1,3})?$/i.test(String(value)),
  jsonb: () => false,
}

function isExpression(text: string): boolean {
  try {
    new RegExp(text)
    return true
  } catch {
    return false
  }
}
