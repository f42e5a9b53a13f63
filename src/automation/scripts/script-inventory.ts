import type { User } from '../../identity/actor.ts'
import { permittedRowsOrNone, rowSecurityOf } from '../../identity/permitted-rows.ts'
import { T } from '../../read/query/alias.ts'
import { compileOrder, type Order } from '../../read/query/order.ts'
import { allVisible } from '../../read/query/row-predicate.ts'
import { isJsonObject, type Json, type JsonObject, objectsIn } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'
import type { Service } from '../../service.ts'
import { identifier, join, raw, type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { Inventory, Unanswerable } from '../templates/inventory-queries.ts'
import { decoded, TableQuery, typed } from './table-query.ts'

/** Answers the reading questions of a Python script, as far as the person who runs it may view the objects. */
export class ScriptInventory extends Inventory {
  readonly #person: User

  /** `reader`: whose permissions decide what is read; `person`: whose permissions the script asks about. */
  constructor(service: Service, reader: User, person: User) {
    const { registry, settings } = service
    const security = reader.isSuperuser
      ? { registry, visibleRows: allVisible }
      : rowSecurityOf(reader, registry, settings)
    super(service, security, new Map())
    this.#person = person
  }

  override async answer(question: JsonObject): Promise<unknown> {
    switch (question.ask) {
      case 'table':
        return await this.#table(question)
      case 'may':
        return await this.#may(question)
      case 'file':
        // Templates read the files of their own data source only; a script could name any.
        throw new Unanswerable('Scripts cannot read files of data sources')
      default:
        return await super.answer(question)
    }
  }

  protected override condition(model: Model, condition: JsonObject): Sql {
    const { not, wanted, any, all, compare, restrict } = condition
    if (isJsonObject(wanted)) return super.condition(model, condition)
    const negated = not === true ? sql`not ` : sql``
    if (typeof restrict === 'string') return sql`${negated}${this.#permitted(model, restrict)}`
    if (typeof compare === 'string') {
      const rows = raw('f')
      const query = new TableQuery(model, rows)
      const predicate = query.condition({ compare, of: condition.of ?? [] })
      return sql`${negated}t.id in (select f.id from ${table(model)} ${rows} ${query.joins} where ${predicate})`
    }
    const parts = objectsIn(any ?? all ?? null).map((one) => this.condition(model, one))
    if (parts.length === 0) return not === true ? sql`false` : sql`true`
    return sql`${negated}(${join(parts, Array.isArray(any) ? ' or ' : ' and ')})`
  }

  #permitted(model: Model, action: string): Sql {
    const { settings } = this.service
    const rows = permittedRowsOrNone(this.#person, action, model, settings)
    return rows === 'all' ? sql`true` : sql`(${rows}) is true`
  }

  /** Whether the person has a permission such as `dcim.change_site`, possibly for one object. */
  async #may({ permission, id }: JsonObject): Promise<boolean> {
    const [, app = '', action = '', key = ''] = /^(\w+)\.([a-z]+)_(\w+)$/.exec(String(permission)) ?? []
    const model = this.service.registry.models.get(`${app}.${key}`)
    if (!model) return this.#person.isSuperuser
    const rows = permittedRowsOrNone(this.#person, action, model, this.service.settings)
    if (typeof id !== 'number') return rows === 'all' || rows.text !== 'false'
    const isPermitted = rows === 'all' ? sql`true` : rows
    const seen = await this.query(sql`select t.id from ${table(model)} t where t.id = ${id}::bigint and ${isPermitted}`)
    return seen.length > 0
  }

  /** The objects that must not lose the object to which they refer, and the fields by which they refer to it. */
  async protectors(model: Model, ids: readonly number[]): Promise<JsonObject> {
    const objects: Record<string, number[]> = {}
    const references: string[][] = []
    for (const referrer of model.referrers) {
      if (referrer.kind !== 'foreignKey' || referrer.field.onDelete !== 'protect') continue
      const rows = await this.query<{ id: number }>(sql`
        select t.id from ${table(referrer.model)} t
        where t.${identifier(referrer.column.name)} = any(${ids}::bigint[]) order by t.id`)
      if (rows.length === 0) continue
      references.push([referrer.model.name, referrer.name])
      objects[referrer.model.name] = [...(objects[referrer.model.name] ?? []), ...rows.map(({ id }) => id)]
    }
    return { objects, references }
  }

  /** Also by parts of values, such as the length of a prefix's mask. */
  protected override order(model: Model, question: JsonObject): Order {
    try {
      return super.order(model, question)
    } catch (error) {
      if (!(error instanceof Unanswerable)) throw error
      const query = new TableQuery(model, T)
      const terms = termsOf(question).map(({ of, descending }) => directed({ value: query.expression(of), descending }))
      return { joins: query.joins, terms: join([...terms, sql`t.id`]) }
    }
  }

  /** Rows of expressions: of each object, of groups, or of all objects together. */
  async #table(question: JsonObject): Promise<readonly (readonly Json[])[]> {
    const model = this.model(question.model)
    const columns = objectsIn(question.columns ?? null)
    const group = Array.isArray(question.group) ? question.group.map(Number) : undefined
    const statement =
      question.whole === true || group
        ? this.#grouped(model, question, columns, group ?? [])
        : this.#perObject(model, question, columns)
    const rows = await this.query<Record<string, unknown>>(statement)
    return rows.map((row) => columns.map((_, index) => decoded(row[`c${index}`], row[`c${index}t`])))
  }

  /** Figures of groups of objects: one row for all if there are no columns to group by. */
  #grouped(model: Model, question: JsonObject, columns: readonly JsonObject[], group: readonly number[]): Sql {
    const query = new TableQuery(model, T, { annotations: annotationsOf(question) })
    const selected = columns.map((column, index) => typed(query.expression(column), `c${index}`))
    const keys = group.flatMap((index) => (columns[index] ? [query.expression(columns[index])] : []))
    const { before, after } = splitConditions(question)
    const having = after.map((one) => query.condition(one))
    const order = termsOf(question).map(({ of, descending }) => directed({ value: query.expression(of), descending }))
    return sql`
      select ${join(selected)} from ${table(model)} t ${query.joins}
      where ${this.where(model, { ...question, where: before })}
      ${keys.length > 0 ? sql`group by ${join(keys)}` : sql``}
      ${having.length > 0 ? sql`having ${join(having, ' and ')}` : sql``}
      ${order.length > 0 ? sql`order by ${join(order)}` : sql``} ${windowOf(question)}`
  }

  /** A row for each object, with its annotations: these are computed apart, so that the order may use any path. */
  #perObject(model: Model, question: JsonObject, columns: readonly JsonObject[]): Sql {
    const annotations = annotationsOf(question)
    const inner = new TableQuery(model, T, { annotations })
    const figures = inner.figures(annotations)
    const selected = [...figures.values()].map((figure) => sql`${figure.sql} as ${identifier(figure.name)}`)
    const keys = [...figures].flatMap(([name, figure]) => (isAggregated(annotations[name] ?? null) ? [] : [figure.sql]))
    const annotated =
      figures.size === 0
        ? sql``
        : sql`join (select t.id, ${join(selected)} from ${table(model)} t ${inner.joins}
            group by ${join([sql`t.id`, ...keys])}) q on q.id = t.id`
    const query = new TableQuery(model, T, { figures })
    const values = columns.map((column, index) => typed(query.expression(column), `c${index}`))
    const { before, after } = splitConditions(question)
    const conditions = after.map((one) => query.condition(one))
    const terms = termsOf(question).map(({ of, descending }) => ({ value: query.expression(of), descending }))
    const isDistinct = question.distinct === true
    const isStandard = terms.length === 0 && !isDistinct
    const standard = isStandard ? compileOrder(this.service, model, undefined, this.security.visibleRows) : undefined
    // A distinct query orders by what it selects.
    const keysOfOrder = isDistinct ? terms.map(({ value }, index) => sql`${value} as ${raw(`o${index}`)}`) : []
    const ordered = terms.map(({ value, descending }, index) =>
      directed({ value: isDistinct ? raw(`o${index}`) : value, descending }),
    )
    const order = standard?.terms ?? (ordered.length > 0 ? join(ordered) : undefined)
    return sql`
      select ${isDistinct ? sql`distinct ` : sql``}${join([...values, ...keysOfOrder])}
      from ${table(model)} t ${annotated} ${query.joins} ${standard?.joins ?? sql``}
      where ${join([this.where(model, { ...question, where: before }), ...conditions], ' and ')}
      ${order ? sql`order by ${order}` : sql``} ${windowOf(question)}`
  }
}

