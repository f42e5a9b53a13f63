import { ownValue } from '../../schema/json.ts'
import { parseInterface } from '../../schema/net/ip.ts'
import type { ColumnOf } from '../../schema/path.ts'
import type { Model } from '../../schema/registry.ts'
import { join, raw, type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { T } from '../query/alias.ts'
import { displayOf } from '../query/display.ts'
import { joinStep, type Relation } from '../query/join-step.ts'
import { RefusedValue } from '../query/refused-value.ts'
import { boundedPattern } from '../query/regular-expression.ts'
import { scalarPath } from '../query/scalar-path.ts'
import {
  aggregateNamed,
  collated,
  commonType,
  FUNCTION_HELP,
  FUNCTIONS,
  type FunctionKind,
  NUMBERS,
  operand,
  resultOf,
  type SpecialFunction,
  type TypedSql,
  textOfValue,
  type ValueType,
} from './functions.ts'
import { isContained, linkedRows } from './links.ts'
import { type MayView, meaningOf, readableValues, type ToSeveral } from './names.ts'
import { type Expression, ExpressionError, parseExpression } from './parse-expression.ts'
import { Reached } from './reached.ts'

/** A compiled expression: the type of its value, its SQL for a row, and what it reads. */
export interface CompiledExpression {
  readonly type: Exclude<ValueType, 'null'>
  readonly sql: (column: ColumnOf) => Sql
  /** Names of the other models whose objects it reads. */
  readonly reads: ReadonlySet<string>
  /** Custom fields that it reads, as `<model>.<name>`. */
  readonly customFields: ReadonlySet<string>
  /** The relations that it follows, from the object. */
  readonly reached: Reached
  /** Tables that it reads in another way: for a display, or for a field that the service computes. */
  readonly opaque: ReadonlySet<string>
  /** The objects of lists that decide the value, for an explanation. */
  readonly judged: readonly JudgedObjects[]
}

/** Objects of a list that decide the value of an expression. */
interface JudgedObjects {
  readonly of: Model
  /** Query for their ids, at most a few, for a row of the expression's model. */
  readonly ids: (column: ColumnOf) => Sql
}

/** The rows from which a part reads: the object at hand, and the one at the start of the expression. */
interface Rows {
  readonly column: ColumnOf
  readonly start: ColumnOf
}

/** A compiled part. */
interface Part {
  readonly type: ValueType
  readonly sql: (rows: Rows) => Sql
}

/** Where the names of a part begin. */
interface Scope {
  readonly model: Model
  readonly reached: Reached
}

/** The first name of a path that begins at the object of the expression, within a condition on others. */
const START = 'this'

/** Maximum number of lists of related objects that one expression reads for each object. */
const MOST_AGGREGATES = 5

/** Objects that explain a value, for each list. */
const MOST_JUDGED = 20

/**
 * Compiles an expression over the fields of a model and of the objects that it refers to. Every part is bounded: no part
 * can fail for a value, and lists of related objects are read by index. Texts are combined in one collation. Throws
 * ExpressionError, which lists the names of models that pass `mayView`.
 */
export function compileExpression(model: Model, source: string, mayView: MayView = () => true): CompiledExpression {
  const compiler = new Compiler(model, mayView)
  const expression = parseExpression(source)
  const part = compiler.compile(expression, compiler.start)
  const type = part.type === 'null' ? 'text' : part.type
  const compute = (column: ColumnOf) => part.sql({ column, start: column })
  return {
    type,
    // The value of a field keeps the order of its column.
    sql: expression.kind === 'path' ? compute : (column) => resultOf({ type, sql: compute(column) }),
    reads: compiler.reads,
    customFields: compiler.customFields,
    reached: compiler.start.reached,
    opaque: compiler.opaque,
    judged: compiler.judged,
  }
}

const COMPARED = new Map([['!=', '<>']])

type NamedPath = Omit<Extract<Expression, { kind: 'path' }>, 'kind'>
type Call = Extract<Expression, { kind: 'call' }>

class Compiler {
  readonly reads = new Set<string>()
  readonly customFields = new Set<string>()
  readonly opaque = new Set<string>()
  readonly judged: JudgedObjects[] = []
  readonly start: Scope
  readonly #mayView: MayView
  #aggregates = 0

  constructor(model: Model, mayView: MayView) {
    this.start = { model, reached: new Reached(model) }
    this.#mayView = mayView
  }

  compile(expression: Expression, scope: Scope): Part {
    switch (expression.kind) {
      case 'literal':
        return literal(expression.value)
      case 'number':
        return { type: 'decimal', sql: () => sql`${expression.text}::numeric` }
      case 'path':
        return this.#path(expression, scope)
      case 'unary':
        return this.#unary(expression, scope)
      case 'binary':
        return this.#binary(expression, scope)
      case 'call':
        return this.#call(expression, scope)
    }
  }

  #unary({ operator, operand: inner }: Extract<Expression, { kind: 'unary' }>, scope: Scope): Part {
    const value = this.compile(inner, scope)
    if (operator === 'not') {
      requireType(value, 'boolean', inner.at)
      return { type: 'boolean', sql: (rows) => sql`(not ${operand(at(value, rows), 'boolean')})` }
    }
    requireNumber(value, inner.at)
    return { type: value.type, sql: (rows) => sql`(- ${operand(at(value, rows), 'decimal')})` }
  }

  #binary({ operator, left, right }: Extract<Expression, { kind: 'binary' }>, scope: Scope): Part {
    const [first, second] = [this.compile(left, scope), this.compile(right, scope)]
    const combined = (type: ValueType, of: ValueType, make: (a: Sql, b: Sql) => Sql): Part => ({
      type,
      sql: (rows) => sql`(${make(operand(at(first, rows), of), operand(at(second, rows), of))})`,
    })
    if (operator === 'and' || operator === 'or') {
      requireType(first, 'boolean', left.at)
      requireType(second, 'boolean', right.at)
      return combined('boolean', 'boolean', (a, b) => sql`${a} ${raw(operator)} ${b}`)
    }
    if (operator === '&') {
      const text = (part: Part, rows: Rows) => collated(textOfValue(at(part, rows)))
      return { type: 'text', sql: (rows) => sql`concat(${text(first, rows)}, ${text(second, rows)})` }
    }
    if (['+', '-', '*', '/', '%'].includes(operator)) {
      requireNumber(first, left.at)
      requireNumber(second, right.at)
      // Exact numbers do not overflow, and a division by zero has no value.
      const divides = operator === '/' || operator === '%'
      return combined('decimal', 'decimal', (a, b) =>
        divides ? sql`${a} ${raw(operator)} nullif(${b}, 0)` : sql`${a} ${raw(operator)} ${b}`,
      )
    }
    return this.#comparison(operator, [first, left], [second, right], combined)
  }

  #comparison(
    operator: string,
    [first, left]: readonly [Part, Expression],
    [second, right]: readonly [Part, Expression],
    combined: (type: ValueType, of: ValueType, make: (a: Sql, b: Sql) => Sql) => Part,
  ): Part {
    if (first.type === 'null' || second.type === 'null') {
      if (operator !== '=' && operator !== '!=' && operator !== '<>') {
        throw new ExpressionError('null can only be compared by = and !=.', first.type === 'null' ? left.at : right.at)
      }
      const value = first.type === 'null' ? second : first
      const test = raw(operator === '=' ? 'null' : 'not null')
      return { type: 'boolean', sql: (rows) => sql`(${value.sql(rows)} is ${test})` }
    }
    const areNumbers = NUMBERS.has(first.type) && NUMBERS.has(second.type)
    if (first.type !== second.type && !areNumbers) {
      throw new ExpressionError(`A ${first.type} cannot be compared with a ${second.type}.`, right.at)
    }
    const type = areNumbers ? 'decimal' : first.type
    return combined('boolean', type, (a, b) => sql`${a} ${raw(COMPARED.get(operator) ?? operator)} ${b}`)
  }

  #call(call: Call, scope: Scope): Part {
    const { name, arguments: list, where, at: place } = call
    const aggregate = aggregateNamed(name)
    if (aggregate) return this.#aggregate(call, aggregate, scope)
    if (where) throw new ExpressionError(`The function ${name} takes no condition.`, where.at)
    const special = ownValue(this.#special, name)
    if (special) return special(call, scope)
    const kind: FunctionKind | undefined = ownValue(FUNCTIONS, name)
    if (!kind) {
      throw new ExpressionError(
        `There is no function ${name}. There are: ${Object.keys(FUNCTION_HELP).join(', ')}.`,
        place,
      )
    }
    const fewest = kind.takes.length - (kind.optional ?? 0)
    if (list.length < fewest || (!kind.isVariadic && list.length > kind.takes.length)) {
      throw new ExpressionError(`The function ${name} takes ${kind.takes.length || 'no'} values.`, place)
    }
    const parts = list.map((item) => this.compile(item, scope))
    const alternatives = kind.alternatives === undefined ? [] : parts.slice(kind.alternatives)
    requireEqual(alternatives, list, place)
    const common = commonType(alternatives)
    const type = typeof kind.type === 'function' ? kind.type(parts) : kind.type
    const types = parts.map((part, index): ValueType => {
      const takes = kind.takes[Math.min(index, kind.takes.length - 1)] ?? 'any'
      const position = list[index]?.at ?? place
      if (takes === 'any') return alternatives.length > 0 ? common : part.type
      if (takes === 'number') requireNumber(part, position)
      else requireType(part, takes, position)
      return takes === 'number' ? 'decimal' : takes
    })
    return {
      type,
      sql: (rows) => {
        const values = parts.map((part, index): TypedSql => {
          const value = at(part, rows)
          return { type: part.type, sql: operand(value, types[index] ?? part.type) }
        })
        return sql`(${kind.sql(
          values.map((value) => value.sql),
          values,
        )})`
      },
    }
  }

  readonly #special: Readonly<Record<SpecialFunction, (call: Call, scope: Scope) => Part>> = {
    matches: ({ arguments: [text, pattern], at: place }, scope) => {
      if (!text || pattern?.kind !== 'literal' || typeof pattern.value !== 'string') {
        throw new ExpressionError('The function matches takes a text and a regular expression in quotes.', place)
      }
      const value = this.compile(text, scope)
      requireType(value, 'text', text.at)
      const expression = patternOf(pattern.value, pattern.at)
      return { type: 'boolean', sql: (rows) => sql`(${operand(at(value, rows), 'text')} ~ ${expression}::text)` }
    },
    within: ({ arguments: [inner, outer], at: place }, scope) => {
      if (!inner || !outer) throw new ExpressionError('The function within takes an address and a prefix.', place)
      const [address, prefix] = [this.#address(inner, scope), this.#address(outer, scope)]
      return { type: 'boolean', sql: (rows) => sql`(${address(rows)} <<= ${prefix(rows)})` }
    },
    prefix_length: ({ arguments: [of], at: place }, scope) => {
      if (!of) throw new ExpressionError('The function prefix_length takes an address.', place)
      const address = this.#address(of, scope)
      return { type: 'integer', sql: (rows) => sql`masklen(${address(rows)})::bigint` }
    },
    address_count: ({ arguments: [of], at: place }, scope) => {
      if (!of) throw new ExpressionError('The function address_count takes a prefix.', place)
      const address = this.#address(of, scope)
      const bits = (prefix: Sql) => sql`case family(${prefix}) when 4 then 32 else 128 end - masklen(${prefix})`
      return { type: 'decimal', sql: (rows) => sql`power(2::numeric, ${bits(address(rows))})` }
    },
    includes: ({ arguments: [list, ...values], at: place }, scope) => {
      if (list?.kind !== 'path' || values.length === 0) {
        throw new ExpressionError('The function includes takes a field with a list, and values.', place)
      }
      const field = this.#path(list, scope, 'list')
      const parts = values.map((value) => this.compile(value, scope))
      requireEqual([field, ...parts], [list, ...values], place)
      const type = NUMBERS.has(field.type) ? 'decimal' : field.type
      const item = operand({ type, sql: sql`i.item` })
      const among = (rows: Rows) => join(parts.map((part) => operand(at(part, rows), type)))
      return {
        type: 'boolean',
        sql: (rows) => sql`exists (select from unnest(${field.sql(rows)}) i (item) where ${item} in (${among(rows)}))`,
      }
    },
    json: ({ arguments: [of, keys], at: place }, scope) => {
      if (of?.kind !== 'path' || (keys && (keys.kind !== 'literal' || typeof keys.value !== 'string'))) {
        throw new ExpressionError('The function json takes a JSON field, and perhaps keys in quotes.', place)
      }
      const field = this.#path(of, scope, 'json')
      const path = keys?.kind === 'literal' ? String(keys.value).split('.') : []
      return { type: 'text', sql: (rows) => sql`(${field.sql(rows)}::jsonb #>> ${path}::text[])` }
    },
    host: ({ arguments: [of], at: place }, scope) => {
      if (!of) throw new ExpressionError('The function host takes an address.', place)
      const address = this.#address(of, scope)
      return { type: 'text', sql: (rows) => sql`host(${address(rows)})` }
    },
  }

  /** The value of a field with addresses, or an address in quotes. */
  #address(expression: Expression, scope: Scope): (rows: Rows) => Sql {
    if (expression.kind === 'literal' && typeof expression.value === 'string') {
      const { value } = expression
      if (!parseInterface(value)) throw new ExpressionError(`${value} is not an address or a prefix.`, expression.at)
      return () => sql`${value}::inet`
    }
    if (expression.kind === 'path') {
      const part = this.#path(expression, scope, 'address')
      return (rows) => sql`${part.sql(rows)}::inet`
    }
    throw new ExpressionError('A field with addresses is expected, or an address in quotes.', expression.at)
  }

  /** `count(interfaces where enabled)`: over the objects of a relation, which may begin at a related object. */
  #aggregate({ name, arguments: list, where, at: place }: Call, kind: Aggregate, scope: Scope): Part {
    const [path, ...more] = list
    if (path?.kind !== 'path' || more.length > 0) {
      throw new ExpressionError(`The function ${name} takes a relation to several objects, such as interfaces.`, place)
    }
    this.#aggregates += 1
    if (this.#aggregates > MOST_AGGREGATES) {
      throw new ExpressionError(`An expression counts at most ${MOST_AGGREGATES} relations.`, place)
    }
    const owner = this.#ownerScope(path, scope)
    let here = owner.scope
    const before: string[] = []
    for (const [index, word] of owner.path.names.entries()) {
      const meaning = meaningOf(here.model, word)
      if (meaning?.kind === 'several') {
        const inner = { model: meaning.to, reached: here.reached.follow(meaning.step) }
        const [names, places] = [owner.path.names.slice(index + 1), owner.path.places.slice(index + 1)]
        const isOfStart = owner.scope === this.start
        const overRelation = this.#overRelation({ name, kind, where, isOfStart }, meaning.step, before, inner, {
          ...{ names, places, at: path.at },
        })
        return { ...overRelation, sql: (rows) => overRelation.sql(owner.rows(rows)) }
      }
      if (meaning?.kind !== 'one') break
      before.push(word)
      here = this.#follow(here, meaning.step, meaning.to)
    }
    throw new ExpressionError(`${path.names.join('.')} is no relation to several objects.`, path.at)
  }

  #follow({ reached }: Scope, step: Relation, to: Model): Scope {
    this.#read(to)
    return { model: to, reached: reached.follow(step) }
  }

  /** Notes that objects of the model are read; parts of others are visible to those who may view the others. */
  #read({ name, definition, steps }: Model): void {
    const wholes = [...steps.values()].flatMap((step) => (step.kind === 'foreignKey' ? [step.to.name] : []))
    for (const read of definition.private === true ? wholes : [name]) this.reads.add(read)
  }

  /** Where a path begins: at the object of the whole expression if it says so. */
  #ownerScope(
    path: NamedPath,
    scope: Scope,
  ): { readonly scope: Scope; readonly path: NamedPath; readonly rows: (rows: Rows) => Rows } {
    const { names, places } = path
    if (names[0] !== START || names.length === 1 || meaningOf(scope.model, START)) {
      return { scope, path, rows: (rows) => rows }
    }
    return {
      scope: this.start,
      path: { ...path, names: names.slice(1), places: places.slice(1) },
      rows: ({ start }) => ({ column: start, start }),
    }
  }

  #overRelation(
    { name, kind, where, isOfStart }: OverRelation,
    step: ToSeveral,
    before: readonly string[],
    inner: Scope,
    path: NamedPath,
  ): Part {
    const { names, at: place } = path
    const { ofField, judges } = kind
    const rows = raw(`a${this.#aggregates}`)
    const related = raw(`b${this.#aggregates}`)
    this.#read(inner.model)
    if (ofField === (names.length === 0)) {
      throw new ExpressionError(
        ofField
          ? `The function ${name} needs a field.`
          : `Only objects can be ${name === 'count' ? 'counted' : 'judged'}.`,
        place,
      )
    }
    if (name === 'all' && !where) throw new ExpressionError('The function all needs a condition after where.', place)
    const field = ofField ? this.#path(path, inner) : undefined
    if (field && (name === 'sum' || name === 'avg')) requireNumber(field, place)
    const condition = where && this.compile(where, inner)
    if (where && condition) requireType(condition, 'boolean', where.at)
    const source = relatedRows(step, rows, related)
    const ofRelated = (word: string) => scalarPath(inner.model, source.alias, word, displayOf)
    const from = (column: ColumnOf): Sql => {
      const owner = before.length === 0 ? column('id') : column(before.join('.'))
      return sql`${source.from} where ${source.owner} = ${owner}${source.condition ? sql` and ${source.condition}` : sql``}`
    }
    const isMet = ({ start }: Rows): Sql =>
      condition ? operand(at(condition, { column: ofRelated, start }), 'boolean') : sql`true`
    // A list of a related object has no rows of its own for an object at the start.
    if (isOfStart && (name === 'any' || name === 'all' || name === 'unique')) {
      const isJudged = name === 'all' ? (rows: Rows) => sql`not ${isMet(rows)}` : isMet
      this.judged.push({
        of: inner.model,
        ids: (column) =>
          sql`select ${source.alias}.id from ${from(column)} and ${isJudged({ column, start: column })}
            order by 1 limit ${raw(String(MOST_JUDGED))}`,
      })
    }
    return {
      type: kind.type ?? field?.type ?? 'text',
      sql: (rows) => {
        const value = field
          ? at(field, { column: ofRelated, start: rows.start })
          : { type: 'boolean' as const, sql: isMet(rows) }
        const filter = condition && !judges ? sql` and ${isMet(rows)}` : sql``
        // Within a query of its own: PostgreSQL takes an aggregate over values of the outer row alone for one of that row.
        const values = sql`(select ${value.sql} as v from ${from(rows.column)}${filter}) q`
        return sql`(select ${kind.sql({ type: value.type, sql: sql`q.v` })} from ${values})`
      },
    }
  }

  /** The value of a field of the model, or of an object that it refers to; `as` it is stored, not as a text. */
  #path(written: NamedPath, from: Scope, as?: StoredForm): Part {
    const { scope, path, rows: owner } = this.#ownerScope(written, from)
    const part = this.#pathIn(path, scope, as)
    return { ...part, sql: (rows) => part.sql(owner(rows)) }
  }

  #pathIn({ names, places, at: place }: NamedPath, scope: Scope, as: StoredForm | undefined): Part {
    const { model } = scope
    if (names[0] === 'cf' && names.length === 2 && model.has('customFields') && !as) {
      const [, name = ''] = names
      this.customFields.add(`${model.name}.${name}`)
      return { type: 'text', sql: ({ column }) => sql`(${column('custom_fields')} ->> ${name})` }
    }
    let here = scope
    for (const [index, name] of names.entries()) {
      const isLast = index === names.length - 1
      const path = names.join('.')
      const meaning = meaningOf(here.model, name)
      if (meaning?.kind === 'one') {
        here = this.#follow(here, meaning.step, meaning.to)
        if (isLast && as) throw new ExpressionError(`${name} is ${NOT_STORED_AS[as]}.`, places[index] ?? place)
        if (isLast) {
          this.#readOpaquely(meaning.to, 'display')
          return { type: 'text', sql: ({ column }) => ofDisplay(column(`${path}.display`)) }
        }
        continue
      }
      const field = here.model.fields.get(name)
      if (as && isLast && field) {
        const type = storedType(here.model, name, as)
        if (!type) throw new ExpressionError(`${name} is ${NOT_STORED_AS[as]}.`, places[index] ?? place)
        return { type, sql: ({ column }) => column(path) }
      }
      if (meaning?.kind !== 'value' || !isLast)
        throw new ExpressionError(this.#problemOf(here.model, name), places[index] ?? place)
      const { type } = meaning
      if (name === 'display' || field?.kind === 'derived') this.#readOpaquely(here.model, name)
      if (name === 'display') return { type, sql: ({ column }) => ofDisplay(column(path)) }
      if (field?.kind === 'counter') here.reached.followCounter(name)
      return { type, sql: ({ column }) => (type === 'text' ? textOfField(field?.kind, column(path)) : column(path)) }
    }
    throw new ExpressionError('A name is missing.', place)
  }

  #readOpaquely(model: Model, name: string): void {
    for (const read of scalarPath(model, T, name, displayOf).tables) this.opaque.add(read)
  }

  #problemOf(model: Model, name: string): string {
    const names = readableValues(model, this.#mayView).map((readable) => readable.name)
    const isThere = model.fields.has(name) || model.steps.has(name)
    const problem = isThere ? `${name} has no single value` : `A ${model.definition.labels[0]} has no field ${name}`
    return `${problem}.${names.length > 0 ? ` There are: ${names.join(', ')}.` : ''}`
  }
}

