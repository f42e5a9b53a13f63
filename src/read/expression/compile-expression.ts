import { ownValue } from '../../schema/json.ts'
import type { ColumnOf } from '../../schema/path.ts'
import type { Model } from '../../schema/registry.ts'
import { raw, type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { displayOf } from '../query/display.ts'
import { joinStep } from '../query/join-step.ts'
import { scalarPath } from '../query/scalar-path.ts'
import {
  AGGREGATES,
  collated,
  FUNCTION_HELP,
  FUNCTIONS,
  type FunctionKind,
  isAggregate,
  NUMBERS,
  operand,
  resultOf,
  type TypedSql,
  textOfValue,
  type ValueType,
} from './functions.ts'
import { type MayView, meaningOf, readableValues, type ToSeveral } from './names.ts'
import { type Expression, ExpressionError, parseExpression } from './parse-expression.ts'

/** A compiled expression: the type of its value, its SQL for a row, and what it reads. */
export interface CompiledExpression {
  readonly type: Exclude<ValueType, 'null'>
  readonly sql: (column: ColumnOf) => Sql
  /** Names of the other models whose objects it reads. */
  readonly reads: ReadonlySet<string>
  /** Custom fields that it reads, as `<model>.<name>`. */
  readonly customFields: ReadonlySet<string>
}

/** A compiled part. */
interface Part {
  readonly type: ValueType
  readonly sql: (column: ColumnOf) => Sql
}

/** Maximum number of lists of related objects that one expression reads for each object. */
const MOST_AGGREGATES = 5

/**
 * Compiles an expression over the fields of a model and of the objects that it refers to. Every part is bounded: no part
 * can fail for a value, and lists of related objects are read by index. Texts are combined in one collation. Throws
 * ExpressionError, which lists the names of models that pass `mayView`.
 */
export function compileExpression(model: Model, source: string, mayView: MayView = () => true): CompiledExpression {
  const compiler = new Compiler(model, mayView)
  const expression = parseExpression(source)
  const part = compiler.compile(expression)
  const type = part.type === 'null' ? 'text' : part.type
  return {
    type,
    // The value of a field keeps the order of its column.
    sql: expression.kind === 'path' ? part.sql : (column) => resultOf({ type, sql: part.sql(column) }),
    reads: compiler.reads,
    customFields: compiler.customFields,
  }
}

const COMPARED = new Map([['!=', '<>']])

type NamedPath = Omit<Extract<Expression, { kind: 'path' }>, 'kind'>

class Compiler {
  readonly reads = new Set<string>()
  readonly customFields = new Set<string>()
  readonly #model: Model
  readonly #mayView: MayView
  #aggregates = 0

  constructor(model: Model, mayView: MayView) {
    this.#model = model
    this.#mayView = mayView
  }

  compile(expression: Expression): Part {
    switch (expression.kind) {
      case 'literal':
        return literal(expression.value)
      case 'number':
        return { type: 'decimal', sql: () => sql`${expression.text}::numeric` }
      case 'path':
        return this.#path(this.#model, expression)
      case 'unary':
        return this.#unary(expression)
      case 'binary':
        return this.#binary(expression)
      case 'call':
        return this.#call(expression)
    }
  }

  #unary({ operator, operand: inner }: Extract<Expression, { kind: 'unary' }>): Part {
    const value = this.compile(inner)
    if (operator === 'not') {
      requireType(value, 'boolean', inner.at)
      return { type: 'boolean', sql: (column) => sql`(not ${operand(at(value, column), 'boolean')})` }
    }
    requireNumber(value, inner.at)
    return { type: value.type, sql: (column) => sql`(- ${operand(at(value, column), 'decimal')})` }
  }

  #binary({ operator, left, right }: Extract<Expression, { kind: 'binary' }>): Part {
    const [first, second] = [this.compile(left), this.compile(right)]
    const combined = (type: ValueType, of: ValueType, make: (a: Sql, b: Sql) => Sql): Part => ({
      type,
      sql: (column) => sql`(${make(operand(at(first, column), of), operand(at(second, column), of))})`,
    })
    if (operator === 'and' || operator === 'or') {
      requireType(first, 'boolean', left.at)
      requireType(second, 'boolean', right.at)
      return combined('boolean', 'boolean', (a, b) => sql`${a} ${raw(operator)} ${b}`)
    }
    if (operator === '&') {
      const text = (part: Part, column: ColumnOf) => collated(textOfValue(at(part, column)))
      return { type: 'text', sql: (column) => sql`concat(${text(first, column)}, ${text(second, column)})` }
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
      return { type: 'boolean', sql: (column) => sql`(${value.sql(column)} is ${test})` }
    }
    const areNumbers = NUMBERS.has(first.type) && NUMBERS.has(second.type)
    if (first.type !== second.type && !areNumbers) {
      throw new ExpressionError(`A ${first.type} cannot be compared with a ${second.type}.`, right.at)
    }
    const type = areNumbers ? 'decimal' : first.type
    return combined('boolean', type, (a, b) => sql`${a} ${raw(COMPARED.get(operator) ?? operator)} ${b}`)
  }

  #call({ name, arguments: list, at: place }: Extract<Expression, { kind: 'call' }>): Part {
    if (isAggregate(name)) return this.#aggregate(name, list, place)
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
    const parts = list.map((item) => this.compile(item))
    if (name === 'coalesce' || name === 'if') requireEqual(parts.slice(name === 'if' ? 1 : 0), list, place)
    const type = typeof kind.type === 'function' ? kind.type(parts) : kind.type
    const types = parts.map((part, index): ValueType => {
      const takes = kind.takes[Math.min(index, kind.takes.length - 1)] ?? 'any'
      const position = list[index]?.at ?? place
      // Alternatives have the type of the result.
      if (takes === 'any') return typeof kind.type === 'function' ? type : part.type
      if (takes === 'number') requireNumber(part, position)
      else requireType(part, takes, position)
      return takes === 'number' ? 'decimal' : takes
    })
    return {
      type,
      sql: (column) => {
        const values = parts.map((part, index): TypedSql => {
          const value = at(part, column)
          return { type: part.type, sql: operand(value, types[index] ?? part.type) }
        })
        return sql`(${kind.sql(
          values.map((value) => value.sql),
          values,
        )})`
      },
    }
  }

  /** `count(interfaces)`, `sum(racks.u_height)`: over the objects of a relation, which may begin at a related object. */
  #aggregate(name: string, list: readonly Expression[], place: number): Part {
    const [path, ...more] = list
    if (path?.kind !== 'path' || more.length > 0) {
      throw new ExpressionError(`The function ${name} takes a relation to several objects, such as interfaces.`, place)
    }
    this.#aggregates += 1
    if (this.#aggregates > MOST_AGGREGATES) {
      throw new ExpressionError(`An expression counts at most ${MOST_AGGREGATES} relations.`, place)
    }
    let here = this.#model
    const before: string[] = []
    for (const [index, word] of path.names.entries()) {
      const meaning = meaningOf(here, word)
      if (meaning?.kind === 'several') {
        const names = path.names.slice(index + 1)
        return this.#overRelation(name, meaning.step, before, {
          names,
          places: path.places.slice(index + 1),
          at: path.at,
        })
      }
      if (meaning?.kind !== 'one') break
      before.push(word)
      here = meaning.to
      this.reads.add(here.name)
    }
    throw new ExpressionError(`${path.names.join('.')} is no relation to several objects.`, path.at)
  }

  #overRelation(name: string, step: ToSeveral, before: readonly string[], path: NamedPath): Part {
    const { names, at: place } = path
    const rows = raw(`a${this.#aggregates}`)
    const related = raw(`b${this.#aggregates}`)
    const isCount = name === 'count'
    this.reads.add(step.to.name)
    if (isCount !== (names.length === 0)) {
      throw new ExpressionError(isCount ? 'Only objects can be counted.' : `The function ${name} needs a field.`, place)
    }
    const inner = isCount ? undefined : this.#path(step.to, path)
    if (inner && (name === 'sum' || name === 'avg')) requireNumber(inner, place)
    const { id, condition, joined } = joinStep(step, rows, rows)
    if (!joined) throw new ExpressionError('This relation leads to one object.', place)
    const ofRelated = (word: string) => scalarPath(step.to, joined.areRelated ? rows : related, word, displayOf)
    const value = inner ? ownValue(AGGREGATES, name)?.(at(inner, ofRelated)) : sql`count(*)`
    const relatedJoin = joined.areRelated ? sql`` : sql` join ${table(step.to)} ${related} on ${related}.id = ${id}`
    return {
      type: isCount ? 'integer' : name === 'sum' || name === 'avg' ? 'decimal' : (inner?.type ?? 'text'),
      sql: (column) => {
        const owner = before.length === 0 ? column('id') : column(before.join('.'))
        return sql`(select ${value ?? sql`null`} from ${joined.rows}${relatedJoin} where ${joined.owner} = ${owner}${
          condition ? sql` and ${condition}` : sql``
        })`
      },
    }
  }

  /** The value of a field of the model, or of an object that it refers to. */
  #path(model: Model, { names, places, at: place }: NamedPath): Part {
    if (names[0] === 'cf' && names.length === 2 && model.has('customFields')) {
      const [, name = ''] = names
      this.customFields.add(`${model.name}.${name}`)
      return { type: 'text', sql: (column) => sql`(${column('custom_fields')} ->> ${name})` }
    }
    let here = model
    for (const [index, name] of names.entries()) {
      const isLast = index === names.length - 1
      const path = names.join('.')
      const meaning = meaningOf(here, name)
      if (meaning?.kind === 'one') {
        this.reads.add(meaning.to.name)
        if (isLast) return { type: 'text', sql: (column) => ofDisplay(column(`${path}.display`)) }
        here = meaning.to
        continue
      }
      if (meaning?.kind !== 'value' || !isLast)
        throw new ExpressionError(this.#problemOf(here, name), places[index] ?? place)
      const { type } = meaning
      if (name === 'display') return { type, sql: (column) => ofDisplay(column(path)) }
      const field = here.fields.get(name)
      return { type, sql: (column) => (type === 'text' ? textOfField(field?.kind, column(path)) : column(path)) }
    }
    throw new ExpressionError('A name is missing.', place)
  }

  #problemOf(model: Model, name: string): string {
    const names = readableValues(model, this.#mayView).map((readable) => readable.name)
    const isThere = model.fields.has(name) || model.steps.has(name)
    const problem = isThere ? `${name} has no single value` : `A ${model.definition.labels[0]} has no field ${name}`
    return `${problem}.${names.length > 0 ? ` There are: ${names.join(', ')}.` : ''}`
  }
}

const at = ({ type, sql: compute }: Part, column: ColumnOf): TypedSql => ({ type, sql: compute(column) })

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
