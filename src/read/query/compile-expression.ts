import { type Expression, ExpressionError, parseExpression } from '../../schema/expression/parse-expression.ts'
import type { DerivedType } from '../../schema/field.ts'
import type { ColumnOf } from '../../schema/path.ts'
import type { Model } from '../../schema/registry.ts'
import { join, raw, type Sql, sql, volatile } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { displayOf } from './display.ts'
import { joinStep, type Relation } from './join-step.ts'
import { scalarPath } from './scalar-path.ts'

/** Types of values; `null` fits all of them. */
type ValueType = Exclude<DerivedType, 'json'> | 'date' | 'null'

/** A compiled expression: the type of its value, and its SQL for a row. */
interface CompiledExpression {
  readonly type: ValueType
  readonly sql: (column: ColumnOf) => Sql
}

/** Maximum number of lists of related objects that one expression reads for each object. */
const MOST_AGGREGATES = 5

/**
 * Compiles an expression over the fields of a model and of the objects that it refers to. Every part is bounded: no part
 * can fail for a value, and lists of related objects are read by index. Throws ExpressionError.
 */
export function compileExpression(model: Model, source: string): CompiledExpression & Pick<Compiler, 'reads'> {
  const compiler = new Compiler(model)
  return { ...compiler.compile(parseExpression(source)), reads: compiler.reads }
}

type Parts = readonly CompiledExpression[]

/** A function: the types of its arguments, the last one repeated for `rest`, its result and its SQL. */
interface FunctionKind {
  readonly takes: readonly (ValueType | 'any' | 'number')[]
  readonly optional?: number
  readonly rest?: true
  readonly type: ValueType | ((parts: Parts) => ValueType)
  readonly sql: (values: readonly Sql[]) => Sql
}

const FIRST_DAY = sql`date '0001-01-01'`
/** Number of days up to the year 9999. */
const DAY_COUNT = 3_652_059
/** The day some days after `date`; null outside of the years 1 to 9999, which texts of dates can name. */
const dayAfter = (date: Sql, count: Sql): Sql => {
  const bounded = sql`least(greatest((${date} - ${FIRST_DAY}) + round(${count}), -1), ${DAY_COUNT}::numeric)`
  return sql`${FIRST_DAY} + nullif(nullif(${bounded}, -1), ${DAY_COUNT}::numeric)::integer`
}

const firstType = (parts: Parts): ValueType => parts.find(({ type }) => type !== 'null')?.type ?? 'text'

const FUNCTIONS: Readonly<Record<string, FunctionKind>> = {
  coalesce: { takes: ['any'], rest: true, type: firstType, sql: (values) => sql`coalesce(${join(values)})` },
  if: {
    takes: ['boolean', 'any', 'any'],
    type: (parts) => firstType(parts.slice(1)),
    sql: ([condition, yes, no]) => sql`case when ${condition} then ${yes} else ${no} end`,
  },
  lower: { takes: ['text'], type: 'text', sql: ([text]) => sql`lower(${text})` },
  upper: { takes: ['text'], type: 'text', sql: ([text]) => sql`upper(${text})` },
  trim: { takes: ['text'], type: 'text', sql: ([text]) => sql`btrim(${text})` },
  length: { takes: ['text'], type: 'integer', sql: ([text]) => sql`length(${text})::bigint` },
  left: { takes: ['text', 'number'], type: 'text', sql: ([text, count]) => sql`left(${text}, ${days0(count)})` },
  right: { takes: ['text', 'number'], type: 'text', sql: ([text, count]) => sql`right(${text}, ${days0(count)})` },
  contains: { takes: ['text', 'text'], type: 'boolean', sql: ([text, part]) => sql`strpos(${text}, ${part}) > 0` },
  starts_with: { takes: ['text', 'text'], type: 'boolean', sql: ([text, part]) => sql`starts_with(${text}, ${part})` },
  ends_with: {
    takes: ['text', 'text'],
    type: 'boolean',
    sql: ([text, part]) => sql`right(${text}, length(${part})) = ${part}`,
  },
  concat: { takes: ['any'], rest: true, type: 'text', sql: (values) => sql`concat(${join(values)})` },
  text: { takes: ['any'], type: 'text', sql: ([value]) => sql`${value}::text` },
  number: {
    takes: ['any'],
    type: 'decimal',
    sql: ([value]) =>
      sql`case when ${value}::text ~ '^-?[0-9]{1,15}([.][0-9]{1,10})?$' then ${value}::text::numeric end`,
  },
  date: {
    takes: ['any'],
    type: 'date',
    // Texts of the right form may still name days that do not exist, which `make_date` would refuse.
    sql: ([value]) => sql`case when ${value}::text ~ '^[12][0-9]{3}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])' then
      (left(${value}::text, 7) || '-01')::date + least(
        substr(${value}::text, 9, 2)::integer - 1,
        extract(day from (left(${value}::text, 7) || '-01')::date + interval '1 month - 1 day')::integer - 1) end`,
  },
  round: {
    takes: ['number', 'number'],
    optional: 1,
    type: 'decimal',
    sql: ([value, places]) => sql`round(${value}, ${places ? days0(places) : sql`0`})`,
  },
  abs: { takes: ['number'], type: 'decimal', sql: ([value]) => sql`abs(${value})` },
  year: { takes: ['date'], type: 'integer', sql: ([date]) => sql`extract(year from ${date})::bigint` },
  month: { takes: ['date'], type: 'integer', sql: ([date]) => sql`extract(month from ${date})::bigint` },
  add_days: {
    takes: ['date', 'number'],
    type: 'date',
    sql: ([date = sql`null`, count = sql`null`]) => dayAfter(date, count),
  },
  days_between: { takes: ['date', 'date'], type: 'integer', sql: ([from, to]) => sql`(${to} - ${from})::bigint` },
  today: { takes: [], type: 'date', sql: () => volatile`current_date` },
  now: { takes: [], type: 'dateTime', sql: () => volatile`now()` },
}

