import { createRequire } from 'node:module'
import type { CodeOptions, ValidateFunction } from 'ajv/dist/2020.js'
import { asPlain, isJsonObject, type Json, type JsonObject, ownValue } from './json.ts'
import { linearExpression } from './linear-expression.ts'
import { firstCharacters } from './shortened.ts'

/** Regular expression engine for `pattern` in a schema, which users write as well. */
const schemaExpression: NonNullable<CodeOptions['regExp']> = Object.assign(
  (pattern: string) => {
    const expression = linearExpression(pattern)
    if (!expression) throw new Error(`the regular expression ${pattern} cannot be used`)
    // The validator identifies expressions by this text; some of them are its own.
    return { test: expression.test, toString: () => pattern }
  },
  // The type requires it; used only if schemas are compiled to source files.
  { code: '' },
)

const require = createRequire(import.meta.url)

/** The validator of JSON schemas, a hundred files, which most processes never need. */
const validators = (): typeof import('ajv/dist/2020.js') => require('ajv/dist/2020.js')

/** Reasons repeat parts of the schema, so they are shortened. */
const LONGEST_REASON = 500

/** Error message of a JSON schema for a value, or of an unusable schema. */
export function checkSchema(schema: unknown, value: unknown): string | undefined {
  try {
    const validate = compiled(schema)
    if (validate(asPlain(value))) return undefined
    const problems = (validate.errors ?? []).map(({ instancePath, message }) => `data${instancePath} ${message}`)
    return `The value does not fit the schema: ${firstCharacters(problems.join(', '), LONGEST_REASON)}.`
  } catch (error) {
    return unusable(error)
  }
}

/**
 * Checks values by a schema of the program, whose alternatives (`oneOf`) may have a `discriminator`. Returns what is wrong
 * with the value, by the place of the first error: `models/0/fields/name: must be a string`.
 */
export function checkerOf(schema: JsonObject): (value: unknown) => string | undefined {
  let check: ValidateFunction | undefined
  return (value) => {
    const { Ajv2020 } = validators()
    check ??= new Ajv2020({ discriminator: true, strict: false, logger: false }).compile(schema)
    if (check(value)) return undefined
    const [first] = check.errors ?? []
    const { instancePath = '', message = 'does not fit', params = {} } = first ?? {}
    const named = Object.values(params).find((detail) => typeof detail === 'string' && !message.includes(detail))
    return `${instancePath.slice(1) || 'The document'}: ${message}${named === undefined ? '' : ` (${named})`}`
  }
}

/** Reason why a JSON schema cannot be used, or undefined. */
export function complainOfSchema(schema: unknown): string | undefined {
  try {
    compiled(schema)
    return undefined
  } catch (error) {
    return unusable(error)
  }
}

function unusable(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error)
  return `The JSON schema cannot be used: ${firstCharacters(reason, LONGEST_REASON)}.`
}

function compiled(schema: unknown): ValidateFunction {
  checkExtent(schema)
  const { Ajv2020 } = validators()
  const ajv = new Ajv2020({
    strict: false,
    logger: false,
    validateFormats: false,
    code: { regExp: schemaExpression },
  })
  // The validator compares each item with every other item.
  ajv.removeKeyword('uniqueItems')
  ajv.addKeyword({
    ...{ keyword: 'uniqueItems', type: 'array', schemaType: 'boolean' },
    error: { message: 'must NOT have duplicate items' },
    validate: (isDemanded: boolean, items: readonly Json[]) =>
      !isDemanded || new Set(items.map(canonicalText)).size === items.length,
  })
  // Older schemas name a dialect that this validator does not support; the keywords are the same.
  const { $schema: _, ...words } = asPlain(schema) as Record<string, unknown>
  return ajv.compile(words)
}

/** The same text for equal values: the order of names has no meaning. */
const canonicalText = (value: Json): string =>
  JSON.stringify(value, (_name, member: Json) =>
    isJsonObject(member) ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1))) : member,
  )

/** Number of values of a schema, with `$ref` expanded. The values of `enum` count once, because they cost nothing. */
const MOST_VALUES = 2_000

/**
 * Throws for a schema whose compilation or use could take very long. A schema that refers twice to a schema that refers
 * twice to another, and so on, takes time and memory proportional to 2^n; a recursive schema takes them in proportion
 * to the depth of the value.
 */
function checkExtent(schema: unknown): void {
  /** Number of values of a referenced schema; undefined while it is being counted. */
  const counts = new Map<string, number | undefined>()
  const countOf = (value: unknown): number => {
    // References within it would then lead elsewhere.
    if (value !== schema && isJsonObject(value) && typeof value.$id === 'string') {
      throw new Error('only the whole schema may have an $id')
    }
    if (typeof value !== 'object' || value === null) return 1
    let count = 1
    for (const [name, member] of Object.entries(value)) {
      if (name === '$dynamicRef' || name === '$recursiveRef') throw new Error(`${name} is not supported`)
      if (name === '$ref' && typeof member === 'string') count += countOfReference(member)
      else if (name !== 'enum' || !Array.isArray(member)) count += countOf(member)
      if (count > MOST_VALUES) throw new Error(`it has more than ${MOST_VALUES} values, with references written out`)
    }
    return count
  }
  const countOfReference = (reference: string): number => {
    const cached = counts.get(reference)
    if (cached !== undefined) return cached
    if (counts.has(reference)) throw new Error(`${reference} refers to itself`)
    counts.set(reference, undefined)
    const count = countOf(referenced(schema, reference))
    counts.set(reference, count)
    return count
  }
  countOf(schema)
}

/** The schema that a JSON pointer such as `#/$defs/name` leads to. */
function referenced(schema: unknown, reference: string): unknown {
  if (!/^#(\/|$)/.test(reference)) throw new Error(`${reference} is not a reference such as #/$defs/name`)
  const steps = reference.split('/').slice(1)
  const target = steps.reduce<unknown>((value, step) => {
    const name = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
    return typeof value === 'object' && value !== null
      ? ownValue(value as Readonly<Record<string, unknown>>, name)
      : undefined
  }, schema)
  if (target === undefined) throw new Error(`${reference} refers to nothing`)
  return target
}
