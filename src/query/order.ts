import type { OrderTerm } from '../schema/model.ts'
import type { Model, Registry } from '../schema/registry.ts'
import { splitPath } from '../schema/step.ts'
import { empty, identifier, join, raw, type Sql, sql } from '../sql/fragment.ts'
import { T } from './alias.ts'
import { columnOf } from './column.ts'
import { countOf } from './count-of.ts'

/** An order of the rows `t`: joins that its terms need, to stand behind `from … t`, and the terms. */
export interface Order {
  readonly joins: Sql
  readonly terms: Sql
}

/**
 * The order that `ordering` asks for: fields of the answer, `-` in front for descending; a relation
 * sorts by the related model's own order. Names that are none are left out; if none is left, the
 * model's own order. Rows that it leaves equal stand in the order of ids, so that pages are stable.
 */
export function compileOrder(
  { registry }: { readonly registry: Registry },
  model: Model,
  ordering: string | undefined,
): Order {
  const compilation = new Compilation(registry)
  const asked = (ordering ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => isOrderable(model, name.replace(/^-/, '')))
  if (asked.length === 0) compilation.addDefault(model, T, ownOrder(model), false)
  for (const name of asked) {
    compilation.add(model, T, SOURCES[name.replace(/^-/, '')] ?? name.replace(/^-/, ''), {
      descending: name.startsWith('-'),
    })
  }
  compilation.add(model, T, 'id', { descending: false })
  return compilation.order()
}

/** Names under which clients know fields that are called otherwise here. */
const SOURCES: Readonly<Record<string, string>> = {
  pk: 'id',
  custom_field_data: 'custom_fields',
  level: '_level',
}

function isOrderable(model: Model, name: string): boolean {
  const source = SOURCES[name] ?? 'id'
  if (name === 'id' || name in SOURCES) return model.columns.has(source)
  if (!model.answer.includes(name)) return false
  const step = model.steps.get(name)
  if (step) return step.kind === 'column' || step.kind === 'foreignKey'
  const kind = model.fields.get(name)?.kind
  return kind === 'relatedCount' || kind === 'derived' || name === '_depth'
}

const ownOrder = ({ definition }: Model): readonly OrderTerm[] =>
  definition.endpointOrder ?? definition.order

const relationOrder = ({ definition }: Model): readonly OrderTerm[] =>
  definition.orderAsRelation ?? definition.order

interface Direction {
  readonly descending: boolean
  readonly nulls?: 'first' | 'last'
}

class Compilation {
  readonly #registry: Registry
  readonly #joins = new Map<
    string,
    { readonly alias: Sql; readonly isSure: boolean; readonly join: Sql }
  >()
  readonly #terms: Sql[] = []
  /** A term that has stood before decides nothing more. */
  readonly #seen = new Set<string>()
  /** Set when `t.id` has stood: what follows decides nothing. */
  #isTotal = false

  constructor(registry: Registry) {
    this.#registry = registry
  }

  order(): Order {
    const joins = [...this.#joins.values()].map(({ join: each }) => each)
    return { joins: joins.length === 0 ? empty : join(joins, ' '), terms: join(this.#terms) }
  }

  addDefault(model: Model, alias: Sql, order: readonly OrderTerm[], inverted: boolean): void {
    for (const term of order) {
      if (typeof term === 'string') {
        const descending = term.startsWith('-') !== inverted
        this.add(model, alias, term.replace(/^-/, ''), { descending })
      } else {
        const nulls = inverted ? (term.nulls === 'first' ? 'last' : 'first') : term.nulls
        const descending = (term.descending ?? false) !== inverted
        this.add(model, alias, term.field, { descending, nulls })
      }
    }
  }

  add(model: Model, alias: Sql, path: string, direction: Direction): void {
    const [name = '', ...rest] = splitPath(path)
    const step = model.steps.get(name)
    if (rest.length === 1 && rest[0] === 'id' && step?.kind === 'foreignKey') {
      this.#addTerm(this.#valueOf(model, alias, path), direction)
    } else if (rest.length > 0) {
      if (step?.kind !== 'foreignKey' && step?.kind !== 'genericTo') {
        throw new Error(`${model.name} cannot be ordered by ${path}`)
      }
      const joined = this.#join(model, alias, name)
      this.add(step.to, joined, rest.join('.'), direction)
    } else if (step?.kind === 'foreignKey' && direction.nulls === undefined) {
      const order = relationOrder(step.to)
      if (order.length === 1 && order[0] === 'id') {
        this.#addTerm(this.#valueOf(model, alias, name), direction)
      } else {
        this.addDefault(step.to, this.#join(model, alias, name), order, direction.descending)
      }
    } else {
      // With a place for nulls the key itself is meant, as in the reference.
      this.#addTerm(this.#valueOf(model, alias, name), direction)
    }
  }

  #valueOf(model: Model, alias: Sql, name: string): Sql {
    const field = model.fields.get(name)
    if (field?.kind === 'relatedCount') return countOf(this.#registry, model, field, alias)
    if (name === '_depth' && !model.steps.has(name)) return sql`${alias}._level`
    return columnOf(model, alias)(name)
  }

  #addTerm(value: Sql, { descending, nulls }: Direction): void {
    const key = `${value.sql} ${JSON.stringify(value.values)}`
    if (this.#isTotal || this.#seen.has(key)) return
    this.#seen.add(key)
    if (key === `${T.sql}."id" []`) this.#isTotal = true
    const way = descending ? sql` desc` : empty
    const place =
      nulls === undefined ? empty : nulls === 'first' ? sql` nulls first` : sql` nulls last`
    this.#terms.push(sql`${value}${way}${place}`)
  }

  /** Alias of the row that a relation leads to; the same relation is joined once. */
  #join(model: Model, alias: Sql, name: string): Sql {
    const key = `${alias.sql}.${name}`
    const known = this.#joins.get(key)
    if (known) return known.alias
    const step = model.steps.get(name)
    const joined = raw(`o${this.#joins.size + 1}`)
    let on: Sql
    if (step?.kind === 'foreignKey') {
      on = sql`${joined}.id = ${alias}.${identifier(step.column.name)}`
    } else if (step?.kind === 'genericTo') {
      on = sql`${joined}.id = ${alias}.${identifier(step.idColumn.name)} and ${alias}.${identifier(step.typeColumn.name)} = ${step.to.name}`
    } else {
      throw new Error(`${model.name} cannot be ordered through ${name}`)
    }
    const isSure =
      step.kind === 'foreignKey' &&
      !step.column.nullable &&
      (alias === T || [...this.#joins.values()].some((each) => each.alias === alias && each.isSure))
    // An inner join lets the database begin at the related table and read only what the page needs.
    const kind = isSure ? empty : sql`left `
    this.#joins.set(key, {
      alias: joined,
      isSure,
      join: sql`${kind}join ${identifier(step.to.table)} ${joined} on ${on}`,
    })
    return joined
  }
}
