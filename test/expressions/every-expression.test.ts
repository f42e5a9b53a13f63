import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compileExpression } from '../../src/read/expression/compile-expression.ts'
import { FUNCTIONS, type FunctionKind } from '../../src/read/expression/functions.ts'
import { linksOf } from '../../src/read/expression/links.ts'
import { meaningOf, readableValues } from '../../src/read/expression/names.ts'
import { T } from '../../src/read/query/alias.ts'
import { columnOf } from '../../src/read/query/column.ts'
import type { Model } from '../../src/schema/registry.ts'
import { identifier, join, sql } from '../../src/sql/fragment.ts'
import { table } from '../../src/sql/table.ts'
import { collections, ExampleObjects } from '../registry/example-objects.ts'
import type { Api, Document } from '../support/api.ts'
import { startApiWithOwnModels } from '../support/own-models.ts'
import { runSize } from '../support/run-size.ts'
import { aggregate, evaluate, type Part, type Type, type Value, written } from './evaluator.ts'

let api: Api
let models: readonly Model[]
beforeAll(async () => {
  api = await startApiWithOwnModels({ API_VERSION: '4.7' })
  await new ExampleObjects(api).createAll()
  models = collections(api.service.registry).filter(({ name }) => name !== 'core.branch')
})
afterAll(() => api.close())

const literal = (text: string, type: Type, value: Value): Part => ({ kind: 'literal', text, type, value })

/** Values of each type, which are in no model. */
const LITERALS: readonly Part[] = [
  literal('null', 'null', null),
  literal("'é'", 'text', 'é'),
  literal("'2027-02-31'", 'text', '2027-02-31'),
  literal("'12.50'", 'text', '12.50'),
  literal("''", 'text', ''),
  literal('2', 'number', 2),
  literal('0', 'number', 0),
  literal('true', 'boolean', true),
]

const TYPES = { integer: 'number', decimal: 'number' } as const
const typeOf = (type: string): Type => (type in TYPES ? TYPES[type as keyof typeof TYPES] : (type as Type))

/** Names of a model: up to two of each type and collation, the display, and a related object with its display. */
function namesOf(model: Model, objects: readonly Document[]): readonly Part[] {
  const perKind = new Map<string, number>()
  return readableValues(model, () => true).flatMap(({ name, type, to }): Part[] => {
    // Some responses contain related objects only as ids.
    if (!type || (to && objects.some((object) => typeof object[name] === 'number'))) return []
    const field = model.fields.get(name)
    const collation = field && 'collation' in field ? String(field.collation) : ''
    const kind = to ? 'related' : name === 'display' ? name : `${type} ${field?.kind} ${collation}`
    perKind.set(kind, (perKind.get(kind) ?? 0) + 1)
    return (perKind.get(kind) ?? 0) > 2 ? [] : [{ kind: 'name', text: name, type: typeOf(type) }]
  })
}

const typeOfPart = (part: Part): Type => (part.kind === 'name' || part.kind === 'literal' ? part.type : 'null')

/** Each function with each fitting value at each place, the other places filled with the first value that fits. */
function calls(values: readonly Part[]): readonly Part[] {
  const fits = (wanted: string, part: Part) => {
    const type = typeOfPart(part)
    if (wanted === 'any' || type === 'null') return true
    return type === wanted || (wanted === 'date' && type === 'dateTime')
  }
  return Object.entries(FUNCTIONS as Readonly<Record<string, FunctionKind>>).flatMap(
    ([name, { takes, alternatives }]) =>
      takes.flatMap((wanted, place) =>
        values
          .filter((part) => fits(wanted, part))
          .flatMap((part): Part[] => {
            const equal = values.find((other) => typeOfPart(other) === typeOfPart(part) && other !== part)
            const others = takes.map((other, index): Part | undefined => {
              if (index === place) return part
              // Alternatives have one type.
              if (alternatives !== undefined && index >= alternatives && place >= alternatives) return equal ?? part
              if (alternatives !== undefined && index >= alternatives) return values[0]
              return values.find((candidate) => fits(other, candidate) && typeOfPart(candidate) !== 'null')
            })
            const parts = others.filter((other) => other !== undefined)
            return parts.length < takes.length ? [] : [{ kind: 'call', name, parts }]
          }),
      ),
  )
}