const annotationsOf = ({ annotations }: JsonObject): JsonObject => (isJsonObject(annotations) ? annotations : {})

const isAggregated = (data: Json): boolean =>
  isJsonObject(data) &&
  (typeof data.aggregate === 'string' || (Array.isArray(data.of) && data.of.some((one: Json) => isAggregated(one))))

/** The conditions that only concern the objects, and those that concern annotations. */
function splitConditions({ where }: JsonObject) {
  const conditions = objectsIn(where ?? null)
  const isLate = (one: JsonObject): boolean => JSON.stringify(one).includes('"annotation":')
  return { before: conditions.filter((one) => !isLate(one)), after: conditions.filter(isLate) }
}

interface Term {
  readonly of: JsonObject
  readonly descending: boolean
}

const termsOf = ({ order }: JsonObject): readonly Term[] =>
  (Array.isArray(order) ? order : []).map((term: Json) =>
    isJsonObject(term)
      ? { of: isJsonObject(term.expression) ? term.expression : {}, descending: term.descending === true }
      : { of: { path: String(term).replace(/^-/, '') }, descending: String(term).startsWith('-') },
  )

const directed = ({ value, descending }: { readonly value: Sql; readonly descending: boolean }): Sql =>
  descending ? sql`${value} desc` : value

function windowOf({ offset, limit }: JsonObject): Sql {
  const start = sql`offset ${Math.max(Number(offset ?? 0), 0)}`
  return typeof limit === 'number' ? sql`limit ${limit} ${start}` : start
}
