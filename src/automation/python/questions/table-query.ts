import { compare, isLookup, NETWORKS, partOfValue } from '../../../identity/constraint-lookups.ts'
import { collated } from '../../../read/expression/functions.ts'
import { joinStep, type StepJoin } from '../../../read/query/join-step.ts'
import { isNumberComparison, NUMBER_OPERATORS } from '../../../read/query/lookups.ts'
import { stepNamed, unknownName } from '../../../read/query/named-step.ts'
import type { PathEnd } from '../../../read/query/reach.ts'
import { storedValue } from '../../../read/query/stored-value.ts'
import { isJsonObject, type Json, type JsonObject, objectsIn, ownValue } from '../../../schema/json.ts'
import type { Model } from '../../../schema/registry.ts'
import type { Step } from '../../../schema/step.ts'
import { empty, identifier, join, raw, type Sql, sql, volatile } from '../../../sql/fragment.ts'
import { table } from '../../../sql/table.ts'
import { type Compiled, called, combined, FIELD_TYPES, FUNCTIONS, WINDOW_FUNCTIONS } from './functions.ts'
import { Unanswerable } from './inventory-queries.ts'

/** The value at the end of a path, in the rows of a table query. */
interface Value {
  readonly sql: Sql
  readonly end: PathEnd
  /** Names after the field: parts of the value, and a lookup. */
  readonly names: readonly string[]
}

/** Query sets within the expressions of another query set. */
export interface Subqueries {
  /** How deep the query set lies in others. */
  readonly depth: number
  /** The rows of a query set, `(select v …)`; `references`: values of the query set around it. */
  subquery(question: JsonObject, references: readonly Compiled[]): Compiled
  /** A value of the query set around this one. */
  reference(number: number): Compiled
}

const AGGREGATES: ReadonlySet<string> = new Set([
  ...['count', 'sum', 'avg', 'min', 'max'],
  ...['stddev_pop', 'stddev_samp', 'var_pop', 'var_samp'],
])
/** Types that figures have in Django; those of the others follow from the values. */
const FIGURE_TYPES: Readonly<Record<string, string>> = {
  ...{ avg: 'float8', count: 'integer' },
  ...{ stddev_pop: 'float8', stddev_samp: 'float8', var_pop: 'float8', var_samp: 'float8' },
}
const OPERATORS: ReadonlySet<string> = new Set(['+', '-', '*', '/'])
/** Comparisons of the texts of two expressions. */
const TEXT_COMPARISONS: Readonly<Record<string, (left: Sql, right: Sql) => Sql>> = {
  iexact: (left, right) => sql`upper(${left}) = upper(${right})`,
  contains: (left, right) => sql`strpos(${left}, ${right}) > 0`,
  icontains: (left, right) => sql`strpos(upper(${left}), upper(${right})) > 0`,
  startswith: (left, right) => sql`starts_with(${left}, ${right})`,
  istartswith: (left, right) => sql`starts_with(upper(${left}), upper(${right}))`,
  endswith: (left, right) => sql`right(${left}, length(${right})) = ${right}`,
  iendswith: (left, right) => sql`right(upper(${left}), length(${right})) = upper(${right})`,
}

/**
 * The expressions of a query set with the joins that they need: each relation of a path is one left join, as in
 * Django, so that aggregates over two relations count pairs.
 */
export class TableQuery {
  readonly #model: Model
  readonly #alias: Sql
  readonly #annotations: JsonObject
  readonly #figures: ReadonlyMap<string, Compiled>
  readonly #subqueries: Subqueries
  readonly #keys = new Map<string, Compiled>()
  readonly #joins = new Map<string, { readonly alias: Sql; readonly model: Model }>()
  /** Joins, and values for subqueries, each after what it needs. */
  readonly #sources: Sql[] = []
  #subqueryCount = 0

  /** `annotations`: expressions by name; `figures`: columns that have computed some of them. */
  constructor(
    model: Model,
    alias: Sql,
    {
      subqueries,
      annotations = {},
      figures = new Map(),
    }: {
      readonly subqueries: Subqueries
      readonly annotations?: JsonObject
      readonly figures?: ReadonlyMap<string, Compiled>
    },
  ) {
    this.#model = model
    this.#alias = alias
    this.#subqueries = subqueries
    this.#annotations = annotations
    this.#figures = figures
  }

  /** The joins of the expressions so far. */
  get joins(): Sql {
    return this.#sources.length === 0 ? empty : join(this.#sources, ' ')
  }