const OPERATORS = ['=', '!=', '<', '<=', '>', '>=', '&', '+', '-', '*', '/', '%', 'and', 'or']

/** Each operator with each pair of values whose types it takes. */
function pairs(values: readonly Part[]): readonly Part[] {
  return OPERATORS.flatMap((operator) =>
    values.flatMap((one) =>
      values.flatMap((two): Part[] => {
        const [first, second] = [typeOfPart(one), typeOfPart(two)]
        const hasNull = first === 'null' || second === 'null'
        const isFitting = /^[-+*/%]$/.test(operator)
          ? [first, second].every((type) => type === 'number' || type === 'null')
          : operator === 'and' || operator === 'or'
            ? [first, second].every((type) => type === 'boolean' || type === 'null')
            : operator === '&' || (hasNull ? operator === '=' || operator === '!=' : first === second)
        return isFitting ? [{ kind: 'operator', operator, parts: [one, two] }] : []
      }),
    ),
  )
}

function prefixed(values: readonly Part[]): readonly Part[] {
  return values.flatMap((part): Part[] => {
    const type = typeOfPart(part)
    if (type === 'number') return [{ kind: 'prefix', operator: '-', part }]
    return type === 'boolean' ? [{ kind: 'prefix', operator: 'not', part }] : []
  })
}

/** A value of a response as expressions see it. */
function plain(value: unknown): Value {
  if (value === null || value === undefined) return null
  if (typeof value === 'object') {
    const { display, value: choice } = value as { display?: Value; value?: Value }
    return choice ?? display ?? null
  }
  return value as Value // of a response
}

const isNow = (part: Part): boolean =>
  part.kind === 'call' ? /^(?:now|today)$/.test(part.name) || part.parts.some(isNow) : false

const asComparable = (value: unknown): unknown => {
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'number') return Number(value.toPrecision(10))
  return typeof value === 'boolean' || value === null ? value : String(value)
}

/** What the database computes for each object, in chunks; names the expression that it refuses. */
async function computed(model: Model, parts: readonly string[], ids: readonly number[]) {
  const CHUNK = 100
  const rows = new Map<number, unknown[]>(ids.map((id) => [id, []]))
  const ask = async (chunk: readonly string[]) =>
    await api.service.database.query<Record<string, unknown>>(sql`
      select t.id, ${join(
        chunk.map((text, index) => {
          const { sql: compute, type } = compileExpression(model, text)
          const value = compute(columnOf(model, T))
          const isNumber = type === 'integer' || type === 'decimal'
          return sql`${isNumber ? sql`${value}::float8` : value} as ${identifier(`v${index}`)}`
        }),
      )} from ${table(model)} t where t.id = any(${ids}::bigint[])`)
  for (let start = 0; start < parts.length; start += CHUNK) {
    const chunk = parts.slice(start, start + CHUNK)
    const found = await ask(chunk).catch(async (error: unknown) => {
      for (const text of chunk) {
        await ask([text]).catch((reason: unknown) => {
          throw new Error(`${model.name}: ${text}: ${reason}`)
        })
      }
      throw error
    })
    for (const row of found) rows.get(Number(row.id))?.push(...chunk.map((_, index) => row[`v${index}`]))
  }
  return rows
}

async function objectsOf(model: Model, limit = 5): Promise<readonly Document[]> {
  const { json } = await api.ask('GET', `/api/${model.path}/?limit=${limit}`)
  return json.results ?? []
}

/** A part of the models each day, all of them at full size. */
const someOf = (all: readonly Model[], share: number): readonly Model[] => {
  const day = Math.floor(Date.now() / 86_400_000)
  return all.filter((_, index) => (index + day) % share === 0)
}

/** The expressions of a model whose values are compared with what its responses show. */
async function withValues(model: Model) {
  const objects = await objectsOf(model)
  const names = namesOf(model, objects)
  const known = new Map(
    objects.map((object) => [
      Number(object.id),
      Object.fromEntries(names.map((part) => [written(part), plain(object[written(part)])])),
    ]),
  )
  return { objects, names, known }
}