/** What a special function takes instead of a value. */
type StoredForm = 'address' | 'list' | 'json'

const NOT_STORED_AS: Readonly<Record<StoredForm, string>> = {
  address: 'not an address',
  list: 'no list that expressions can read',
  json: 'no JSON field',
}

/** The type of a field that is stored in this form, of the items of a list; undefined for other fields. */
function storedType(model: Model, name: string, as: StoredForm): ValueType | undefined {
  const field = model.fields.get(name)
  if (!field || !model.answer.includes(name)) return undefined
  if (as === 'address') return field.kind === 'address' || field.kind === 'network' ? 'text' : undefined
  if (as === 'json') return field.kind === 'json' && !field.isSecret ? 'text' : undefined
  if (field.kind !== 'list') return undefined
  if (field.of === 'integer') return 'integer'
  return field.of === 'text' || field.of === 'portMapping' ? 'text' : undefined
}

type Aggregate = NonNullable<ReturnType<typeof aggregateNamed>>

/** A function over a relation. */
interface OverRelation {
  readonly name: string
  readonly kind: Aggregate
  readonly where: Expression | undefined
  /** Whether the relation begins at the object of the whole expression. */
  readonly isOfStart: boolean
}

/** The rows of a list of related objects, named `alias`, whose owner is that with the id `owner`. */
function relatedRows(
  step: ToSeveral,
  rows: Sql,
  related: Sql,
): { readonly from: Sql; readonly alias: Sql; readonly owner: Sql; readonly condition: Sql | undefined } {
  if (step.kind === 'link') {
    const from = sql`${linkedRows(step)} ${rows} join ${table(step.to)} ${related} on ${related}.id = ${rows}.related`
    return { from, alias: related, owner: sql`${rows}.owner`, condition: undefined }
  }
  if (step.kind === 'containment') {
    const from = sql`${table(step.from)} ${rows} join ${table(step.to)} ${related} on ${isContained(step, rows, related)}`
    return { from, alias: related, owner: sql`${rows}.id`, condition: undefined }
  }
  const { id, condition, joined } = joinStep(step, rows, rows)
  if (!joined) throw new Error('A relation to several objects joins no rows')
  const { owner, areRelated } = joined
  if (areRelated) return { from: joined.rows, alias: rows, owner, condition }
  const from = sql`${joined.rows} join ${table(step.to)} ${related} on ${related}.id = ${id}`
  return { from, alias: related, owner, condition }
}

