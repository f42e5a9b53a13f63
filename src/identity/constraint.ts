import type { Constraint } from '../config/default-permissions.ts'
import { DYNAMIC_GROUP, GroupMembers } from '../read/groups/constraints.ts'
import { innerAlias, T } from '../read/query/alias.ts'
import { stepNamed, unknownName } from '../read/query/named-step.ts'
import { lacks, type PathEnd, reaches } from '../read/query/reach.ts'
import type { Column } from '../schema/column.ts'
import type { Model } from '../schema/registry.ts'
import { join, type Sql, sql } from '../sql/fragment.ts'
import { table } from '../sql/table.ts'
import { compare, isLookup } from './constraint-lookups.ts'
import { InvalidConstraint } from './invalid-constraint.ts'

/** Placeholder for the user of the request, as a value or within a list. */
const USER = '$user'

/** One condition of a constraint, at a position along its path. */
interface Condition {
  /** Rest of the key: names of fields, keys of a JSON value, lookups. */
  readonly names: readonly string[]
  /** The whole key, for messages. */
  readonly key: string
  readonly expected: unknown
}

/**
 * Predicate over alias `t`: the row satisfies all conditions of the constraint. Keys are paths with a lookup
 * (`site__region__name`, `status__in`); conditions on the same to-many relation must hold for a single related row. No
 * row satisfies a constraint whose path or value does not fit the model, because a mistake must not grant anything.
 * Dynamic groups must have been resolved (`groupResolver`).
 */
export function satisfiesConstraint(model: Model, constraint: Constraint, userId: number): Sql {
  try {
    return compile(model, constraint, userId)
  } catch (error) {
    if (!(error instanceof InvalidConstraint)) throw error
    return sql`false`
  }
}

/** The reason why the constraint does not fit the model, as a sentence; undefined if it does. */
export const complaintOf = (model: Model, constraint: Constraint): string | undefined =>
  misfitOf(model, constraint)?.message

/** As `complaintOf`, with the name that the model does not have. */
export function misfitOf(model: Model, constraint: Constraint): InvalidConstraint | undefined {
  try {
    compile(model, constraint, 0)
    return undefined
  } catch (error) {
    if (!(error instanceof InvalidConstraint)) throw error
    return error
  }
}

/**
 * Columns of the model's own row by which the constraint selects rows; undefined if it also depends on rows that refer
 * to this one, such as tags, or on computed values. A path through a foreign key starts at its column.
 */
export function columnsOfConstraint(model: Model, constraint: Constraint): readonly Column[] | undefined {
  const columns: Column[] = []
  for (const key of Object.keys(constraint)) {
    const step = model.steps.get(stepNamed(model, key.split('__')[0] ?? '') ?? '')
    if (step?.kind !== 'column' && step?.kind !== 'foreignKey') return undefined
    columns.push(step.column)
  }
  return columns
}

/** True if every row satisfies the constraint. */
export const isUnconditional = (constraint: Constraint): boolean => Object.keys(constraint).length === 0

function compile(model: Model, constraint: Constraint, userId: number): Sql {
  const conditions = Object.entries(constraint).map(([key, value]) => ({
    names: key.split('__'),
    key,
    expected: forUser(value, userId),
  }))
  return conditions.length === 0 ? sql`true` : sql`(${allOf(model, T, conditions)})`
}

function forUser(value: unknown, userId: number): unknown {
  if (Array.isArray(value)) return value.map((item) => forUser(item, userId))
  return value === USER ? userId : value
}

/** Predicate over the row `alias`: all conditions hold. */
function allOf(model: Model, alias: Sql, conditions: readonly Condition[]): Sql {
  const groups = conditions.filter(({ names }) => names[0] === DYNAMIC_GROUP && !model.steps.has(DYNAMIC_GROUP))
  const fieldConditions =
    groups.length === 0 ? conditions : conditions.filter((condition) => !groups.includes(condition))
  const byField = Map.groupBy(fieldConditions, ({ names }) => fieldNamed(model, names[0] ?? ''))
  const predicates = [
    ...groups.map((condition) => isMember(model, alias, condition)),
    ...[...byField].flatMap(([field, list]) => ofField(model, alias, field, list)),
  ]
  return join(predicates, ' and ')
}