/** A small whole number, for lengths and decimal places. */
function days0(value: Sql | undefined): Sql {
  return sql`least(greatest(round(${value ?? sql`0`}), 0), 1000)::integer`
}

/** Functions over the objects of a relation: the type of the value that they take, and of their result. */
const AGGREGATES: Readonly<Record<string, (values: Sql) => Sql>> = {
  sum: (value) => sql`coalesce(sum(${value}), 0)`,
  avg: (value) => sql`avg(${value})`,
  min: (value) => sql`min(${value})`,
  max: (value) => sql`max(${value})`,
}

/** Names of all functions, for messages and help. */
const EXPRESSION_FUNCTIONS: readonly string[] = ['count', ...Object.keys(AGGREGATES), ...Object.keys(FUNCTIONS)]

const NUMBERS: ReadonlySet<ValueType> = new Set(['integer', 'decimal'])
const COMPARED = new Map([['!=', '<>']])

class Compiler {
  /** Names of the other models whose objects it reads. */
  readonly reads = new Set<string>()
  readonly #model: Model
  #aggregates = 0

  constructor(model: Model) {
    this.#model = model
  }

  compile(expression: Expression): CompiledExpression {
    switch (expression.kind) {
      case 'literal':
        return literal(expression.value)
      case 'path':
        return this.#path(this.#model, expression.names, expression.at)
      case 'unary':
        return this.#unary(expression)
      case 'binary':
        return this.#binary(expression)
      case 'call':
        return this.#call(expression)
    }
  }

