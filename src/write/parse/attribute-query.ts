import type { Folding } from '../../read/query/fold.ts'
import { isExpression, isTextComparison, type TextComparison } from '../../read/query/lookups.ts'
import { type Column, isStored } from '../../schema/column.ts'
import { wholeNumber } from '../../schema/fields/integer.ts'
import { isJsonObject } from '../../schema/json.ts'
import { isRefused } from '../../schema/outcome.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { encodeValue } from '../values.ts'
import { parseValue } from './parse.ts'

/** Conditions of a dictionary of attributes: paths with the required values, including null. */
export interface AttributeQuery {
  readonly key: string
  readonly terms: readonly AttributeTerm[]
}

/** A required value at the end of a path. */
export interface AttributeTerm {
  /** Dotted path to a column. */
  readonly path: string
  readonly type: string
  readonly folding: Folding
  readonly lookup: Lookup
  /** PostgreSQL text form; null: is null. */
  readonly value: string | null
}

/** Lookups after two underscores in an attribute, on the value as text. */
type Lookup = Exclude<TextComparison, 'regex' | 'iregex'>

const isLookup = (name: string): name is Lookup => isTextComparison(name) && !isExpression(name)

/** The conditions of a dictionary, or the reason why it has none. */
export function attributeQuery(
  registry: Registry,
  model: Model,
  attributes: Readonly<Record<string, unknown>>,
): AttributeQuery | { readonly complaint: string } {
  const terms: AttributeTerm[] = []
  const complaint = collectTerms(registry, model, '', attributes, terms)
  if (complaint) return { complaint }
  terms.sort((left, right) => (left.path + left.lookup < right.path + right.lookup ? -1 : 1))
  return queryOf(terms)
}

/** The conditions of valid terms. */
export const queryOf = (terms: readonly AttributeTerm[]): AttributeQuery => ({
  key: JSON.stringify(terms),
  terms,
})

/** Adds a term for each attribute; nested objects become paths. Returns an error message for an invalid attribute. */
function collectTerms(
  registry: Registry,
  model: Model,
  prefix: string,
  attributes: Readonly<Record<string, unknown>>,
  terms: AttributeTerm[],
): string | undefined {
  for (const [written, value] of Object.entries(attributes)) {
    const complaint = collectTerm(registry, model, prefix, written, value, terms)
    if (complaint) return complaint
  }
  return undefined
}

/** `name`, `name__lookup`, or `relation__name` as an alternative to a nested object. */
function collectTerm(
  registry: Registry,
  model: Model,
  prefix: string,
  written: string,
  value: unknown,
  terms: AttributeTerm[],
): string | undefined {
  const [name = '', ...remaining] = written.split('__')
  const step = name.startsWith('_') ? undefined : model.steps.get(name)
  const path = prefix + name
  const lookup = remaining.join('__')
  if (step?.kind === 'foreignKey') {
    const nested = lookup === '' || isLookup(lookup) ? value : { [lookup]: value }
    if (isJsonObject(nested)) return collectTerms(registry, step.to, `${path}.`, nested, terms)
    return addId(path, value, terms)
  }
  if (step?.kind !== 'column' || (lookup !== '' && !isLookup(lookup))) {
    return `Cannot resolve ${prefix}${written}. Choices are: ${attributeNames(model).join(', ')}.`
  }
  const { column } = step
  const { type } = column
  const folding = column.collation === 'natural' ? 'natural' : 'plain'
  if (isLookup(lookup)) {
    terms.push({ path, type, folding, lookup, value: inputText(value) })
    return undefined
  }
  const encoded = value === null ? null : encodeInput(registry, name, column, value)
  if (encoded === undefined) return notFoundBy([{ path, lookup: 'exact', value: inputText(value) }])
  terms.push({ path, type, folding, lookup: 'exact', value: encoded })
  return undefined
}

/** PostgreSQL text form of a value for a column; undefined if the column cannot contain it. */
function encodeInput(registry: Registry, name: string, column: Column, value: unknown): string | undefined {
  const { field } = column
  if (name !== 'id' && isStored(field) && field.kind !== 'foreignKey') {
    const outcome = parseValue(registry, field, value)
    return isRefused(outcome) ? undefined : (encodeValue(column, outcome.value) ?? undefined)
  }
  if (column.type === 'text') return inputText(value)
  const number = wholeNumber(value)
  return number === undefined ? undefined : String(number)
}

/** A value of a body as text; String() would fail on a document with a key `toString`. */
const inputText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

function addId(path: string, value: unknown, terms: AttributeTerm[]): string | undefined {
  const id = value === null ? null : wholeNumber(value)
  if (id === undefined || (id !== null && !Number.isSafeInteger(id))) {
    return notFoundBy([{ path, lookup: 'exact', value: inputText(value) }])
  }
  const text = id === null ? null : String(id)
  terms.push({ path: `${path}.id`, type: 'bigint', folding: 'plain', lookup: 'exact', value: text })
  return undefined
}

/** Names that a dictionary may contain. */
const attributeNames = (model: Model): string[] =>
  [...model.steps]
    .filter(([name, step]) => (step.kind === 'column' || step.kind === 'foreignKey') && !name.startsWith('_'))
    .map(([name]) => name)
    .sort()

type Attribute = Pick<AttributeTerm, 'path' | 'lookup' | 'value'>

/** Error message for attributes that match no object. */
export const notFoundBy = (attributes: readonly Attribute[]): string =>
  `Related object not found using the provided attributes: ${attributesText(attributes)}`

/** The attributes in the notation of NetBox. */
export const attributesText = (attributes: readonly Attribute[]): string =>
  `{${attributes.map(attributeText).join(', ')}}`

/** One attribute: `'region__slug': 'north'`. */
function attributeText({ path, lookup, value }: Attribute): string {
  const name = path.replaceAll('.', '__') + (lookup === 'exact' ? '' : `__${lookup}`)
  const quote = value?.includes("'") ? '"' : "'"
  return `'${name}': ${value === null ? 'None' : quote + value + quote}`
}
