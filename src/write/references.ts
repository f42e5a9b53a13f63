import { T } from '../query/alias.ts'
import { columnOf } from '../query/column.ts'
import type { Folding } from '../query/fold.ts'
import {
  isExpression,
  isTextComparison,
  TEXT_OPERATORS,
  type TextComparison,
} from '../query/lookups.ts'
import { applyRowSecurity } from '../query/row-security.ts'
import { type Column, isStored } from '../schema/column.ts'
import { isJsonObject } from '../schema/json.ts'
import type { Model, Registry } from '../schema/registry.ts'
import { identifier, join, raw, type Sql, sql } from '../sql/fragment.ts'
import { table } from '../sql/table.ts'
import type { WriteContext } from './context.ts'
import type { Draft, PendingReference } from './draft.ts'
import { isRefused } from './outcome.ts'
import { parseValue } from './parse.ts'
import { wholeNumber } from './parse-number.ts'
import { encodeValue } from './values.ts'

/** Conditions of an attribute dictionary: paths with the required values, including null. */
interface Question {
  readonly key: string
  readonly terms: readonly Term[]
}
interface Term {
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

type Found = ReadonlyMap<string, readonly number[]>

/**
 * Resolves all related objects of the batch: one query for the ids of a model, and one for each set of attribute
 * names. A missing object is an error of its field. Attributes find only objects that the user may view; a reference
 * by id needs no permission, as recorded in users.permissions.user-token.
 */
export async function resolveReferences(
  context: WriteContext,
  drafts: readonly Draft[],
): Promise<void> {
  await resolvePending(
    context,
    drafts.flatMap(({ references }) => references),
  )
}

/** As `resolveReferences`, for references that belong to no draft. */
export async function resolvePending(
  context: WriteContext,
  references: readonly PendingReference[],
): Promise<void> {
  const byModel = Map.groupBy(references, ({ to }) => to)
  const resolved = await Promise.all(
    [...byModel].map(([model, references]) => resolveModel(context, model, references)),
  )
  for (const settle of resolved) settle()
}

/** Resolves the references of one model; returns the function that assigns the ids. */
async function resolveModel(
  context: WriteContext,
  model: Model,
  references: readonly PendingReference[],
): Promise<() => void> {
  const { registry } = context.service
  const ids = new Set<number>()
  const questions = new Map<string, Question>()
  const asked = references.map(({ items }) =>
    items.map((item) => {
      if ('id' in item) {
        ids.add(item.id)
        return item.id
      }
      const question = makeQuestion(registry, model, item.attributes)
      if ('key' in question) questions.set(question.key, question)
      return question
    }),
  )
  const [existing, found] = await Promise.all([
    findIds(context, model, [...ids]),
    findByAttributes(context, model, [...questions.values()]),
  ])
  return () => {
    references.forEach((reference, position) => {
      const answers = (asked[position] ?? []).map((each) => answer(each, existing, found))
      const complaint = answers.find((each) => typeof each !== 'number')
      if (complaint) reference.refuse([complaint.text], complaint)
      else reference.settle(answers.filter((each) => typeof each === 'number'))
    })
  }
}

interface Complaint {
  readonly text: string
  readonly isAmbiguous?: boolean
}

/** The id of the single matching object, or why there is none. */
function answer(
  asked: number | Question | { readonly complaint: string },
  existing: ReadonlySet<number>,
  found: Found,
): number | Complaint {
  if (typeof asked === 'number') {
    return existing.has(asked)
      ? asked
      : { text: `Related object not found using the provided numeric ID: ${asked}` }
  }
  if ('complaint' in asked) return { text: asked.complaint }
  const ids = found.get(asked.key) ?? []
  if (ids.length > 1) {
    const text = `More than one object matches the attributes ${attributesText(asked.terms)}.`
    return { text, isAmbiguous: true }
  }
  return ids[0] ?? { text: notFoundBy(asked.terms) }
}

type Attribute = Pick<Term, 'path' | 'lookup' | 'value'>

const notFoundBy = (attributes: readonly Attribute[]): string =>
  `Related object not found using the provided attributes: ${attributesText(attributes)}`

const attributesText = (attributes: readonly Attribute[]): string =>
  `{${attributes.map(attributeText).join(', ')}}`

/** One attribute as the reference writes it: `'region__slug': 'north'`. */
function attributeText({ path, lookup, value }: Attribute): string {
  const name = path.replaceAll('.', '__') + (lookup === 'exact' ? '' : `__${lookup}`)
  const quote = value?.includes("'") ? '"' : "'"
  return `'${name}': ${value === null ? 'None' : quote + value + quote}`
}

async function findIds(
  { transaction }: WriteContext,
  model: Model,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set()
  const rows = await transaction.query<{ id: number }>(
    sql`select id from ${table(model)} where id = any(${ids}::bigint[])`,
  )
  return new Set(rows.map(({ id }) => id))
}

/** At most two ids per dictionary: a second one shows that the first is not unique. */
async function findByAttributes(
  context: WriteContext,
  model: Model,
  questions: readonly Question[],
): Promise<Found> {
  const found = new Map<string, number[]>()
  const signatureOf = ({ terms }: Question) =>
    terms.map(({ path, lookup, value }) => `${path} ${value === null ? 'null' : lookup}`).join()
  for (const group of Map.groupBy(questions, signatureOf).values()) {
    const terms = group[0]?.terms ?? []
    const column = columnOf(model, T)
    const parameters: Sql[] = [sql`${group.map((_, index) => index)}::int[]`]
    const names: Sql[] = [identifier('position')]
    const conditions = terms.map(({ path, type, folding, lookup, value }, index) => {
      if (value === null) return sql`${column(path)} is null`
      const name = identifier(`v${index}`)
      const operator = TEXT_OPERATORS[lookup]
      const bound = group.map((question) => operator.bound(question.terms[index]?.value ?? ''))
      parameters.push(sql`${bound}::text[]`)
      names.push(name)
      return lookup === 'exact'
        ? operator.sql(column(path), sql`q.${name}::${raw(type)}`, folding)
        : operator.sql(sql`${column(path)}::text`, sql`q.${name}`, folding)
    })
    const statement = sql`
      select q.position, r.id from unnest(${join(parameters)}) as q(${join(names)})
      cross join lateral (
        select t.id from ${table(model)} t where ${join(conditions, ' and ')} limit 2
      ) r`
    const rows = await context.transaction.query<{ position: number; id: number }>(
      applyRowSecurity(context.security, statement),
    )
    for (const { position, id } of rows) {
      const key = group[position]?.key ?? ''
      found.set(key, [...(found.get(key) ?? []), id])
    }
  }
  return found
}

function makeQuestion(
  registry: Registry,
  model: Model,
  attributes: Readonly<Record<string, unknown>>,
): Question | { readonly complaint: string } {
  const terms: Term[] = []
  const complaint = collectTerms(registry, model, '', attributes, terms)
  if (complaint) return { complaint }
  terms.sort((one, other) => (one.path + one.lookup < other.path + other.lookup ? -1 : 1))
  return { key: JSON.stringify(terms), terms }
}

/** Adds a term for each attribute; nested objects become paths. Returns an error message for an invalid attribute. */
function collectTerms(
  registry: Registry,
  model: Model,
  prefix: string,
  attributes: Readonly<Record<string, unknown>>,
  terms: Term[],
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
  terms: Term[],
): string | undefined {
  const [name = '', ...rest] = written.split('__')
  const step = name.startsWith('_') ? undefined : model.steps.get(name)
  const path = prefix + name
  const lookup = rest.join('__')
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
function encodeInput(
  registry: Registry,
  name: string,
  column: Column,
  value: unknown,
): string | undefined {
  const { field } = column
  if (name !== 'id' && isStored(field) && field.kind !== 'foreignKey') {
    const outcome = parseValue(registry, field, value)
    return isRefused(outcome) ? undefined : (encodeValue(column, outcome.value) ?? undefined)
  }
  if (column.type === 'text') return inputText(value)
  const number = wholeNumber(value)
  return number === undefined ? undefined : String(number)
}

/** A value of a body as text; String() fails on a document with a `toString` of its own. */
const inputText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value)

function addId(path: string, value: unknown, terms: Term[]): string | undefined {
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
    .filter(
      ([name, step]) =>
        (step.kind === 'column' || step.kind === 'foreignKey') && !name.startsWith('_'),
    )
    .map(([name]) => name)
    .sort()