  #unary({ operator, operand }: Extract<Expression, { kind: 'unary' }>): CompiledExpression {
    const value = this.compile(operand)
    if (operator === 'not') {
      requireType(value, 'boolean', operand.at)
      return { type: 'boolean', sql: (column) => sql`(not ${value.sql(column)})` }
    }
    requireNumber(value, operand.at)
    return { type: value.type, sql: (column) => sql`(- ${asArgument(value, 'number').sql(column)})` }
  }

  #binary({ operator, left, right }: Extract<Expression, { kind: 'binary' }>): CompiledExpression {
    const [first, second] = [this.compile(left), this.compile(right)]
    const combined = (type: ValueType, make: (one: Sql, two: Sql) => Sql): CompiledExpression => ({
      type,
      sql: (column) => sql`(${make(first.sql(column), second.sql(column))})`,
    })
    if (operator === 'and' || operator === 'or') {
      requireType(first, 'boolean', left.at)
      requireType(second, 'boolean', right.at)
      return combined('boolean', (one, two) => sql`${one} ${raw(operator)} ${two}`)
    }
    if (operator === '&') return combined('text', (one, two) => sql`concat(${one}, ${two})`)
    if (['+', '-', '*', '/', '%'].includes(operator)) {
      requireNumber(first, left.at)
      requireNumber(second, right.at)
      // Exact numbers do not overflow, and a division by zero has no value.
      const numeric = (value: Sql) => sql`${value}::numeric`
      const divides = operator === '/' || operator === '%'
      return combined('decimal', (one, two) =>
        divides
          ? sql`${numeric(one)} ${raw(operator)} nullif(${numeric(two)}, 0)`
          : sql`${numeric(one)} ${raw(operator)} ${numeric(two)}`,
      )
    }
    const isComparable =
      first.type === second.type ||
      first.type === 'null' ||
      second.type === 'null' ||
      (NUMBERS.has(first.type) && NUMBERS.has(second.type))
    if (!isComparable) throw new ExpressionError(`A ${first.type} cannot be compared with a ${second.type}.`, right.at)
    if (first.type === 'null' || second.type === 'null') {
      const test = operator === '=' ? 'is not distinct from' : 'is distinct from'
      return combined('boolean', (one, two) => sql`${one} ${raw(test)} ${two}`)
    }
    return combined('boolean', (one, two) => sql`${one} ${raw(COMPARED.get(operator) ?? operator)} ${two}`)
  }

  #call({ name, arguments: list, at }: Extract<Expression, { kind: 'call' }>): CompiledExpression {
    if (name === 'count' || AGGREGATES[name]) return this.#aggregate(name, list, at)
    const kind = FUNCTIONS[name]
    if (!kind) {
      throw new ExpressionError(`There is no function ${name}. There are: ${EXPRESSION_FUNCTIONS.join(', ')}.`, at)
    }
    const fewest = kind.takes.length - (kind.optional ?? 0)
    if (list.length < fewest || (!kind.rest && list.length > kind.takes.length)) {
      throw new ExpressionError(`The function ${name} takes ${kind.takes.length || 'no'} values.`, at)
    }
    const parts = list.map((item, index) => {
      const part = this.compile(item)
      const wanted = kind.takes[Math.min(index, kind.takes.length - 1)] ?? 'any'
      if (wanted === 'any') return part
      if (wanted === 'number') requireNumber(part, item.at)
      else requireType(part, wanted, item.at)
      return asArgument(part, wanted)
    })
    const type = typeof kind.type === 'function' ? kind.type(parts) : kind.type
    if (name === 'coalesce' || name === 'if') requireEqual(parts.slice(name === 'if' ? 1 : 0), list, at)
    return { type, sql: (column) => sql`(${kind.sql(parts.map((part) => part.sql(column)))})` }
  }

  /** `count(interfaces)`, `sum(racks.u_height)`: over the objects of a relation, which may begin at a related object. */
  #aggregate(name: string, list: readonly Expression[], at: number): CompiledExpression {
    const [path, ...more] = list
    if (path?.kind !== 'path' || more.length > 0) {
      throw new ExpressionError(`The function ${name} takes a relation to several objects, such as interfaces.`, at)
    }
    this.#aggregates += 1
    if (this.#aggregates > MOST_AGGREGATES) {
      throw new ExpressionError(`An expression counts at most ${MOST_AGGREGATES} relations.`, at)
    }
    let here = this.#model
    const before: string[] = []
    for (const [index, word] of path.names.entries()) {
      const step = here.steps.get(word)
      if (step && step.kind !== 'column' && step.kind !== 'foreignKey' && !/[_:]$|:/.test(word)) {
        return this.#overRelation(name, step, before, { names: path.names.slice(index + 1), at: path.at })
      }
      if (step?.kind !== 'foreignKey') break
      before.push(word)
      here = step.to
      this.reads.add(here.name)
    }
    throw new ExpressionError(`${path.names.join('.')} is no relation to several objects.`, path.at)
  }

  #overRelation(
    name: string,
    step: Relation,
    before: readonly string[],
    { names, at }: { readonly names: readonly string[]; readonly at: number },
  ): CompiledExpression {
    const rows = raw(`a${this.#aggregates}`)
    const related = raw(`b${this.#aggregates}`)
    const isCount = name === 'count'
    this.reads.add(step.to.name)
    if (isCount !== (names.length === 0)) {
      throw new ExpressionError(isCount ? 'Only objects can be counted.' : `The function ${name} needs a field.`, at)
    }
    const inner = isCount ? undefined : this.#path(step.to, names, at)
    if (inner && (name === 'sum' || name === 'avg')) requireNumber(inner, at)
    const { id, condition, joined } = joinStep(step, rows, rows)
    if (!joined) throw new ExpressionError('This relation leads to one object.', at)
    const ofRelated = (word: string) => scalarPath(step.to, joined.areRelated ? rows : related, word, displayOf)
    const value = inner ? AGGREGATES[name]?.(inner.sql(ofRelated)) : sql`count(*)`
    const others = joined.areRelated ? sql`` : sql` join ${table(step.to)} ${related} on ${related}.id = ${id}`
    return {
      type: isCount ? 'integer' : name === 'sum' || name === 'avg' ? 'decimal' : (inner?.type ?? 'text'),
      sql: (column) => {
        const owner = before.length === 0 ? column('id') : column(before.join('.'))
        return sql`(select ${value ?? sql`null`} from ${joined.rows}${others} where ${joined.owner} = ${owner}${
          condition ? sql` and ${condition}` : sql``
        })`
      },
    }
  }

  /** The value of a field of the model, or of an object that it refers to. */
  #path(model: Model, names: readonly string[], at: number): CompiledExpression {
    if (names[0] === 'cf' && names.length === 2 && model.has('customFields')) {
      const [, name = ''] = names
      return { type: 'text', sql: (column) => sql`(${column('custom_fields')} ->> ${name})` }
    }
    let here = model
    for (const [index, name] of names.entries()) {
      const isLast = index === names.length - 1
      if (isLast && name === 'display') return { type: 'text', sql: (column) => column(names.join('.')) }
      const step = here.steps.get(name)
      if (step?.kind === 'foreignKey' && here.answer.includes(name)) {
        this.reads.add(step.to.name)
        if (isLast) return { type: 'text', sql: (column) => column(`${names.join('.')}.display`) }
        here = step.to
        continue
      }
      const type = isLast ? typeOfField(here, name) : undefined
      if (type) {
        const path = names.join('.')
        return { type, sql: (column) => (type === 'text' ? sql`${column(path)}::text` : column(path)) }
      }
      throw new ExpressionError(problemOf(here, name), at)
    }
    throw new ExpressionError('A name is missing.', at)
  }
}

