import type { ChoiceSet } from '../../schema/choices.ts'
import type { Column } from '../../schema/column.ts'
import type { RelatedCountField } from '../../schema/field.ts'
import type { OrderTerm } from '../../schema/model.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { splitPath } from '../../schema/step.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { empty, identifier, join, raw, type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { innerAlias, T } from './alias.ts'
import { columnOf } from './column.ts'
import { allOf, joinStep } from './join-step.ts'
import type { Order } from './order.ts'
import { reaches } from './reach.ts'
import type { VisibleRows } from './row-predicate.ts'
import { isToMany, relatedRows, type ToMany } from './to-many.ts'

const relationOrder = ({ definition }: Model): readonly OrderTerm[] => definition.orderAsRelation ?? definition.order

const isTypeColumn = ({ field, type }: Column): boolean =>
  type === 'text' && (field.kind === 'genericForeignKey' || field.kind === 'objectType')

const isNumeric = ({ choices }: { readonly choices: ChoiceSet }): boolean => typeof choices.list[0]?.value === 'number'

/** Direction of a term, and the position of its nulls if it differs from PostgreSQL's. */
interface Direction {
  readonly descending: boolean
  readonly nulls?: 'first' | 'last'
  /** The value is a choice, and sorts by its place among the choices. */
  readonly byChoice?: true
}

/** How the terms are written. */
interface OrderStyle {
  /** Foreign key of the ordered model that has the same value in all rows, so that terms through it have no effect. */
  readonly constant?: string | undefined
  /** Prefix of the aliases of joins. */
  readonly prefix?: string
  /** Whether an empty choice sorts as the empty text, or as null. */
  readonly choices: 'stored' | 'emptyAsNull'
}

/** Collects the joins and terms of an order. */
export class OrderTerms {
  readonly #registry: Registry
  readonly #visibleRows: VisibleRows
  readonly #joins = new Map<string, { readonly alias: Sql; readonly isSure: boolean; readonly join: Sql }>()
  readonly #terms: Sql[] = []
  /** A repeated term has no effect. */
  readonly #seen = new Set<string>()
  /** Set once `t.id` is among the terms: later terms have no effect. */
  #isTotal = false

  /** Values of the terms, without their directions. */
  readonly #values: Sql[] = []
  readonly #prefix: string

  readonly #choices: 'stored' | 'emptyAsNull'
  readonly #constant: string | undefined

  constructor(registry: Registry, visibleRows: VisibleRows, { prefix = 'o', choices, constant }: OrderStyle) {
    this.#registry = registry
    this.#visibleRows = visibleRows
    this.#prefix = prefix
    this.#choices = choices
    this.#constant = constant
  }

  order(): Order {
    const joins = [...this.#joins.values()].map(({ join: joinSql }) => joinSql)
    return { joins: joins.length === 0 ? empty : join(joins, ' '), terms: join(this.#terms) }
  }

  /** The terms of a model's order, for the rows `alias`. */
  addDefault(model: Model, alias: Sql, order: readonly OrderTerm[], inverted: boolean): void {
    for (const term of order) {
      if (typeof term === 'string') {
        const descending = term.startsWith('-') !== inverted
        this.add(model, alias, term.replace(/^-/, ''), { descending })
      } else if ('byChoice' in term) {
        this.add(model, alias, term.field, { descending: inverted, byChoice: true })
      } else {
        const nulls = inverted ? (term.nulls === 'first' ? 'last' : 'first') : term.nulls
        const descending = (term.descending ?? false) !== inverted
        this.add(model, alias, term.field, { descending, nulls })
      }
    }
  }

  /** The value or relation at the end of a path; a relation sorts by its own order. */
  add(model: Model, alias: Sql, path: string, direction: Direction): void {
    const [name = '', ...remaining] = splitPath(path)
    if (alias === T && name === this.#constant) return
    // A count declared by the model hides an inverse relation of the same name.
    const isCount = model.fields.get(name)?.kind === 'relatedCount'
    const step = isCount ? undefined : model.steps.get(name)
    if (remaining.length === 1 && remaining[0] === 'id' && step?.kind === 'foreignKey') {
      this.#addTerm(this.#valueOf(model, alias, path), direction)
    } else if (remaining.length > 0) {
      if (step?.kind !== 'foreignKey' && step?.kind !== 'genericTo') {
        throw new Error(`${model.name} cannot be ordered by ${path}`)
      }
      const joined = this.#join(model, alias, name)
      this.add(step.to, joined, remaining.join('.'), direction)
    } else if (step?.kind === 'foreignKey' && direction.nulls === undefined) {
      const order = relationOrder(step.to)
      if (order.length === 1 && order[0] === 'id') {
        this.#addTerm(this.#valueOf(model, alias, name), direction)
      } else {
        this.addDefault(step.to, this.#join(model, alias, name), order, direction.descending)
      }
    } else if (step && isToMany(step)) {
      this.#addFirst(step, alias, name, direction)
    } else if (step?.kind === 'column' && isTypeColumn(step.column)) {
      this.#addTerm(sql`${this.#joinType(alias, step.column)}.id`, direction)
    } else {
      // If the position of nulls is specified, the key itself is meant, as in NetBox.
      const value = this.#valueOf(model, alias, name)
      this.#addTerm(direction.byChoice ? placeAmongChoices(model, name, value) : value, direction)
      if (alias === T && name === 'id') this.#isTotal = true
    }
  }

  #valueOf(model: Model, alias: Sql, name: string): Sql {
    const field = model.fields.get(name)
    if (field?.kind === 'relatedCount') return countOf(this.#registry, model, field, alias)
    if (name === '_depth' && !model.steps.has(name)) return sql`${alias}.${identifier('_level')}`
    const value = columnOf(model, alias)(name)
    const isOptional = field?.kind === 'choice' && field.nullable === true && !isNumeric(field)
    return isOptional && this.#choices === 'emptyAsNull' ? sql`nullif(${value}, '')` : value
  }

  #addTerm(value: Sql, { descending, nulls }: Direction): void {
    const key = `${value.text} ${JSON.stringify(value.values)}`
    if (this.#isTotal || this.#seen.has(key)) return
    this.#seen.add(key)
    const way = descending ? sql` desc` : empty
    const place = nulls === undefined ? empty : nulls === 'first' ? sql` nulls first` : sql` nulls last`
    this.#values.push(value)
    this.#terms.push(sql`${value}${way}${place}`)
  }

  /** By the first of many related rows, in the same direction. */
  #addFirst(step: ToMany, alias: Sql, name: string, direction: Direction): void {
    const joined = this.#nextAlias()
    const row = raw(`${joined.text}_`)
    const style: OrderStyle = { prefix: `${joined.text}_`, choices: this.#choices }
    const inner = new OrderTerms(this.#registry, this.#visibleRows, style)
    inner.addDefault(step.to, row, relationOrder(step.to), direction.descending)
    const keys = inner.#values.map((value, index) => sql`${value} as ${raw(`k${index}`)}`)
    const { joins, terms } = inner.order()
    const { from, owner, condition } = relatedRows(step, row)
    const isOwned = allOf(condition, sql`${owner} = ${alias}.id`)
    const first = sql`select ${join(keys)} from ${from} ${joins} where ${isOwned} order by ${terms} limit 1`
    this.#joins.set(`${alias.text}.${name} ${direction.descending}`, {
      alias: joined,
      isSure: false,
      join: sql`left join lateral (${first}) ${joined} on true`,
    })
    for (const index of keys.keys()) this.#addTerm(sql`${joined}.${raw(`k${index}`)}`, direction)
  }

  /** The object type that a column names, so that types sort by their ids as in NetBox. */
  #joinType(alias: Sql, column: Column): Sql {
    const key = `${alias.text}.${column.name}`
    const joined = this.#joins.get(key)?.alias ?? this.#nextAlias()
    const types = table(this.#registry.model(SYSTEM.objectType))
    this.#joins.set(key, {
      alias: joined,
      isSure: false,
      join: sql`left join ${types} ${joined} on ${joined}.app_label || '.' || ${joined}.model = ${alias}.${identifier(column.name)}`,
    })
    return joined
  }

  #nextAlias(): Sql {
    return raw(`${this.#prefix}${this.#joins.size + 1}`)
  }

  /** Alias of the related row; the same relation is joined only once. */
  #join(model: Model, alias: Sql, name: string): Sql {
    const key = `${alias.text}.${name}`
    const existing = this.#joins.get(key)
    if (existing) return existing.alias
    const step = model.steps.get(name)
    const joined = this.#nextAlias()
    if (step?.kind !== 'foreignKey' && step?.kind !== 'genericTo') {
      throw new Error(`${model.name} cannot be ordered through ${name}`)
    }
    const { id, condition } = joinStep(step, alias, joined)
    const isSure =
      step.kind === 'foreignKey' &&
      !step.column.nullable &&
      // A row whose related row is hidden must still be listed.
      this.#visibleRows(step.to) === 'all' &&
      (alias === T || [...this.#joins.values()].some((prior) => prior.alias === alias && prior.isSure))
    // An inner join lets the database start at the related table and read only what the page needs.
    const kind = isSure ? empty : sql`left `
    this.#joins.set(key, {
      alias: joined,
      isSure,
      join: sql`${kind}join ${table(step.to)} ${joined} on ${allOf(sql`${joined}.id = ${id}`, condition)}`,
    })
    return joined
  }
}

/** The place of a value among the choices of a field. */
function placeAmongChoices(model: Model, name: string, value: Sql): Sql {
  const field = model.fields.get(name)
  if (field?.kind !== 'choice') throw new Error(`${model.name}.${name} has no choices`)
  return sql`array_position(${field.choices.list.map((choice) => String(choice.value))}::text[], ${value})`
}

/** Number of rows that the field counts for the row `alias`; used for orders, because pages count in one query. */
function countOf(registry: Registry, model: Model, field: RelatedCountField, alias: Sql): Sql {
  const counted = registry.model(field.of)
  const inner = innerAlias(alias)
  const isHere = (id: Sql): Sql =>
    field.cumulative
      ? sql`${id} in (select below.id from ${table(model)} below where below._ancestors @> array[${alias}.id])`
      : sql`${id} = ${alias}.id`
  return sql`(select count(*) from ${table(counted)} ${inner} where ${reaches(counted, inner, field.via, isHere)})`
}
