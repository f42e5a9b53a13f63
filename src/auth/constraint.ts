import type { Constraint } from '../config/default-permissions.ts'
import { innerAlias, T } from '../query/alias.ts'
import { lacks, type PathEnd, reaches } from '../query/reach.ts'
import type { Model } from '../schema/registry.ts'
import { join, type Sql, sql } from '../sql/fragment.ts'
import { table } from '../sql/table.ts'
import { compare, isLookup } from './constraint-lookups.ts'
import { InvalidConstraint } from './invalid-constraint.ts'

/** Stands for the user who asks, as a value or within a list. */
const USER = '$user'

/** One condition of a constraint, on its way along its path. */
interface Condition {
  /** What is left of the key: names of fields, keys of a JSON value, lookups. */
  readonly names: readonly string[]
  /** As it is written, for messages. */
  readonly key: string
  readonly wanted: unknown
}

/**
 * Predicate over alias `t`: the row satisfies all conditions of the constraint. Keys are paths with a
 * lookup (`site__region__name`, `status__in`); conditions on the same of many related rows have to hold for
 * one of them together. A constraint that cannot be understood, because a path or a value does not fit the
 * model, is satisfied by no row: a mistake must not open anything.
 */
export function satisfiesConstraint(model: Model, constraint: Constraint, userId: number): Sql {
  try {
    return compile(model, constraint, userId)
  } catch (error) {
    if (!(error instanceof InvalidConstraint)) throw error
    return sql`false`
  }
}

/** Why the constraint cannot be understood for objects of the model; undefined: it can. */
export function complaintOf(model: Model, constraint: Constraint): string | undefined {
  try {
    compile(model, constraint, 0)
    return undefined
  } catch (error) {
    if (!(error instanceof InvalidConstraint)) throw error
    return error.message
  }
}

/** Whether every row satisfies the constraint. */
export const isUnconditional = (constraint: Constraint): boolean =>
  Object.keys(constraint).length === 0

function compile(model: Model, constraint: Constraint, userId: number): Sql {
  const conditions = Object.entries(constraint).map(([key, value]) => ({
    names: key.split('__'),
    key,
    wanted: forUser(value, userId),
  }))
  return conditions.length === 0 ? sql`true` : sql`(${allOf(model, T, conditions)})`
}

function forUser(value: unknown, userId: number): unknown {
  if (Array.isArray(value)) return value.map((each) => forUser(each, userId))
  return value === USER ? userId : value
}

/** Predicate over the row `alias`: all conditions hold. */
function allOf(model: Model, alias: Sql, conditions: readonly Condition[]): Sql {
  const byField = Map.groupBy(conditions, ({ names }) => fieldNamed(model, names[0] ?? ''))
  const predicates = [...byField].flatMap(([field, list]) => ofField(model, alias, field, list))
  return join(predicates, ' and ')
}

function ofField(
  model: Model,
  alias: Sql,
  field: string,
  conditions: readonly Condition[],
): readonly Sql[] {
  const step = model.steps.get(field)
  const ends: Condition[] = []
  const further: Condition[] = []
  for (const { names, ...condition } of conditions) {
    const rest = names.slice(1)
    const [next = ''] = rest
    const isFurther = step && step.kind !== 'column' && next !== '' && !isLookup(next)
    if (isFurther && !isId(next)) further.push({ ...condition, names: rest })
    else ends.push({ ...condition, names: isFurther ? rest.slice(1) : rest })
  }
  const [absent, present] = [further.filter(isAbsence), further.filter((each) => !isAbsence(each))]
  const predicates = [
    ...ends.map((condition) => atEnd(model, alias, field, condition)),
    ...absent.map((condition) => missing(model, alias, field, condition)),
  ]
  if (present.length === 0 || !step || step.kind === 'column') return predicates
  // One row for all of them: two conditions on the same of many related rows speak of one row.
  const inner = innerAlias(innerAlias(alias))
  const rows = sql`select ${inner}.id from ${table(step.to)} ${inner} where ${allOf(step.to, inner, present)}`
  return [...predicates, holds(reaches(model, alias, field, (id) => sql`${id} in (${rows})`))]
}

const isId = (name: string): boolean => name === 'id' || name === 'pk'

const holds = (predicate: Sql): Sql => sql`(${predicate}) is true`

function atEnd(model: Model, alias: Sql, field: string, { names, key, wanted }: Condition): Sql {
  // Behind keys of a JSON value, null is a value like any other.
  const isWhole = names.length === 0 || (names.length === 1 && isLookup(names[0] ?? ''))
  if (isWhole && isAbsence({ names, wanted })) return holds(lacks(model, alias, field))
  return holds(
    reaches(model, alias, field, (value: Sql, end: PathEnd) =>
      compare({ value, end, names, key, wanted }),
    ),
  )
}

/** Whether nothing is to stand at the end of the path. */
const isAbsence = ({ names, wanted }: Pick<Condition, 'names' | 'wanted'>): boolean => {
  const lookup = names.at(-1)
  if (lookup === 'isnull') return wanted === true
  return wanted === null && (lookup === undefined || lookup === 'exact' || !isLookup(lookup))
}

/** The path, from `field` on, leads to nothing: already where one of its steps does. */
function missing(model: Model, alias: Sql, field: string, condition: Condition): Sql {
  const path = [field]
  let here = relatedTo(model, field)
  const names = condition.names.filter(
    (name, index) => index < condition.names.length - 1 || !isLookup(name),
  )
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

/**
 * The step or computed field that a name means: its own, that of a column (`site_id`, `custom_field_data`), or
 * a generic relation by the model that it leads to (`interface`). Throws for a name that means nothing.
 */
function fieldNamed(model: Model, name: string): string {
  if (name === 'pk') return 'id'
  if (model.steps.has(name)) return name
  const field = model.fields.get(name)
  if (field?.kind === 'derived' || field?.kind === 'derivedKey') return name
  const column = [...model.columns].find(([, each]) => each.name === name)
  if (column) return column[0]
  const generic = [...model.steps].find(
    ([, step]) => step.kind === 'genericTo' && step.to.key === name,
  )
  if (generic) return generic[0]
  const choices = [...model.steps.keys()].filter((each) => !/^_|:/.test(each)).sort()
  throw new InvalidConstraint(
    `Cannot resolve keyword '${name}' into field. Choices are: ${choices.join(', ')}`,
  )
}