const FIELD_TYPES: Readonly<Record<string, ValueType>> = {
  ...{ text: 'text', choice: 'text', uuid: 'text', address: 'text', network: 'text', hardwareAddress: 'text' },
  ...{ objectType: 'text', integer: 'integer', decimal: 'decimal', boolean: 'boolean', date: 'date' },
  ...{ dateTime: 'dateTime', counter: 'integer' },
}

/** The type of a visible field with one value; undefined if expressions cannot read it. */
function typeOfField(model: Model, name: string): ValueType | undefined {
  if (name === 'id') return 'integer'
  const field = model.fields.get(name)
  if (!field || !model.answer.includes(name)) return undefined
  if ('writeOnly' in field && field.writeOnly) return undefined
  if ('isSecret' in field && field.isSecret) return undefined
  if (field.kind === 'derived') return field.expression === undefined && field.type !== 'json' ? field.type : undefined
  if (field.kind === 'choice' && !field.choices.list.every(({ value }) => typeof value === 'string')) return 'integer'
  return FIELD_TYPES[field.kind]
}

function problemOf(model: Model, name: string): string {
  const names = model.answer.filter((word) => typeOfField(model, word) || model.steps.get(word)?.kind === 'foreignKey')
  const isThere = model.fields.has(name) || model.steps.has(name)
  const problem = isThere ? `${name} has no single value` : `A ${model.definition.labels[0]} has no field ${name}`
  return `${problem}. There are: ${names.join(', ')}.`
}

function literal(value: string | number | boolean | null): CompiledExpression {
  if (value === null) return { type: 'null', sql: () => sql`null` }
  if (typeof value === 'boolean') return { type: 'boolean', sql: () => sql`${value}::boolean` }
  if (typeof value === 'number') return { type: 'decimal', sql: () => sql`${String(value)}::numeric` }
  return { type: 'text', sql: () => sql`${value}::text` }
}

function requireType({ type }: CompiledExpression, wanted: ValueType, at: number): void {
  const fits = type === wanted || type === 'null' || (wanted === 'date' && type === 'dateTime')
  if (!fits) throw new ExpressionError(`A ${wanted} is expected, not a ${type}.`, at)
}

function requireNumber({ type }: CompiledExpression, at: number): void {
  if (!NUMBERS.has(type) && type !== 'null') throw new ExpressionError(`A number is expected, not a ${type}.`, at)
}

const SQL_TYPES = { text: 'text', boolean: 'boolean', date: 'date', number: 'numeric' } as const

/** A timestamp as its day where a date is expected, and `null` with a type, without which functions are ambiguous. */
function asArgument(part: CompiledExpression, wanted: ValueType | 'number'): CompiledExpression {
  const type = wanted in SQL_TYPES ? SQL_TYPES[wanted as keyof typeof SQL_TYPES] : undefined // checked before
  if (type === undefined || (part.type !== 'null' && !(wanted === 'date' && part.type === 'dateTime'))) return part
  return { ...part, sql: (column) => sql`${part.sql(column)}::${raw(type)}` }
}

/** The alternatives of a value have one type. */
function requireEqual(parts: Parts, list: readonly Expression[], at: number): void {
  const family = (type: ValueType) => (NUMBERS.has(type) ? 'number' : type)
  const types = new Set(parts.flatMap(({ type }) => (type === 'null' ? [] : [family(type)])))
  if (types.size > 1)
    throw new ExpressionError(`All values must have one type, not ${[...types].join(' and ')}.`, list.at(-1)?.at ?? at)
}