  /** SQL of an expression. Throws `Unanswerable` for one that does not fit the model. */
  expression(data: Json): Sql {
    return this.compile(data).sql
  }

  /**
   * The expressions as columns of a subquery `g`, by which rows are grouped: an expression with values would be
   * another one each time it is written. To be joined after the `joins`.
   */
  groupBy(expressions: readonly JsonObject[]): { readonly joined: Sql; readonly keys: readonly Sql[] } {
    const texts = new Set(expressions.map((expression) => JSON.stringify(this.#resolved(expression))))
    const compiled = [...texts].map((text) => ({ text, ...this.compile(JSON.parse(text) as Json) }))
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

  /** An expression. Throws `Unanswerable` for one that does not fit the model. */
  compile(data: Json): Compiled {
    if (!isJsonObject(data)) throw new Unanswerable('An expression is not complete')
    const key = this.#keys.size > 0 ? this.#keys.get(JSON.stringify(this.#resolved(data))) : undefined
    if (key) return key
    if (typeof data.annotation === 'string') {
      const figure = this.#figures.get(data.annotation)
      if (figure) return figure
      return this.compile(this.#annotations[data.annotation] ?? null)
    }
    if (typeof data.path === 'string') return this.#partAt(data.path)
    if (data.value !== undefined) return { sql: bound(data.value), isText: false }
    if (typeof data.aggregate === 'string') return this.#aggregate(data, data.aggregate)
    if (isJsonObject(data.window)) return this.#window(data, data.window)
    if (isJsonObject(data.subquery)) return this.#subquery(data.subquery, data)
    if (isJsonObject(data.exists)) {
      const rows = this.#subquery(data.exists, data).sql
      return { sql: data.negated === true ? sql`(not exists ${rows})` : sql`(exists ${rows})`, isText: false }
    }
    if (typeof data.reference === 'number') return this.#subqueries.reference(data.reference)
    if (data.outer !== undefined) {
      throw new Unanswerable('This queryset contains a reference to an outer query and may only be used in a subquery')
    }
    if (Array.isArray(data.cases)) return this.#cases(objectsIn(data.cases), data.otherwise ?? { value: null })
    const parts = (Array.isArray(data.of) ? data.of : []).map((part: Json) => this.compile(part))
    if (typeof data.cast === 'string') return cast(parts, data.cast)
    if (typeof data.function === 'string') {
      if (Object.hasOwn(WINDOW_FUNCTIONS, data.function)) {
        throw new Unanswerable(`${data.function} can only be used in Window(…)`)
      }
      return callOf(FUNCTIONS, data.function, parts)
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
    const last = this.compile(otherwise)
    const compiled = cases.map(({ when, value = null }) => ({
      condition: this.condition(isJsonObject(when) ? when : {}),
      value: this.compile(value),
    }))
    if (compiled.length === 0) return last
    const parts = compiled.map(({ condition, value }) => sql`when ${condition} then ${combined(value)}`)
    const isText = last.isText || compiled.some(({ value }) => value.isText)
    return { sql: sql`(case ${join(parts, ' ')} else ${combined(last)} end)`, isText }
  }

  #subquery(question: JsonObject, { references = [] }: JsonObject): Compiled {
    const compiled = objectsIn(references).map((reference) => this.compile(reference))
    if (compiled.length === 0) return this.#subqueries.subquery(question, [])
    // As columns of a name that no subquery has: it has its own `t`.
    const alias = raw(`o${this.#subqueries.depth}_${this.#subqueryCount++}`)
    const columns = compiled.map(({ sql: value }, index) => sql`${value} as ${raw(`r${index}`)}`)
    this.#sources.push(sql`cross join lateral (select ${join(columns)}) ${alias}`)
    const values = compiled.map(({ isText }, index) => ({ sql: sql`${alias}.${raw(`r${index}`)}`, isText }))
    return this.#subqueries.subquery(question, values)
  }

  /** A function or an aggregate over the rows of a window. */
  #window({ partition = null, order = null, frame = null }: JsonObject, of: JsonObject): Compiled {
    const keys = objectsIn(partition).map((part) => combined(this.compile(part)))
    const terms = objectsIn(order).map(({ expression = null, descending, nulls }) =>
      directed({ value: combined(this.compile(expression)), descending: descending === true, nulls }),
    )
    const partitioned = keys.length > 0 ? sql`partition by ${join(keys)} ` : empty
    const ordered = terms.length > 0 ? sql`order by ${join(terms)} ` : empty
    const over = sql` over (${partitioned}${ordered}${isJsonObject(frame) ? frameOf(frame) : empty})`
    if (typeof of.aggregate === 'string') return this.#aggregate(of, of.aggregate, over)
    if (typeof of.function !== 'string' || !Object.hasOwn(WINDOW_FUNCTIONS, of.function)) {
      throw new Unanswerable('Window(…) takes an aggregate or a function of windows, such as RowNumber()')
    }
    const parts = objectsIn(of.of ?? null).map((part) => this.compile(part))
    const { sql: value, isText } = callOf(WINDOW_FUNCTIONS, of.function, parts)
    return { sql: sql`(${value}${over})`, isText }
  }

  #aggregate(data: JsonObject, name: string, over: Sql = empty): Compiled {
    if (!AGGREGATES.has(name)) throw new Unanswerable(`Scripts cannot use the aggregate ${name}`)
    const of = isJsonObject(data.of) ? this.compile(data.of) : { sql: sql`*`, isText: false }
    const distinct = data.distinct === true ? sql`distinct ` : empty
    const where = isJsonObject(data.where) ? sql` filter (where ${this.condition(data.where)})` : empty
    if (over !== empty && data.distinct === true) throw new Unanswerable('A window cannot take distinct values')
    const value = sql`${raw(name)}(${distinct}${of.sql})${where}${over}`
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
    if (data.holds !== undefined) return this.compile(data.holds).sql
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
  comparison(lookup: string, [left = null, right = null]: readonly Json[]): Sql {
    const value = combined(this.compile(left))
    if (lookup === 'isnull') return sql`(${value} is null) = ${isJsonObject(right) && right.value === true}`
    if (lookup === 'in') {
      if (isJsonObject(right) && right.subquery !== undefined) return sql`${value} in ${this.compile(right).sql}`
      const values = isJsonObject(right) && Array.isArray(right.value) ? right.value : []
      return values.length === 0 ? sql`false` : sql`${value} in (${join(values.map(bound))})`
    }
    const operand = combined(this.compile(right))
    if (isNumberComparison(lookup)) return NUMBER_OPERATORS[lookup](value, operand)
    const network = ownValue(NETWORKS, lookup)
    if (network) return sql`${value}::inet ${network} ${operand}::inet`
    const ofTexts = ownValue(TEXT_COMPARISONS, lookup)
    if (!ofTexts) throw new Unanswerable(`Scripts cannot compare by ${lookup}`)
    return ofTexts(collated(sql`${value}::text`), collated(sql`${operand}::text`))
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
    const added = { alias, model: step.to }
    this.#sources.push(joinSql(step.to, alias, from, { id, condition, joined }))
    this.#joins.set(prefix, added)
    return added
  }
}

/** Direction of a term of an order; `nulls`: `first` or `last`. */
export function directed(term: {
  readonly value: Sql
  readonly descending: boolean
  readonly nulls?: Json | undefined
}): Sql {
  const { value, descending, nulls } = term
  const place = nulls === 'first' || nulls === 'last' ? sql` nulls ${raw(nulls)}` : empty
  return descending ? sql`${value} desc${place}` : sql`${value}${place}`
}

/** The rows of a window, counted from the current one: null is no limit, a negative number the rows before it. */
function frameOf({ unit, start = null, end = null }: JsonObject): Sql {
  const limit = (value: Json, side: 'preceding' | 'following') => {
    if (value === null) return raw(`unbounded ${side}`)
    if (!Number.isSafeInteger(value)) throw new Unanswerable('The rows of a window are counted in whole numbers')
    const rows = Number(value)
    return rows === 0
      ? raw('current row')
      : sql`${Math.abs(rows)}::integer ${raw(rows < 0 ? 'preceding' : 'following')}`
  }
  const name = unit === 'range' ? raw('range') : raw('rows')
  return sql`${name} between ${limit(start, 'preceding')} and ${limit(end, 'following')}`
}

function callOf(functions: typeof FUNCTIONS, name: string, parts: readonly Compiled[]): Compiled {
  const kind = ownValue(functions, name)
  if (!kind) throw new Unanswerable(`Scripts cannot use the function ${name}`)
  const result = called(kind, parts)
  if (!result) throw new Unanswerable(`${name} does not take ${parts.length} arguments`)
  return result
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