/** The row `alias` is a member of a dynamic group. */
function isMember(model: Model, alias: Sql, { names, key, expected }: Condition): Sql {
  if (names.length > 1) throw new InvalidConstraint(`Unsupported lookup '${names.slice(1).join('__')}' in ${key}.`)
  if (!(expected instanceof GroupMembers)) {
    throw new InvalidConstraint(`${key}: there is no usable dynamic group ${JSON.stringify(expected)}.`)
  }
  if (expected.model !== model.name) {
    throw new InvalidConstraint(`${key}: the dynamic group has objects of the type ${expected.model}.`)
  }
  const { predicate } = expected
  // The row itself, which need not be stored: policies check rows before they are saved.
  if (alias === T) return holds(predicate)
  return sql`${alias}.id in (select t.id from ${table(model)} t where ${predicate})`
}

function ofField(model: Model, alias: Sql, field: string, conditions: readonly Condition[]): readonly Sql[] {
  const step = model.steps.get(field)
  const ends: Condition[] = []
  const further: Condition[] = []
  for (const { names, ...condition } of conditions) {
    const remaining = names.slice(1)
    const [next = ''] = remaining
    const isFurther = step && step.kind !== 'column' && next !== '' && !isLookup(next)
    if (isFurther && !isId(next)) further.push({ ...condition, names: remaining })
    else ends.push({ ...condition, names: isFurther ? remaining.slice(1) : remaining })
  }
  const [absent, present] = [further.filter(isAbsence), further.filter((condition) => !isAbsence(condition))]
  const predicates = [
    ...ends.map((condition) => atEnd(model, alias, field, condition)),
    ...absent.map((condition) => missing(model, alias, field, condition)),
  ]
  if (present.length === 0 || !step || step.kind === 'column') return predicates
  // One subquery for all of them: conditions on the same to-many relation apply to one row.
  const inner = innerAlias(innerAlias(alias))
  const rows = sql`select ${inner}.id from ${table(step.to)} ${inner} where ${allOf(step.to, inner, present)}`
  return [...predicates, holds(reaches(model, alias, field, (id) => sql`${id} in (${rows})`))]
}

const isId = (name: string): boolean => name === 'id' || name === 'pk'

const holds = (predicate: Sql): Sql => sql`(${predicate}) is true`

function atEnd(model: Model, alias: Sql, field: string, { names, key, expected }: Condition): Sql {
  // After keys of a JSON value, null is an ordinary value.
  const isWhole = names.length === 0 || (names.length === 1 && isLookup(names[0] ?? ''))
  if (isWhole && isAbsence({ names, expected })) return holds(lacks(model, alias, field))
  return holds(
    reaches(model, alias, field, (value: Sql, end: PathEnd) => compare({ value, end, names, key, expected })),
  )
}

/** True if the condition requires that the path leads to no value. */
const isAbsence = ({ names, expected }: Pick<Condition, 'names' | 'expected'>): boolean => {
  const lookup = names.at(-1)
  if (lookup === 'isnull') return expected === true
  return expected === null && (lookup === undefined || lookup === 'exact' || !isLookup(lookup))
}

/** The path, from `field` onwards, leads to no value, or one of its steps leads to nothing. */
function missing(model: Model, alias: Sql, field: string, condition: Condition): Sql {
  const path = [field]
  let here = relatedTo(model, field)
  const names = condition.names.filter((name, index) => index < condition.names.length - 1 || !isLookup(name))
  for (const name of names) {
    if (!here) throw new InvalidConstraint(`Unsupported lookup '${name}' in ${condition.key}.`)
    const next = fieldNamed(here, name)
    path.push(next)
    here = relatedTo(here, next)
  }
  return holds(lacks(model, alias, path.join('.')))
}

function relatedTo(model: Model, field: string): Model | undefined {
  const step = model.steps.get(field)
  return step && step.kind !== 'column' ? step.to : undefined
}

/** The step or computed field for a name. Throws for an unknown name. */
function fieldNamed(model: Model, name: string): string {
  const key = stepNamed(model, name)
  if (key === undefined) throw new InvalidConstraint(unknownName(model, name), { model, name })
  return key
}
