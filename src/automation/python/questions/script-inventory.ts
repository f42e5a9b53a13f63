import type { User } from '../../../identity/actor.ts'
import { permittedRowsOrNone, rowSecurityOf } from '../../../identity/permitted-rows.ts'
import { T } from '../../../read/query/alias.ts'
import { compileOrder, type Order } from '../../../read/query/order.ts'
import { allVisible } from '../../../read/query/row-predicate.ts'
import { isJsonObject, type Json, type JsonObject, objectsIn } from '../../../schema/json.ts'
import type { Model } from '../../../schema/registry.ts'
import type { Service } from '../../../service.ts'
import { identifier, join, raw, type Sql, sql } from '../../../sql/fragment.ts'
import { table } from '../../../sql/table.ts'
import { Inventory, Unanswerable } from './inventory-queries.ts'
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
    const { not, wanted: constraint, any, all, compare, restrict } = condition
    if (isJsonObject(constraint)) return super.condition(model, condition)
    const negated = not === true ? sql`not ` : sql``
    if (typeof restrict === 'string') return sql`${negated}${this.#permitted(model, restrict)}`
    if (typeof compare === 'string') {
      const rows = raw('f')
      const query = new TableQuery(model, rows)
      const predicate = query.condition({ compare, of: condition.of ?? [] })
      return sql`${negated}t.id in (select f.id from ${table(model)} ${rows} ${query.joins} where ${predicate})`
    }
    const parts = objectsIn(any ?? all ?? null).map((part) => this.condition(model, part))
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
    const statement =
      Array.isArray(question.group) && question.whole !== true
        ? this.#grouped(model, question, columns, objectsIn(question.group))
        : this.#perObject(model, question, columns)
    const rows = await this.query<Record<string, unknown>>(statement)
    return rows.map((row) => columns.map((_, index) => decoded(row[`c${index}`], row[`c${index}t`])))
  }

  /**
   * Figures of groups of objects, which agree in the values of `group` and in whatever else the rows or their order
   * show that is no figure.
   */
  #grouped(model: Model, question: JsonObject, columns: readonly JsonObject[], group: readonly JsonObject[]): Sql {
    const annotations = annotationsOf(question)
    const query = new TableQuery(model, T, { annotations })
    const terms = termsOf(question)
    const expressions = [...group, ...columns, ...terms.map(({ of }) => of)]
    const { joined, keys } = query.groupBy(expressions.flatMap((expression) => groupedParts(expression, annotations)))
    const selected = columns.map((column, index) => typed(query.expression(column), `c${index}`))
    const { before, after } = splitConditions(question)
    const compiled = (conditions: readonly JsonObject[]) => conditions.map((condition) => query.condition(condition))
    const isFigure = (condition: JsonObject) => namesFigure(condition, annotations)
    const where = compiled(after.filter((condition) => !isFigure(condition)))
    const having = compiled(after.filter(isFigure))
    const order = orderOf(query, terms, question.distinct === true)
    return sql`
      select ${question.distinct === true ? sql`distinct ` : sql``}${join([...selected, ...order.selected])}
      from ${table(model)} t ${query.joins} ${joined}
      where ${join([this.where(model, { ...question, where: before }), ...where], ' and ')}
      ${keys.length > 0 ? sql`group by ${join(keys)}` : sql``}
      ${having.length > 0 ? sql`having ${join(having, ' and ')}` : sql``}
      ${order.terms.length > 0 ? sql`order by ${join(order.terms)}` : sql``} ${windowOf(question)}`
  }

  /**
   * A row for each object, or (`whole`) one for all of them, with the annotations: these are computed apart, so that
   * the order may use any path, and a figure any annotation.
   */
  #perObject(model: Model, question: JsonObject, columns: readonly JsonObject[]): Sql {
    const annotations = annotationsOf(question)
    const inner = new TableQuery(model, T, { annotations })
    const parts = Object.values(annotations).flatMap((annotation) => groupedParts(annotation, annotations))
    const { joined, keys } = inner.groupBy([{ path: 'id' }, ...parts])
    const figures = inner.figures(annotations)
    const selected = [...figures.values()].map((figure) => sql`${figure.sql} as ${identifier(figure.name)}`)
    const annotated =
      figures.size === 0
        ? sql``
        : sql`join (select t.id, ${join(selected)} from ${table(model)} t ${inner.joins} ${joined}
            group by ${join([sql`t.id`, ...keys])}) q on q.id = t.id`
    const query = new TableQuery(model, T, { figures })
    const values = columns.map((column, index) => typed(query.expression(column), `c${index}`))
    const { before, after } = splitConditions(question)
    const conditions = after.map((condition) => query.condition(condition))
    const isWhole = question.whole === true
    const isDistinct = question.distinct === true && !isWhole
    const terms = isWhole ? [] : termsOf(question)
    const isStandard = terms.length === 0 && !isDistinct && !isWhole
    const standard = isStandard ? compileOrder(this.service, model, undefined, this.security.visibleRows) : undefined
    const ordered = orderOf(query, terms, isDistinct)
    const order = standard?.terms ?? (ordered.terms.length > 0 ? join(ordered.terms) : undefined)
    return sql`
      select ${isDistinct ? sql`distinct ` : sql``}${join([...values, ...ordered.selected])}
      from ${table(model)} t ${annotated} ${query.joins} ${standard?.joins ?? sql``}
      where ${join([this.where(model, { ...question, where: before }), ...conditions], ' and ')}
      ${order ? sql`order by ${order}` : sql``} ${windowOf(question)}`
  }
}