const AGGREGATES = ['sum', 'avg', 'min', 'max', 'unique', 'same'] as const

/** Conditions on the id of a related object, and on that of the object itself. */
const CONDITIONS: readonly (readonly [string, (related: number, own: number) => boolean])[] = [
  ['id % 2 = 0', (related) => related % 2 === 0],
  ['id > this.id', (related, own) => related > own],
  ['this.id > 1', (_related, own) => own > 1],
]

const MOST_RELATED = 200

/** Aggregates over each relation of a model, and the related objects that they are about, if these are easily found. */
async function aggregates(model: Model) {
  const all: { readonly text: string; readonly expected: ((id: number) => Value) | undefined }[] = []
  for (const name of [...model.steps.keys(), ...linksOf(model)]) {
    const meaning = meaningOf(model, name)
    if (meaning?.kind !== 'several') continue
    const { step, to } = meaning
    const fields = readableValues(to, () => true)
    const key = step.kind === 'reverseForeignKey' ? step.column.name.replace(/_id$/, '') : ''
    const isListed = to.path !== '' && key !== '' && to.answer.includes(key)
    const listed = isListed ? await objectsOf(to, MOST_RELATED) : undefined
    // There may be more than were listed.
    const related = listed && listed.length < MOST_RELATED ? listed : undefined
    const valuesOf = (field: string) =>
      related &&
      ((id: number) =>
        related.flatMap((object) => {
          const owner = object[key] as { id?: number } | number | null // of a response
          const isOwn = typeof owner === 'number' ? owner === id : owner?.id === id
          return isOwn ? [plain(object[field])] : []
        }))
    const counted = valuesOf('id')
    all.push({ text: `count(${name})`, expected: counted && ((id) => aggregate('count', counted(id))) })
    for (const [condition, judge] of CONDITIONS) {
      const met = counted && ((id: number) => counted(id).map((value) => judge(Number(value), id)))
      all.push(
        { text: `count(${name} where ${condition})`, expected: met && ((id) => met(id).filter(Boolean).length) },
        { text: `any(${name} where ${condition})`, expected: met && ((id) => met(id).includes(true)) },
        {
          text: `all(${name} where ${condition})`,
          expected: met && ((id) => (met(id).length === 0 ? null : !met(id).includes(false))),
        },
      )
    }
    const seen = new Set<string>()
    for (const { name: field, type, to: target } of fields) {
      const kind = `${type} ${to.fields.get(field)?.kind}`
      if (!type || seen.has(kind)) continue
      seen.add(kind)
      for (const figure of AGGREGATES) {
        if ((figure === 'sum' || figure === 'avg') && type !== 'integer' && type !== 'decimal') continue
        const values = valuesOf(field)
        // The natural order of texts is that of their column.
        const expected =
          target || type === 'text' || !values ? undefined : (id: number) => aggregate(figure, values(id))
        all.push({ text: `${figure}(${name}.${field})`, expected })
      }
    }
  }
  return all
}

