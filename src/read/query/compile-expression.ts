import { type Expression, ExpressionError, parseExpression } from '../../schema/expression/parse-expression.ts'
import { ownValue } from '../../schema/json.ts'
import type { ColumnOf } from '../../schema/path.ts'
import type { Model } from '../../schema/registry.ts'
import { raw, type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { displayOf } from './display.ts'
import {
  AGGREGATES,
  FUNCTION_HELP,
  FUNCTIONS,
  type FunctionKind,
  isAggregate,
  NUMBERS,
  type ValueType,
} from './expression-functions.ts'
import { leadsToSeveral, type MayView, readableValues, typeOfField } from './expression-names.ts'
import { joinStep, type Relation } from './join-step.ts'
import { scalarPath } from './scalar-path.ts'

/** A compiled expression: the type of its value, and its SQL for a row. */
export interface CompiledExpression {
  readonly type: ValueType
  readonly sql: (column: ColumnOf) => Sql
}

/** Maximum number of lists of related objects that one expression reads for each object. */
const MOST_AGGREGATES = 5

/**
 * Compiles an expression over the fields of a model and of the objects that it refers to. Every part is bounded: no part
 * can fail for a value, and lists of related objects are read by index. Throws ExpressionError, which lists the names of
 * models that pass `mayView`.
 */
export function compileExpression(
  model: Model,
  source: string,
  mayView: MayView = () => true,
): CompiledExpression & Pick<Compiler, 'reads'> {
  const compiler = new Compiler(model, mayView)
  return { ...compiler.compile(parseExpression(source)), reads: compiler.reads }
}

const COMPARED = new Map([['!=', '<>']])

type NamedPath = Omit<Extract<Expression, { kind: 'path' }>, 'kind'>

class Compiler {
  /** Names of the other models whose objects it reads. */
  readonly reads = new Set<string>()
  readonly #model: Model
  readonly #mayView: MayView
  #aggregates = 0

  constructor(model: Model, mayView: MayView) {
    this.#model = model
    this.#mayView = mayView
  }

  compile(expression: Expression): CompiledExpression {
    switch (expression.kind) {
      case 'literal':
        return literal(expression.value)
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
    if (isAggregate(name)) return this.#aggregate(name, list, at)
    const kind: FunctionKind | undefined = ownValue(FUNCTIONS, name)
    if (!kind) {
      throw new ExpressionError(
        `There is no function ${name}. There are: ${Object.keys(FUNCTION_HELP).join(', ')}.`,
        at,
      )
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
      if (step && leadsToSeveral(step)) {
        const rest = { names: path.names.slice(index + 1), places: path.places.slice(index + 1) }
        return this.#overRelation(name, step, before, { ...rest, at: path.at })
      }
      if (step?.kind !== 'foreignKey') break
      before.push(word)
      here = step.to
      this.reads.add(here.name)
    }
    throw new ExpressionError(`${path.names.join('.')} is no relation to several objects.`, path.at)
  }

  #overRelation(name: string, step: Relation, before: readonly string[], path: NamedPath): CompiledExpression {
    const { names, at } = path
    const rows = raw(`a${this.#aggregates}`)
    const related = raw(`b${this.#aggregates}`)
    const isCount = name === 'count'
    this.reads.add(step.to.name)
    if (isCount !== (names.length === 0)) {
      throw new ExpressionError(isCount ? 'Only objects can be counted.' : `The function ${name} needs a field.`, at)
    }
    const inner = isCount ? undefined : this.#path(step.to, path)
    if (inner && (name === 'sum' || name === 'avg')) requireNumber(inner, at)
    const { id, condition, joined } = joinStep(step, rows, rows)
    if (!joined) throw new ExpressionError('This relation leads to one object.', at)
    const ofRelated = (word: string) => scalarPath(step.to, joined.areRelated ? rows : related, word, displayOf)
    const value = inner ? ownValue(AGGREGATES, name)?.(inner.sql(ofRelated)) : sql`count(*)`
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
  #path(model: Model, { names, places, at }: NamedPath): CompiledExpression {
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
      throw new ExpressionError(this.#problemOf(here, name), places[index] ?? at)
    }
    throw new ExpressionError('A name is missing.', at)
  }

  #problemOf(model: Model, name: string): string {
    const names = readableValues(model, this.#mayView).map((readable) => readable.name)
    const isThere = model.fields.has(name) || model.steps.has(name)
    const problem = isThere ? `${name} has no single value` : `A ${model.definition.labels[0]} has no field ${name}`
    return `${problem}.${names.length > 0 ? ` There are: ${names.join(', ')}.` : ''}`
  }
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
function requireEqual(parts: readonly CompiledExpression[], list: readonly Expression[], at: number): void {
  const family = (type: ValueType) => (NUMBERS.has(type) ? 'number' : type)
  const types = new Set(parts.flatMap(({ type }) => (type === 'null' ? [] : [family(type)])))
  if (types.size > 1)
    throw new ExpressionError(`All values must have one type, not ${[...types].join(' and ')}.`, list.at(-1)?.at ?? at)
}
