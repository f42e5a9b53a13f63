import { lastValue } from '../../read/query/last-value.ts'
import { isJsonObject, type Json, type JsonObject } from '../../schema/json.ts'

/** Keywords with which clients learn the reason of a refusal (RFC 7644 §3.12). */
type ScimType = 'invalidFilter' | 'invalidPath' | 'invalidSyntax' | 'invalidValue' | 'mutability' | 'uniqueness'

/** A refusal in SCIM's form. */
export class ScimError extends Error {
  override readonly name = 'ScimError'
  readonly status: number
  readonly scimType: ScimType | undefined

  constructor(status: number, detail: string, scimType?: ScimType) {
    super(detail)
    this.status = status
    this.scimType = scimType
  }
}

export const noResource = (): ScimError => new ScimError(404, 'There is no such resource.')

/** Default and maximum number of objects in a list. */
const DEFAULT_COUNT = 100
export const MOST_RESULTS = 200

/** The requested part of a list: `offset` counts from 0, `startIndex` from 1. */
export interface ScimWindow {
  readonly startIndex: number
  readonly offset: number
  readonly limit: number
}

/** Values below the minimum count as the minimum (RFC 7644 §3.4.2.4). */
export function windowOf(search: URLSearchParams): ScimWindow {
  const numberIn = (name: string, fallback: number): number => {
    const text = lastValue(search, name)
    if (text === undefined || text === '') return fallback
    if (!/^-?\d{1,9}$/.test(text)) throw new ScimError(400, `${name} must be a number.`, 'invalidValue')
    return Number(text)
  }
  const startIndex = Math.max(1, numberIn('startIndex', 1))
  const limit = Math.min(MOST_RESULTS, Math.max(0, numberIn('count', DEFAULT_COUNT)))
  return { startIndex, offset: startIndex - 1, limit }
}

/** `attribute eq value`; the attribute is in lower case. */
export interface Condition {
  readonly attribute: string
  readonly value: string
}

const CONDITION = /\s*([\w.:-]+)\s+(\w+)\s+("(?:[^"\\]|\\.)*"|[\w.-]+)\s*/y
const AND = /and\s/iy

/** The conditions of a filter, all of which must hold. Other operators than `eq` and `and` are refused. */
export function conditionsOf(search: URLSearchParams): readonly Condition[] {
  const filter = lastValue(search, 'filter')
  if (filter === undefined || filter.trim() === '') return []
  const conditions: Condition[] = []
  let position = 0
  for (;;) {
    CONDITION.lastIndex = position
    const [whole, name = '', operator = '', literal = ''] = CONDITION.exec(filter) ?? []
    if (whole === undefined || operator.toLowerCase() !== 'eq') throw invalidFilter()
    conditions.push({ attribute: plainPath(name), value: literalText(literal) })
    position += whole.length
    if (position === filter.length) return conditions
    AND.lastIndex = position
    if (!AND.test(filter)) throw invalidFilter()
    position = AND.lastIndex
  }
}

export const invalidFilter = (): ScimError =>
  new ScimError(400, 'Filters have the form: attribute eq "value", several of them joined by "and".', 'invalidFilter')

function literalText(literal: string): string {
  if (!literal.startsWith('"')) return literal
  try {
    const value: unknown = JSON.parse(literal)
    if (typeof value === 'string' && !value.includes('\0')) return value
  } catch {
    // Refused below.
  }
  throw invalidFilter()
}

const CORE = /^urn:ietf:params:scim:schemas:core:2\.0:(user|group):/

/** The path in lower case, without the schema of the resource itself. */
const plainPath = (path: string): string => path.trim().toLowerCase().replace(CORE, '')

/** One change of a resource: the new value of an attribute, or its removal. */
export interface Change {
  readonly op: 'add' | 'replace' | 'remove'
  /** In lower case, such as `name.givenname` or `members[value eq "1"]`. */
  readonly path: string
  /** The path as it was sent: values in it are case-sensitive. */
  readonly sentPath: string
  readonly value: Json | undefined
}

/** Maximum number of operations of a PATCH. */
const MOST_OPERATIONS = 1_000

/**
 * The changes of a PATCH. Clients write operations in any case, values without a path, and paths as keys of a value
 * (Entra ID).
 */
export function changesOf(body: unknown): readonly Change[] {
  const operations = attributeOf(body, 'operations')
  if (!Array.isArray(operations)) throw new ScimError(400, 'A PATCH must have a list of Operations.', 'invalidSyntax')
  if (operations.length > MOST_OPERATIONS)
    throw new ScimError(413, `A PATCH may have at most ${MOST_OPERATIONS} operations.`)
  return operations.flatMap((operation: unknown) => {
    const op = String(attributeOf(operation, 'op')).toLowerCase()
    const path = attributeOf(operation, 'path')
    const value = attributeOf(operation, 'value')
    if (op !== 'add' && op !== 'replace' && op !== 'remove') {
      throw new ScimError(400, 'An operation must be add, replace or remove.', 'invalidSyntax')
    }
    if (path !== undefined && path !== null && typeof path !== 'string') {
      throw new ScimError(400, 'A path must be a string.', 'invalidPath')
    }
    if (typeof path === 'string' && path !== '') return [{ op, value, path: plainPath(path), sentPath: path }]
    if (op === 'remove') throw new ScimError(400, 'The operation remove needs a path.', 'invalidPath')
    return attributesIn(value).map(([name, attribute]) => ({
      op,
      path: plainPath(name),
      sentPath: name,
      value: attribute,
    }))
  })
}

/** The attributes of a whole resource, as changes. */
export const attributesOf = (body: unknown): readonly Change[] =>
  attributesIn(body).map(([name, value]) => ({ op: 'replace', path: plainPath(name), sentPath: name, value }))

function attributesIn(value: unknown): readonly [string, Json | undefined][] {
  if (!isJsonObject(value)) throw new ScimError(400, 'Expected a JSON object.', 'invalidSyntax')
  return Object.entries(value)
}

/** Value of an attribute, whose name is case-insensitive (RFC 7643 §2.1). */
export function attributeOf(value: unknown, name: string): Json | undefined {
  if (!isJsonObject(value)) throw new ScimError(400, 'Expected a JSON object.', 'invalidSyntax')
  return Object.entries(value).find(([key]) => key.toLowerCase() === name)?.[1]
}

/** A text of an attribute; null removes it. Throws ScimError. */
export function textIn(value: Json | undefined, name: string): string {
  if (value === undefined || value === null) return ''
  if (typeof value !== 'string' || value.includes('\0')) {
    throw new ScimError(400, `${name} must be a text.`, 'invalidValue')
  }
  return value
}

/** The text that a change sets: empty if the change removes it. Throws ScimError. */
export const textOf = ({ op, sentPath, value }: Change): string => (op === 'remove' ? '' : textIn(value, sentPath))

/** The resource with the requested attributes: `attributes` or `excludedAttributes`, by their first part. */
export function projected(resource: JsonObject, search: URLSearchParams): JsonObject {
  const namesIn = (parameter: string): ReadonlySet<string> | undefined => {
    const text = lastValue(search, parameter)
    return text ? new Set(text.split(',').map((name) => plainPath(name).split('.')[0] ?? '')) : undefined
  }
  const [included, excluded] = [namesIn('attributes'), namesIn('excludedAttributes')]
  return Object.fromEntries(
    Object.entries(resource).filter(([name]) => {
      if (name === 'id' || name === 'schemas') return true
      return included ? included.has(name.toLowerCase()) : !excluded?.has(name.toLowerCase())
    }),
  )
}