describe('an expression', () => {
  it('has the value that a small evaluator finds: each function and operator with each type of value', async () => {
    const problems: string[] = []
    let count = 0
    for (const model of someOf(models, runSize({ full: 1, usual: 3 }))) {
      const { objects, names, known } = await withValues(model)
      const values = [...names, ...LITERALS]
      const parts = [...calls(values), ...pairs(values), ...prefixed(values)]
      const rows = await computed(model, parts.map(written), [...known.keys()])
      for (const [id, row] of rows) {
        for (const [index, part] of parts.entries()) {
          count += 1
          if (isNow(part)) continue
          const actual = asComparable(row[index] ?? null)
          const expected = asComparable(evaluate(part, known.get(id) ?? {}))
          if (actual !== expected) problems.push(`${model.name} ${id}: ${written(part)} is ${actual}, not ${expected}`)
        }
      }
      expect(rows.size).toBe(objects.length)
    }
    expect(problems.slice(0, 30).join('\n')).toBe('')
    expect(count).toBeGreaterThan(30_000)
  })

  it('computes each aggregate over each relation and type of field', async () => {
    const problems: string[] = []
    let count = 0
    for (const model of someOf(models, runSize({ full: 1, usual: 3 }))) {
      const ids = (await objectsOf(model)).map(({ id }) => Number(id))
      const all = await aggregates(model)
      const rows = await computed(
        model,
        all.map(({ text }) => text),
        ids,
      )
      for (const [id, row] of rows) {
        for (const [index, { text, expected }] of all.entries()) {
          if (!expected) continue
          count += 1
          const [actual, wanted] = [asComparable(row[index] ?? null), asComparable(expected(id))]
          if (actual !== wanted) problems.push(`${model.name} ${id}: ${text} is ${actual}, not ${wanted}`)
        }
      }
    }
    expect(problems.slice(0, 30).join('\n')).toBe('')
    expect(count).toBeGreaterThan(500)
  })

  it('is refused, or has a value everywhere: in lists, filters, orders, GraphQL, pages and the past', async () => {
    const problems: string[] = []
    for (const model of someOf(models, runSize({ full: 1, usual: 8 }))) {
      const { names } = await withValues(model)
      const texts = names.filter((part) => typeOfPart(part) === 'text')
      const [first = "''", second = "''"] = [texts.at(0), texts.at(-1)].map((part) => part && written(part))
      const others = names.filter((part) => typeOfPart(part) !== 'text').map(written)
      const parts = await aggregates(model)
      const expressions = [
        ...[`${first} = ${second}`, `${first} & ${second}`, `upper(${second})`, `coalesce(${second}, ${first})`],
        ...[`if(${first} < ${second}, ${first}, ${second})`, 'display', `starts_with(display, ${first})`],
        ...others,
        ...[...others, 'display'].map((name) => `text(${name})`),
        ...parts.filter((_, index) => index % 7 === 0).map(({ text }) => text),
      ].slice(0, 30)
      const fields = expressions.map((expression, index) => ({
        ...{ object_type: model.name, name: `expression_${index}`, expression },
      }))
      const made = await api.ask('POST', '/api/extras/computed-fields/', { body: fields })
      // Not every type has fields that may be added.
      if (made.status === 400 && made.text.includes('object_type')) continue
      expect(made.status, made.text).toBe(201)
      const list = `/api/${model.path}/`
      const created = JSON.parse(made.text) as readonly { id: number; name: string }[]
      const shown = await api.ask('GET', `${list}?limit=5`)
      const [object] = shown.json.results ?? []
      const asked = created.flatMap(({ name }) => [
        `${list}?ordering=${name}`,
        `${list}?ordering=-${name}`,
        `${list}?${name}=${encodeURIComponent(String(plain(object?.[name]) ?? ''))}`,
        `${list}?fields=id,${name}&as_of=${new Date().toISOString()}`,
      ])
      const page = typeof object?.display_url === 'string' ? new URL(object.display_url).pathname : undefined
      const pages = page === undefined ? [] : [page, page.replace(/\d+\/$/, '')]
      const query = `{ ${model.key}_list { id ${created.map(({ name }) => name).join(' ')} } }`
      const { text: graph } = await api.ask('POST', '/graphql/', { body: { query } })
      // Some models are not in GraphQL.
      if (graph.includes('"errors"') && !graph.includes('Cannot query field')) problems.push(`${graph} ${query}`)
      for (const url of [`${list}?limit=5`, ...asked, ...pages]) {
        const { status, text } = await api.ask('GET', url)
        // A list without history has no past; a value without a filter of that form is refused.
        if (status >= 500 || (status !== 200 && !/as_of|=$/.test(url) && !/history|past/.test(text))) {
          problems.push(`${status} ${url} ${text.slice(0, 200)} ${JSON.stringify(expressions)}`)
        }
      }
      const ids = created.map((field) => ({ id: field.id }))
      const removed = await api.ask('DELETE', '/api/extras/computed-fields/', { body: ids })
      expect(removed.status, removed.text).toBe(204)
    }
    expect(problems.slice(0, 20).join('\n')).toBe('')
  })
})
