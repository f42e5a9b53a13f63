import { compare, isLookup, partOfValue } from '../../identity/constraint-lookups.ts'
import { collated } from '../../read/expression/functions.ts'
import { joinStep, type StepJoin } from '../../read/query/join-step.ts'
import { stepNamed, unknownName } from '../../read/query/named-step.ts'
import type { PathEnd } from '../../read/query/reach.ts'
import { storedValue } from '../../read/query/stored-value.ts'
import { isJsonObject, type Json, type JsonObject, objectsIn, ownValue } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'
import type { Step } from '../../schema/step.ts'
import { empty, identifier, join, raw, type Sql, sql, volatile } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { Unanswerable } from '../templates/inventory-queries.ts'

/** The value at the end of a path, in the rows of a table query. */
interface Value {
  readonly sql: Sql
  readonly end: PathEnd
  /** Names after the field: parts of the value, and a lookup. */
  readonly names: readonly string[]
}

/** SQL of an expression, and whether it is a text. */
interface Compiled {
  readonly sql: Sql
  readonly isText: boolean
}

/** A value that a subquery has computed. */
interface Figure extends Compiled {
  readonly name: string
}

const AGGREGATES: ReadonlySet<string> = new Set(['count', 'sum', 'avg', 'min', 'max'])
/** PostgreSQL's functions, and whether their results are texts: `same` as their arguments. */
const FUNCTIONS: Readonly<Record<string, boolean | 'same'>> = {
  ...{ coalesce: 'same', nullif: 'same', greatest: 'same', least: 'same' },
  ...{ lower: true, upper: true, concat: true, btrim: true, left: true, right: true, replace: true },
  ...{ length: false, abs: false, ceil: false, floor: false, round: false },
}
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
    const joins = [...this.#joins.values()].map((one) => one.sql)
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

  #compile(data: Json): Compiled {
    if (!isJsonObject(data)) throw new Unanswerable('An expression is not complete')
    if (typeof data.annotation === 'string') {
      const figure = this.#figures.get(data.annotation)
      if (figure) return { ...figure, sql: sql`q.${identifier(figure.name)}` }
      return this.#compile(this.#annotations[data.annotation] ?? null)
    }
    if (typeof data.path === 'string') return this.#partAt(data.path)
    if (data.value !== undefined) return { sql: bound(data.value), isText: false }
    if (typeof data.aggregate === 'string') return this.#aggregate(data, data.aggregate)
    const parts = (Array.isArray(data.of) ? data.of : []).map((one: Json) => this.#compile(one))
    if (typeof data.function === 'string') {
      const result = ownValue(FUNCTIONS, data.function)
      if (result === undefined) throw new Unanswerable('Scripts cannot use this expression')
      const isText = result === 'same' ? parts.some((part) => part.isText) : result
      return { sql: sql`${raw(data.function)}(${join(parts.map(combined))})`, isText }
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

  #aggregate(data: JsonObject, name: string): Compiled {
    if (!AGGREGATES.has(name)) throw new Unanswerable(`Scripts cannot use the aggregate ${name}`)
    const of = isJsonObject(data.of) ? this.#compile(data.of) : { sql: sql`*`, isText: false }
    const distinct = data.distinct === true ? sql`distinct ` : empty
    const where = isJsonObject(data.where) ? sql` filter (where ${this.condition(data.where)})` : empty
    const value = sql`${raw(name)}(${distinct}${of.sql})${where}`
    return { sql: name === 'avg' ? sql`(${value})::float8` : value, isText: of.isText && name !== 'count' }
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
    const parts = objectsIn(data[key] ?? null).map((one) => this.condition(one))
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
      const rest = names.slice(index + 1)
      const step = stepOf(model, name)
      if (!step) throw new Unanswerable(unknownName(model, name))
      if (step.kind === 'column') {
        const end: PathEnd = { kind: 'column', column: step.column }
        return { sql: storedValue(alias, step.column), end, names: rest }
      }
      const [next = ''] = rest
      const isEnd = rest.length === 0 || isLookup(next) || (next === 'id' && rest.length < 3)
      prefix += `__${name}`
      if (step.kind === 'foreignKey' && isEnd) {
        const end: PathEnd = { kind: 'relation', to: step.to }
        return { sql: joinStep(step, alias, alias).id, end, names: next === 'id' ? rest.slice(1) : rest }
      }
      const joined = this.#join(prefix, alias, step)
      ;({ alias, model } = joined)
      if (isEnd) {
        const end: PathEnd = { kind: 'relation', to: step.to }
        return { sql: sql`${alias}.id`, end, names: next === 'id' ? rest.slice(1) : rest }
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

/** Texts of different columns are combined in one collation. */
const combined = ({ sql: value, isText }: Compiled): Sql => (isText ? collated(value) : value)

const isEmptiness = (names: readonly string[], expected: Json): boolean =>
  names.at(-1) === 'isnull' || (expected === null && names.every((name) => name === 'exact'))

/** A value with its type; texts keep theirs open, so that they compare with addresses and dates. */
function bound(value: Json): Sql {
  if (typeof value === 'number') return Number.isInteger(value) ? sql`${value}::bigint` : sql`${value}::numeric`
  if (typeof value === 'boolean') return sql`${value}::boolean`
  if (value === null) return sql`null`
  if (typeof value === 'string') return sql`${value}`
  throw new Unanswerable('An expression contains a list or a dictionary')
}

/** The expression as text with the name of its type, for `decoded`. */
export const typed = (value: Sql, name: string): Sql =>
  volatile`${value}::text as ${identifier(name)}, pg_typeof(${value})::text as ${identifier(`${name}t`)}`

/** JSON of a value that `typed` selected; an exact number is `{decimal}`. */
export function decoded(text: unknown, type: unknown): Json {
  if (text === null || text === undefined) return null
  const value = String(text)
  if (type === 'smallint' || type === 'integer' || type === 'bigint' || type === 'double precision')
    return Number(value)
  if (type === 'numeric') return { decimal: value }
  if (type === 'boolean') return value === 'true' || value === 't'
  if (type === 'jsonb' || type === 'json') return JSON.parse(value) as Json
  return value
}