const annotationsOf = ({ annotations }: JsonObject): JsonObject => (isJsonObject(annotations) ? annotations : {})

/** Whether the expression is computed of several rows. */
const isAggregated = (data: Json, annotations: JsonObject): boolean =>
  isJsonObject(data) &&
  (typeof data.aggregate === 'string' ||
    (typeof data.annotation === 'string' && isAggregated(annotations[data.annotation] ?? null, annotations)) ||
    partsOf(data).some((part) => isAggregated(part, annotations)))

/** The expressions of which an expression consists. */
const partsOf = ({ of, cases, otherwise }: JsonObject): readonly Json[] => [
  ...(Array.isArray(of) ? of : []),
  ...objectsIn(cases ?? null).flatMap(({ value = null }) => [value]),
  ...(otherwise === undefined ? [] : [otherwise]),
]

/** The parts of an expression that are the same in all rows of a group. */
function groupedParts(data: Json, annotations: JsonObject): readonly JsonObject[] {
  if (!isJsonObject(data) || data.value !== undefined || typeof data.aggregate === 'string') return []
  if (typeof data.annotation === 'string') return groupedParts(annotations[data.annotation] ?? null, annotations)
  if (!isAggregated(data, annotations)) return [data]
  return partsOf(data).flatMap((part) => groupedParts(part, annotations))
}

/** Whether a condition compares a figure of several rows. */
const namesFigure = (data: Json, annotations: JsonObject): boolean =>
  isAggregated(data, annotations) ||
  (isJsonObject(data) &&
    [data.of, data.all, data.any].some((parts) =>
      objectsIn(parts ?? null).some((part) => namesFigure(part, annotations)),
    ))

/** The conditions that only concern the objects, and those that concern annotations. */
function splitConditions({ where }: JsonObject) {
  const conditions = objectsIn(where ?? null)
  const isLate = (condition: JsonObject): boolean => JSON.stringify(condition).includes('"annotation":')
  return { before: conditions.filter((condition) => !isLate(condition)), after: conditions.filter(isLate) }
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

/** The terms of an order, and what a distinct query selects for them: it orders by nothing else. */
function orderOf(query: TableQuery, terms: readonly Term[], isDistinct: boolean) {
  const compiled = terms.map(({ of, descending }, index) => {
    const value = query.expression(of)
    const name = raw(`o${index}`)
    return { selected: sql`${value} as ${name}`, term: directed({ value: isDistinct ? name : value, descending }) }
  })
  return {
    selected: isDistinct ? compiled.map(({ selected }) => selected) : [],
    terms: compiled.map(({ term }) => term),
  }
}

function windowOf({ offset, limit }: JsonObject): Sql {
  const start = sql`offset ${Math.max(Number(offset ?? 0), 0)}`
  return typeof limit === 'number' ? sql`limit ${limit} ${start}` : start
}
