import { isDeepStrictEqual } from 'node:util'
import { isList, isObject, type Json, type JsonObject } from './json.ts'
import { matchWhole, matchWithin } from './matchers.ts'
import { fillText, fillWithin, type Variables } from './variables.ts'

/** One place at which two documents differ. Positions in lists are numbers in `path`, keys are texts. */
export interface Mismatch {
  readonly kind: 'missing' | 'extra' | 'value' | 'order'
  readonly path: readonly (string | number)[]
  readonly expected?: Json | undefined
  readonly actual?: Json | undefined
}

/** Interpretation of the texts in an expected document. */
export interface Reading {
  /** Whether an expected text accepts the actual value. */
  readonly admits: (expected: string, actual: Json) => boolean
  /** The key that an expected key represents. */
  readonly key: (expected: string) => string
  /** Whether an unexpected key counts as a difference in the object under `parent`. */
  readonly counts: (parent: string | undefined, key: string) => boolean
  /** The expected value as messages show it. */
  readonly shown: (expected: Json) => Json
  /** Whether lists of objects are first compared by id, which is clearer than a difference per field. */
  readonly byId: boolean
}

/** Every text is literal. */
export const literal: Reading = {
  admits: (expected, actual) => expected === actual,
  key: (expected) => expected,
  counts: () => true,
  shown: (expected) => expected,
  byId: true,
}

/** Variables are in braces, matchers begin with `@`, and custom fields of other scenarios are ignored. */
export function recorded(variables: Variables): Reading {
  const tag = String(variables.get('tag'))
  return {
    admits: (expected, actual) => {
      const whole = matchWhole(expected, actual)
      if (whole !== undefined) return whole
      const filled = fillText(expected, variables)
      if (typeof filled === 'string' && typeof actual === 'string') {
        return matchWithin(filled, actual) ?? filled === actual
      }
      // A variable may contain a whole object that an earlier step saved.
      return isDeepStrictEqual(filled, actual)
    },
    key: (expected) => fillWithin(expected, variables),
    counts: (parent, key) => parent !== 'custom_fields' || key.startsWith(tag),
    shown: (expected) => (typeof expected === 'string' ? fillText(expected, variables) : expected),
    byId: false,
  }
}

/**
 * Differences between an expected and an actual document. Objects must have the same keys in any order, lists the
 * same elements in the same order; numbers are compared by value, and booleans are not numbers.
 */
export function compare(expected: Json, actual: Json, reading: Reading): Mismatch[] {
  const found: Mismatch[] = []
  compareAt(expected, actual, [], { reading, found })
  return found
}

interface Comparison {
  readonly reading: Reading
  readonly found: Mismatch[]
}

type Path = readonly (string | number)[]

function compareAt(expected: Json, actual: Json, path: Path, comparison: Comparison): void {
  const { reading, found } = comparison
  if (isObject(expected) && isObject(actual)) compareObjects(expected, actual, path, comparison)
  else if (isList(expected) && isList(actual)) compareLists(expected, actual, path, comparison)
  else if (!sameValue(expected, actual, reading)) {
    found.push({ kind: 'value', path, expected: reading.shown(expected), actual })
  }
}

const sameValue = (expected: Json, actual: Json, reading: Reading): boolean =>
  typeof expected === 'string' ? reading.admits(expected, actual) : expected === actual

function compareObjects(expected: JsonObject, actual: JsonObject, path: Path, comparison: Comparison): void {
  const { reading, found } = comparison
  const parent = path.at(-1)
  const wanted = new Map(Object.entries(expected).map(([key, item]) => [reading.key(key), item]))

  for (const [key, item] of wanted) {
    const value = Object.hasOwn(actual, key) ? actual[key] : undefined
    if (value === undefined) found.push({ kind: 'missing', path: [...path, key], expected: item })
    else compareAt(item, value, [...path, key], comparison)
  }
  for (const [key, value] of Object.entries(actual)) {
    if (wanted.has(key)) continue
    if (!reading.counts(typeof parent === 'string' ? parent : undefined, key)) continue
    found.push({ kind: 'extra', path: [...path, key], actual: value })
  }
}

function compareLists(expected: readonly Json[], actual: readonly Json[], path: Path, comparison: Comparison): void {
  if (comparison.reading.byId) {
    const [wanted, given] = [idsOf(expected), idsOf(actual)]
    // Two lists of different objects would differ in nearly every field, so a single difference is clearer.
    if (wanted && given && wanted.join() !== given.join()) {
      comparison.found.push({ kind: 'order', path, expected: wanted, actual: given })
      return
    }
  }
  for (const [index, item] of expected.entries()) {
    const value = actual[index]
    const at = [...path, index]
    if (value === undefined) comparison.found.push({ kind: 'missing', path: at, expected: item })
    else compareAt(item, value, at, comparison)
  }
  for (const [index, value] of actual.slice(expected.length).entries()) {
    const at = [...path, expected.length + index]
    comparison.found.push({ kind: 'extra', path: at, actual: value })
  }
}

function idsOf(list: readonly Json[]): number[] | undefined {
  const ids: number[] = []
  for (const item of list) {
    const id = isObject(item) ? item.id : undefined
    if (typeof id !== 'number') return undefined
    ids.push(id)
  }
  return ids.length > 0 ? ids : undefined
}

/** Whether every object has its keys in the same order. For documents that are otherwise equal. */
export function sameKeyOrder(expected: Json, actual: Json): boolean {
  if (isObject(expected) && isObject(actual)) {
    const keys = Object.keys(expected)
    if (keys.join('\n') !== Object.keys(actual).join('\n')) return false
    return keys.every((key) => sameKeyOrder(expected[key] ?? null, actual[key] ?? null))
  }
  if (isList(expected) && isList(actual)) {
    return expected.every((item, index) => sameKeyOrder(item, actual[index] ?? null))
  }
  return true
}
