import { compare, isLookup, partOfValue } from '../../../identity/constraint-lookups.ts'
import { joinStep, type StepJoin } from '../../../read/query/join-step.ts'
import { stepNamed, unknownName } from '../../../read/query/named-step.ts'
import type { PathEnd } from '../../../read/query/reach.ts'
import { storedValue } from '../../../read/query/stored-value.ts'
import { isJsonObject, type Json, type JsonObject, objectsIn, ownValue } from '../../../schema/json.ts'
import type { Model } from '../../../schema/registry.ts'
import type { Step } from '../../../schema/step.ts'
import { empty, identifier, join, raw, type Sql, sql, volatile } from '../../../sql/fragment.ts'
import { table } from '../../../sql/table.ts'
import { type Compiled, called, combined, FIELD_TYPES, FUNCTIONS } from './functions.ts'
import { Unanswerable } from './inventory-queries.ts'

/** The value at the end of a path, in the rows of a table query. */
interface Value {
  readonly sql: Sql
  readonly end: PathEnd
  /** Names after the field: parts of the value, and a lookup. */
  readonly names: readonly string[]
}

/** A value that a subquery has computed. */
interface Figure extends Compiled {
  readonly name: string
}

const AGGREGATES: ReadonlySet<string> = new Set(['count', 'sum', 'avg', 'min', 'max'])
/** Types that figures have in Django; those of the others follow from the values. */
const FIGURE_TYPES: Readonly<Record<string, string>> = { avg: 'float8', count: 'integer' }
const OPERATORS: ReadonlySet<string> = new Set(['+', '-', '*', '/'])
const COMPARISONS: ReadonlySet<string> = new Set(['=', '<', '<=', '>', '>='])

/**
 * The expressions of a query set with the joins that they need: each relation of a path is one left join, as in
 * Django, so that aggregates over two relations count pairs.
 */
export class TableQuery {
  readonly #model: Model
  readonly #alias: Sql
  readonly #annotations: JsonObject
  readonly #figures: ReadonlyMap<string, Figure>
  readonly #keys = new Map<string, Compiled>()
  readonly #joins = new Map<string, { readonly alias: Sql; readonly model: Model; readonly sql: Sql }>()

  /** `annotations`: expressions by name; `figures`: those that a subquery `q` has computed. */
  constructor(
    model: Model,
    alias: Sql,
    {
      annotations = {},
      figures = new Map(),
    }: {
      readonly annotations?: JsonObject
      readonly figures?: ReadonlyMap<string, Figure>
    } = {},
  ) {
    this.#model = model
    this.#alias = alias
    this.#annotations = annotations
    this.#figures = figures
  }