function patternOf(pattern: string, place: number): string {
  try {
    return boundedPattern(pattern)
  } catch (error) {
    if (!(error instanceof RefusedValue)) throw error
    throw new ExpressionError(error.message, place)
  }
}

const at = ({ type, sql: compute }: Part, rows: Rows): TypedSql => ({ type, sql: compute(rows) })

/** The text of a field, as the API shows it. */
function textOfField(kind: string | undefined, value: Sql): Sql {
  // Unlike the cast's output, the function keeps the length of a host: 192.0.2.1/32.
  if (kind === 'address') return sql`text(${value})`
  // A choice that is not made is stored as an empty text.
  if (kind === 'choice') return sql`nullif(${value}::text, '')`
  return kind === 'hardwareAddress' ? sql`upper(${value}::text)` : sql`${value}::text`
}

/** Displays are made of texts of several collations. */
const ofDisplay = (text: Sql): Sql => sql`(${text} collate natural_sort)`

function literal(value: string | boolean | null): Part {
  if (value === null) return { type: 'null', sql: () => sql`null::text` }
  if (typeof value === 'boolean') return { type: 'boolean', sql: () => sql`${value}::boolean` }
  return { type: 'text', sql: () => sql`${value}::text` }
}

function requireType({ type }: Part, expected: ValueType, at: number): void {
  const fits = type === expected || type === 'null' || (expected === 'date' && type === 'dateTime')
  if (!fits) throw new ExpressionError(`A ${expected} is expected, not a ${type}.`, at)
}

function requireNumber({ type }: Part, at: number): void {
  if (!NUMBERS.has(type) && type !== 'null') throw new ExpressionError(`A number is expected, not a ${type}.`, at)
}

/** The alternatives of a value have one type. */
function requireEqual(parts: readonly Part[], list: readonly Expression[], at: number): void {
  const family = (type: ValueType) => (NUMBERS.has(type) ? 'number' : type)
  const types = new Set(parts.flatMap(({ type }) => (type === 'null' ? [] : [family(type)])))
  if (types.size > 1)
    throw new ExpressionError(`All values must have one type, not ${[...types].join(' and ')}.`, list.at(-1)?.at ?? at)
}
