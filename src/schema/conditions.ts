import { matchesFromStart } from './custom-value.ts'
import { isJsonObject, type Json, type JsonObject } from './json.ts'

// Conditions of event rules: {"and": […]} or {"or": […]}, nested, or one {attr, value, op, negate}. Names and
// semantics are those of NetBox 4.6.8 extras/conditions.py.

/** Operators allowed for each type of value. */
const OPERATIONS: Readonly<Record<string, readonly string[]>> = {
  string: ['eq', 'contains', 'regex'],
  boolean: ['eq', 'contains'],
  number: ['eq', 'gt', 'gte', 'lt', 'lte', 'contains'],
  list: ['eq', 'in', 'contains'],
  null: ['eq'],
}
const NAMES: ReadonlySet<string> = new Set(['attr', 'value', 'op', 'negate'])

/** Reason why the value is not a valid set of conditions, or undefined. */
export function complainOfConditions(conditions: Json): string | undefined {
  if (!isJsonObject(conditions)) return 'Conditions are an object.'
  const [name] = Object.keys(conditions)
  if (Object.keys(conditions).length !== 1 || name === undefined) {
    return complainOfCondition(conditions)
  }
  if (!isLogic(name.toLowerCase())) return 'Conditions are joined by "and" or "or".'
  const parts = conditions[name]
  if (!Array.isArray(parts)) return `"${name}" takes a list of conditions.`
  for (const part of parts as readonly Json[]) {
    const complaint = isRuleSet(part) ? complainOfConditions(part) : complainOfCondition(part)
    if (complaint) return complaint
  }
  return undefined
}

const isLogic = (name: string): boolean => name === 'and' || name === 'or'

const isRuleSet = (value: Json): value is JsonObject =>
  isJsonObject(value) && Object.keys(value).length === 1 && isLogic(Object.keys(value)[0] ?? '')

function complainOfCondition(condition: Json): string | undefined {
  if (!isJsonObject(condition)) return 'A condition is an object with attr and value.'
  const stranger = Object.keys(condition).find((name) => !NAMES.has(name))
  if (stranger !== undefined) return `A condition has no "${stranger}".`
  const { attr, value, op = 'eq' } = condition
  if (typeof attr !== 'string' || value === undefined) return 'A condition needs attr and value.'
  const type = typeName(value)
  const allowed = OPERATIONS[type]
  if (!allowed) return `A condition cannot compare with an object.`
  return typeof op === 'string' && allowed.includes(op)
    ? undefined
    : `"${op}" cannot be asked of a ${type}.`
}

function typeName(value: Json): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'list' : typeof value
}

/**
 * Whether data satisfy valid conditions (see `complainOfConditions`); undefined where the data lack an attribute or
 * contain values that cannot be compared.
 */
export function meetsConditions(conditions: Json, data: Json): boolean | undefined {
  if (!isJsonObject(conditions)) return undefined
  const [name = ''] = Object.keys(conditions)
  if (Object.keys(conditions).length !== 1) return holds(conditions, data)
  const isAny = name.toLowerCase() === 'or'
  const parts = conditions[name]
  // Evaluated in order: a decisive part ends the evaluation before a later part could fail.
  for (const part of Array.isArray(parts) ? (parts as readonly Json[]) : []) {
    const result = isRuleSet(part) ? meetsConditions(part, data) : holds(part, data)
    if (result === undefined) return undefined
    if (result === isAny) return isAny
  }
  return !isAny
}

function holds(condition: Json, data: Json): boolean | undefined {
  if (!isJsonObject(condition)) return undefined
  const { attr, value = null, op = 'eq', negate = false } = condition
  const found = String(attr).split('.').reduce<Json | undefined>(step, data)
  if (found === undefined) return undefined
  const result = COMPARE[String(op)]?.(found, value)
  return result === undefined ? undefined : result !== negate
}

/** The value of a step; for a list, the values of its items. */
function step(data: Json | undefined, name: string): Json | undefined {
  if (Array.isArray(data)) {
    const items = (data as readonly Json[]).map((item) => step(item, name))
    return items.some((item) => item === undefined) ? undefined : (items as Json[])
  }
  return isJsonObject(data) ? data[name] : undefined
}

type Compare = (found: Json, value: Json) => boolean | undefined

const ordered =
  (test: (found: number, value: number) => boolean): Compare =>
  (found, value) =>
    typeof found === 'number' && typeof value === 'number' ? test(found, value) : undefined

const same = (one: Json, other: Json): boolean => JSON.stringify(one) === JSON.stringify(other)

const COMPARE: Readonly<Record<string, Compare>> = {
  eq: same,
  gt: ordered((found, value) => found > value),
  gte: ordered((found, value) => found >= value),
  lt: ordered((found, value) => found < value),
  lte: ordered((found, value) => found <= value),
  in: (found, value) =>
    Array.isArray(value) && (value as readonly Json[]).some((item) => same(item, found)),
  contains: (found, value) => {
    if (Array.isArray(found)) return (found as readonly Json[]).some((item) => same(item, value))
    if (typeof found === 'string') {
      return typeof value === 'string' ? found.includes(value) : undefined
    }
    return isJsonObject(found) && typeof value === 'string'
      ? Object.hasOwn(found, value)
      : undefined
  },
  regex: (found, value) =>
    typeof found === 'string' && typeof value === 'string'
      ? matchesFromStart(value, found)
      : undefined,
}