  /** The joins of the expressions so far. */
  get joins(): Sql {
    const joins = [...this.#joins.values()].map((join) => join.sql)
    return joins.length === 0 ? empty : join(joins, ' ')
  }

  /** SQL of an expression. Throws `Unanswerable` for one that does not fit the model. */
  expression(data: Json): Sql {
    return this.#compile(data).sql
  }

  /** The expressions as figures of a subquery, by name. */
  figures(expressions: JsonObject): ReadonlyMap<string, Figure> {
    return new Map(Object.entries(expressions).map(([name, data]) => [name, { name, ...this.#compile(data) }]))
  }

  /**
   * The expressions as columns of a subquery `g`, by which rows are grouped: an expression with values would be
   * another one each time it is written. To be joined after the `joins`.
   */
  groupBy(expressions: readonly JsonObject[]): { readonly joined: Sql; readonly keys: readonly Sql[] } {
    const texts = new Set(expressions.map((expression) => JSON.stringify(this.#resolved(expression))))
    const compiled = [...texts].map((text) => ({ text, ...this.#compile(JSON.parse(text) as Json) }))
    const keys = compiled.map(({ text, isText }, index) => {
      const key = sql`g.${raw(`k${index}`)}`
      this.#keys.set(text, { sql: key, isText })
      return key
    })
    const selected = compiled.map(({ sql: value }, index) => sql`${value} as ${raw(`k${index}`)}`)
    return { joined: keys.length === 0 ? empty : sql`cross join lateral (select ${join(selected)}) g`, keys }
  }

  /** The expression of an annotation; any other expression as it is. */
  #resolved(data: JsonObject): Json {
    const { annotation } = data
    return typeof annotation === 'string' ? (this.#annotations[annotation] ?? data) : data
  }

  #compile(data: Json): Compiled {
    if (!isJsonObject(data)) throw new Unanswerable('An expression is not complete')
    const key = this.#keys.size > 0 ? this.#keys.get(JSON.stringify(this.#resolved(data))) : undefined
    if (key) return key
    if (typeof data.annotation === 'string') {
      const figure = this.#figures.get(data.annotation)
      if (figure) return { ...figure, sql: sql`q.${identifier(figure.name)}` }
      return this.#compile(this.#annotations[data.annotation] ?? null)
    }
    if (typeof data.path === 'string') return this.#partAt(data.path)
    if (data.value !== undefined) return { sql: bound(data.value), isText: false }
    if (typeof data.aggregate === 'string') return this.#aggregate(data, data.aggregate)
    if (Array.isArray(data.cases)) return this.#cases(objectsIn(data.cases), data.otherwise ?? { value: null })
    const parts = (Array.isArray(data.of) ? data.of : []).map((part: Json) => this.#compile(part))
    if (typeof data.cast === 'string') return cast(parts, data.cast)
    if (typeof data.function === 'string') {
      const kind = ownValue(FUNCTIONS, data.function)
      const result = kind && called(kind, parts)
      if (!kind) throw new Unanswerable(`Scripts cannot use the function ${data.function}`)
      if (!result) throw new Unanswerable(`${data.function} does not take ${parts.length} arguments`)
      return result
    }
    if (typeof data.operator === 'string' && OPERATORS.has(data.operator)) {
      return { sql: sql`(${join(parts.map(combined), ` ${data.operator} `)})`, isText: false }
    }
    throw new Unanswerable('Scripts cannot use this expression')
  }

  /** The value at the end of a path, or a part of it: `created__year`. */
  #partAt(path: string): Compiled {
    const { sql: value, end, names } = this.#value(path)
    const [name, ...more] = names
    if (name === undefined) return { sql: value, isText: end.kind === 'column' && isTextType(end.column.type) }
    const type = end.kind === 'column' ? end.column.type : 'bigint'
    const isJson = type === 'jsonb' || type === 'json'
    const part = isJson && more.length === 0 ? sql`${value} ->> ${name}` : partOfValue(name, value, type)
    if (!part || more.length > 0) throw new Unanswerable(`Unsupported lookup '${names.join('__')}' in ${path}`)
    return { sql: part, isText: isJson }
  }

  /** The first of the values whose condition holds. */
  #cases(cases: readonly JsonObject[], otherwise: Json): Compiled {
    const last = this.#compile(otherwise)
    const compiled = cases.map(({ when, value = null }) => ({
      condition: this.condition(isJsonObject(when) ? when : {}),
      value: this.#compile(value),
    }))
    if (compiled.length === 0) return last
    const parts = compiled.map(({ condition, value }) => sql`when ${condition} then ${combined(value)}`)
    const isText = last.isText || compiled.some(({ value }) => value.isText)
    return { sql: sql`(case ${join(parts, ' ')} else ${combined(last)} end)`, isText }
  }

  #aggregate(data: JsonObject, name: string): Compiled {
    if (!AGGREGATES.has(name)) throw new Unanswerable(`Scripts cannot use the aggregate ${name}`)
    const of = isJsonObject(data.of) ? this.#compile(data.of) : { sql: sql`*`, isText: false }
    const distinct = data.distinct === true ? sql`distinct ` : empty
    const where = isJsonObject(data.where) ? sql` filter (where ${this.condition(data.where)})` : empty
    const value = sql`${raw(name)}(${distinct}${of.sql})${where}`
    const type = ownValue(FIGURE_TYPES, name)
    return { sql: type ? sql`(${value})::${raw(type)}` : value, isText: of.isText && name !== 'count' }
  }

  /** Predicate over the joined rows, never null. */
  condition(data: JsonObject): Sql {
    const predicate = this.#predicate(data)
    return data.not === true ? sql`(${predicate}) is not true` : sql`(${predicate}) is true`
  }

  #predicate(data: JsonObject): Sql {
    if (typeof data.compare === 'string') return this.comparison(data.compare, Array.isArray(data.of) ? data.of : [])
    if (isJsonObject(data.wanted)) {
      const parts = Object.entries(data.wanted).map(([key, expected]) => {
        const { sql: value, end, names } = this.#value(key)
        return isEmptiness(names, expected)
          ? sql`${value} is ${names.at(-1) === 'isnull' && expected === false ? sql`not null` : sql`null`}`
          : compare({ value, end, names, key, expected })
      })
      return parts.length === 0 ? sql`true` : join(parts, ' and ')
    }
    const [key, word] = Array.isArray(data.any) ? ['any', ' or '] : ['all', ' and ']
    const parts = objectsIn(data[key] ?? null).map((part) => this.condition(part))
    return parts.length === 0 ? sql`true` : join(parts, word)
  }

  /** Predicate that compares two expressions. */
  comparison(operator: string, [left = null, right = null]: readonly Json[]): Sql {
    const value = combined(this.#compile(left))
    if (operator === 'isnull') return sql`(${value} is null) = ${isJsonObject(right) && right.value === true}`
    if (operator === 'in') {
      const values = isJsonObject(right) && Array.isArray(right.value) ? right.value : []
      return values.length === 0 ? sql`false` : sql`${value} in (${join(values.map(bound))})`
    }
    if (!COMPARISONS.has(operator)) throw new Unanswerable(`Scripts cannot compare by ${operator}`)
    return sql`${value} ${raw(operator)} ${combined(this.#compile(right))}`
  }

  #value(path: string): Value {
    const names = path.split('__').map((name) => (name === 'pk' ? 'id' : name))
    let [model, alias, prefix] = [this.#model, this.#alias, '']
    for (const [index, name] of names.entries()) {
      const remaining = names.slice(index + 1)
      const step = stepOf(model, name)
      if (!step) throw new Unanswerable(unknownName(model, name))
      if (step.kind === 'column') {
        const end: PathEnd = { kind: 'column', column: step.column }
        return { sql: storedValue(alias, step.column), end, names: remaining }
      }
      const [next = ''] = remaining
      const isEnd = remaining.length === 0 || isLookup(next) || (next === 'id' && remaining.length < 3)
      prefix += `__${name}`
      if (step.kind === 'foreignKey' && isEnd) {
        const end: PathEnd = { kind: 'relation', to: step.to }
        return { sql: joinStep(step, alias, alias).id, end, names: next === 'id' ? remaining.slice(1) : remaining }
      }
      const joined = this.#join(prefix, alias, step)
      ;({ alias, model } = joined)
      if (isEnd) {
        const end: PathEnd = { kind: 'relation', to: step.to }
        return { sql: sql`${alias}.id`, end, names: next === 'id' ? remaining.slice(1) : remaining }
      }
    }
    throw new Unanswerable(`${this.#model.name} has no value at ${path}`)
  }

  #join(prefix: string, from: Sql, step: Exclude<Step, { readonly kind: 'column' }>) {
    const present = this.#joins.get(prefix)
    if (present) return present
    const alias = raw(`j${this.#joins.size}`)
    const link = raw(`${alias.text}l`)
    const plain = joinStep(step, from, alias)
    const { id, condition, joined } = plain.joined?.areRelated === false ? joinStep(step, from, link) : plain
    const added = { alias, model: step.to, sql: joinSql(step.to, alias, from, { id, condition, joined }) }
    this.#joins.set(prefix, added)
    return added
  }
}

function cast([part]: readonly Compiled[], field: string): Compiled {
  const type = ownValue(FIELD_TYPES, field)
  if (type === undefined || !part) throw new Unanswerable(`Scripts cannot cast to ${field}`)
  return { sql: sql`(${part.sql})::${raw(type)}`, isText: type === 'text' }
}

function joinSql(to: Model, alias: Sql, from: Sql, { id, condition, joined }: StepJoin): Sql {
  const also = condition ? sql` and ${condition}` : empty
  if (joined?.areRelated) return sql`left join ${joined.rows} on ${joined.owner} = ${from}.id${also}`
  const related = sql`left join ${table(to)} ${alias} on ${alias}.id = ${id}`
  if (!joined) return sql`${related}${also}`
  return sql`left join ${joined.rows} on ${joined.owner} = ${from}.id${also} ${related}`
}

function stepOf(model: Model, name: string): Step | undefined {
  const key = stepNamed(model, name)
  const step = key === undefined ? undefined : model.steps.get(key)
  if (step) return step
  const column = key === undefined ? undefined : model.columns.get(key)
  return column && { kind: 'column', column }
}

const isTextType = (type: string): boolean => /^(?:text|character varying|varchar)/.test(type)

const isEmptiness = (names: readonly string[], expected: Json): boolean =>
  names.at(-1) === 'isnull' || (expected === null && names.every((name) => name === 'exact'))

/** A value with its type; texts keep theirs open, so that they compare with addresses and dates. */
function bound(value: Json): Sql {
  if (typeof value === 'number') {
    if (!Number.isInteger(value)) return sql`${value}::numeric`
    // As Django: sums of what is no wider than a column are whole numbers.
    return Math.abs(value) < 2 ** 31 ? sql`${value}::integer` : sql`${value}::bigint`
  }
  if (typeof value === 'boolean') return sql`${value}::boolean`
  if (value === null) return sql`null`
  if (typeof value === 'string') return sql`${value}`
  throw new Unanswerable('An expression contains a list or a dictionary')
}

/** The expression as text with the name of its type, for `decoded`. */
export const typed = (value: Sql, name: string): Sql =>
  volatile`${value}::text as ${identifier(name)}, pg_typeof(${value})::text as ${identifier(`${name}t`)}`

/** JSON of a value that `typed` selected, in a form from which Python takes its type: `{decimal}`, `{moment}`. */
export function decoded(text: unknown, type: unknown): Json {
  if (text === null || text === undefined) return null
  const value = String(text)
  if (type === 'smallint' || type === 'integer' || type === 'bigint' || type === 'double precision')
    return Number(value)
  if (type === 'numeric') return { decimal: value }
  if (type === 'boolean') return value === 'true' || value === 't'
  if (type === 'jsonb' || type === 'json') return { json: JSON.parse(value) as Json }
  if (type === 'timestamp with time zone') return { moment: value }
  if (type === 'date') return { date: value }
  return value
}
