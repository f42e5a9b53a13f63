import { matchesFromStart } from './custom-value.ts'
import { isJsonObject, type Json, type JsonObject, ownValue } from './json.ts'

// Conditions of event rules: {"and": […]} or {"or": […]}, nested, or one {attr, value, op, negate}. Names and
// semantics are those of NetBox 4.6.8 extras/conditions.py; comparisons of snapshots are those of version 4.7.

/** An object, with its snapshots before and after a change, to which conditions are applied. */
export interface ConditionSubject {
  readonly data: Json
  readonly snapshots?: { readonly prechange: Json; readonly postchange: Json } | undefined
}

/** Operators allowed for each type of value. */
const OPERATIONS: Readonly<Record<string, readonly string[]>> = {
  string: ['eq', 'contains', 'regex'],
  boolean: ['eq', 'contains'],
  number: ['eq', 'gt', 'gte', 'lt', 'lte', 'contains'],
  list: ['eq', 'in', 'contains'],
  null: ['eq'],
}
/** Operators that compare the snapshots and take no value. */
const CHANGES: ReadonlySet<string> = new Set(['changed', 'unchanged'])
const NAMES: ReadonlySet<string> = new Set(['attr', 'value', 'op', 'negate'])

/** Reason why the value is not a valid set of conditions, or undefined. */
export function complainOfConditions(conditions: Json): string | undefined {
  if (!isJsonObject(conditions)) return 'Conditions must be an object.'
  const [name] = Object.keys(conditions)
  if (Object.keys(conditions).length !== 1 || name === undefined) {
    return complainOfCondition(conditions)
  }
  if (!isLogic(name.toLowerCase())) return 'Conditions must be joined by "and" or "or".'
  const parts = conditions[name] ?? []
  if (isJsonObject(parts) && Object.keys(parts).length === 0) return undefined
  if (!Array.isArray(parts)) return `"${name}" takes a list of conditions.`
  for (const condition of parts as readonly Json[]) {
    const complaint = isRuleSet(condition) ? complainOfConditions(condition) : complainOfCondition(condition)
    if (complaint) return complaint
  }
  return undefined
}

const isLogic = (name: string): boolean => name === 'and' || name === 'or'

const isRuleSet = (value: Json): value is JsonObject =>
  isJsonObject(value) && Object.keys(value).length === 1 && isLogic(Object.keys(value)[0] ?? '')

function complainOfCondition(condition: Json): string | undefined {
  if (!isJsonObject(condition)) return 'A condition must be an object with attr and value.'
  const stranger = Object.keys(condition).find((name) => !NAMES.has(name))
  if (stranger !== undefined) return `A condition must not contain "${stranger}".`
  const { attr, value, op = 'eq' } = condition
  if (typeof op === 'string' && CHANGES.has(op)) return complainOfChange(condition)
  if (typeof attr !== 'string' || value === undefined) return 'A condition needs attr and value.'
  const type = typeName(value)
  const allowed = OPERATIONS[type]
  if (!allowed) return `A condition cannot compare with an object.`
  return typeof op === 'string' && allowed.includes(op) ? undefined : `"${op}" cannot be asked of a ${type}.`
}

function complainOfChange({ attr, value, op }: JsonObject): string | undefined {
  if (value !== undefined) return `A condition with "${op}" takes no value.`
  return typeof attr === 'string' && attr !== '' && !attr.includes('.')
    ? undefined
    : `A condition with "${op}" needs an attr without dots.`
}

function typeName(value: Json): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'list' : typeof value
}

/**
 * Whether the subject satisfies valid conditions (see `complainOfConditions`); undefined if it lacks an attribute or
 * contains values that cannot be compared.
 */
export function meetsConditions(conditions: Json, subject: ConditionSubject): boolean | undefined {
  if (!isJsonObject(conditions)) return undefined
  const [name = ''] = Object.keys(conditions)
  if (Object.keys(conditions).length !== 1) return holds(conditions, subject)
  const isAny = name.toLowerCase() === 'or'
  const parts = conditions[name]
  // Evaluated in order: a decisive part ends the evaluation before a later part could fail.
  for (const condition of Array.isArray(parts) ? (parts as readonly Json[]) : []) {
    const result = isRuleSet(condition) ? meetsConditions(condition, subject) : holds(condition, subject)
    if (result === undefined) return undefined
    if (result === isAny) return isAny
  }
  return !isAny
}

function holds(condition: Json, subject: ConditionSubject): boolean | undefined {
  if (!isJsonObject(condition)) return undefined
  const { value = null, negate = false } = condition
  const [attr, op] = [String(condition.attr), String(condition.op ?? 'eq')]
  if (CHANGES.has(op)) {
    const isChanged = hasChanged(attr, subject)
    return isChanged === undefined ? undefined : (isChanged === (op === 'changed')) !== negate
  }
  const actual = attributeOf(attr, subject)
  if (actual === undefined) return undefined
  const result = ownValue(COMPARE, op)?.(actual, value)
  return result === undefined ? undefined : result !== negate
}

/** Whether the attribute differs between the snapshots; undefined if neither has it. */
function hasChanged(attr: string, subject: ConditionSubject): boolean | undefined {
  const before = valueIn('prechange', [attr], subject)
  const after = valueIn('postchange', [attr], subject)
  return before === undefined || after === undefined ? undefined : !same(before, after)
}

const SNAPSHOT = /^snapshots\.(prechange|postchange)\.(.+)$/

function attributeOf(attr: string, subject: ConditionSubject): Json | undefined {
  const [, snapshot, path] = SNAPSHOT.exec(attr) ?? []
  if (snapshot !== 'prechange' && snapshot !== 'postchange') return at(subject.data, attr.split('.'))
  return valueIn(snapshot, (path ?? '').split('.'), subject)
}

/** Value of a path in a snapshot. If there was no object it is null, if the other snapshot has the path. */
function valueIn(
  name: 'prechange' | 'postchange',
  path: readonly string[],
  { snapshots }: ConditionSubject,
): Json | undefined {
  if (!snapshots) return undefined
  if (snapshots[name] !== null) return at(snapshots[name], path)
  const otherSnapshot = snapshots[name === 'prechange' ? 'postchange' : 'prechange']
  return at(otherSnapshot, path) === undefined ? undefined : null
}

const at = (value: Json, path: readonly string[]): Json | undefined => path.reduce<Json | undefined>(step, value)

/** The value of a step; for a list, the values of its items. */
function step(data: Json | undefined, name: string): Json | undefined {
  if (Array.isArray(data)) {
    const items = (data as readonly Json[]).map((item) => step(item, name))
    return items.some((item) => item === undefined) ? undefined : (items as Json[])
  }
  return isJsonObject(data) ? ownValue(data, name) : undefined
}

type Compare = (actual: Json, value: Json) => boolean | undefined

const ordered =
  (test: (actual: number, value: number) => boolean): Compare =>
  (actual, value) =>
    typeof actual === 'number' && typeof value === 'number' ? test(actual, value) : undefined

const same = (left: Json, right: Json): boolean => JSON.stringify(left) === JSON.stringify(right)

const COMPARE: Readonly<Record<string, Compare>> = {
  eq: same,
  gt: ordered((actual, value) => actual > value),
  gte: ordered((actual, value) => actual >= value),
  lt: ordered((actual, value) => actual < value),
  lte: ordered((actual, value) => actual <= value),
  in: (actual, value) => Array.isArray(value) && (value as readonly Json[]).some((item) => same(item, actual)),
  contains: (actual, value) => {
    if (Array.isArray(actual)) return (actual as readonly Json[]).some((item) => same(item, value))
    if (typeof actual === 'string') {
      return typeof value === 'string' ? actual.includes(value) : undefined
    }
    return isJsonObject(actual) && typeof value === 'string' ? Object.hasOwn(actual, value) : undefined
  },
  regex: (actual, value) =>
    typeof actual === 'string' && typeof value === 'string' ? matchesFromStart(value, actual) : undefined,
}
