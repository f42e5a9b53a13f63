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
import { type Compiled, combined } from './functions.ts'
import { Inventory, Unanswerable } from './inventory-queries.ts'
import { decoded, directed, type Subqueries, TableQuery, typed } from './table-query.ts'

/** Answers the reading questions of a Python script, as far as the person who runs it may view the objects. */
export class ScriptInventory extends Inventory implements Subqueries {
  readonly #person: User
  readonly #reader: User
  readonly #references: readonly Compiled[]
  readonly depth: number

  /**
   * `reader`: whose permissions decide what is read; `person`: whose permissions the script asks about; `around`: for
   * a subquery, values of the query set around it.
   */
  constructor(
    service: Service,
    reader: User,
    person: User,
    around: { readonly references: readonly Compiled[]; readonly depth: number } = { references: [], depth: 0 },
  ) {
    const { registry, settings } = service
    const security = reader.isSuperuser
      ? { registry, visibleRows: allVisible }
      : rowSecurityOf(reader, registry, settings)
    super(service, security, new Map())
    this.#person = person
    this.#reader = reader
    this.#references = around.references
    this.depth = around.depth
  }

  reference(number: number): Compiled {
    const reference = this.#references[number]
    if (!reference) throw new Unanswerable('A subquery refers to a value that the query set around it does not have')
    return reference
  }

  subquery(question: JsonObject, references: readonly Compiled[]): Compiled {
    const around = { references, depth: this.depth + 1 }
    const inner = new ScriptInventory(this.service, this.#reader, this.#person, around)
    const { statement, values } = inner.#statement(question, ([value]) =>
      value ? sql`${combined(value)} as v` : sql`1`,
    )
    return { sql: sql`(${statement})`, isText: values[0]?.isText === true }
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
    const { not, wanted: constraint, any, all, compare, holds, restrict } = condition
    if (isJsonObject(constraint)) return super.condition(model, condition)
    const negated = not === true ? sql`not ` : sql``
    if (typeof restrict === 'string') return sql`${negated}${this.#permitted(model, restrict)}`
    if (typeof compare === 'string' || holds !== undefined) {
      const rows = raw('f')
      const query = new TableQuery(model, rows, { subqueries: this })
      const predicate = query.condition({ ...condition, not: false })
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
      const query = new TableQuery(model, T, { subqueries: this })
      const terms = termsOf(question).map(({ of, ...direction }) =>
        directed({ value: query.expression(of), ...direction }),
      )
      return { joins: query.joins, terms: join([...terms, sql`t.id`]) }
    }
  }

  /** Rows of expressions: of each object, of groups, or of all objects together. */
  async #table(question: JsonObject): Promise<readonly (readonly Json[])[]> {
    const { statement, values } = this.#statement(question, (columns) =>
      join(columns.map((column, index) => typed(column.sql, `c${index}`))),
    )
    const rows = await this.query<Record<string, unknown>>(statement)
    return rows.map((row) => values.map((_, index) => decoded(row[`c${index}`], row[`c${index}t`])))
  }

  /** The statement of a query set with the values of its columns; `select` names those. */
  #statement(question: JsonObject, select: (columns: readonly Compiled[]) => Sql): TableStatement {
    const model = this.model(question.model)
    const columns = objectsIn(question.columns ?? null)
    return Array.isArray(question.group) && question.whole !== true
      ? this.#grouped({ model, question, columns, select }, objectsIn(question.group))
      : this.#perObject({ model, question, columns, select })
  }

  /**
   * Figures of groups of objects, which agree in the values of `group` and in whatever else the rows or their order
   * show that is no figure.
   */
  #grouped({ model, question, columns, select }: Table, group: readonly JsonObject[]): TableStatement {
    const annotations = annotationsOf(question)
    const query = new TableQuery(model, T, { annotations, subqueries: this })
    const terms = termsOf(question)
    const expressions = [...group, ...columns, ...terms.map(({ of }) => of)]
    const { joined, keys } = query.groupBy(expressions.flatMap((expression) => groupedParts(expression, annotations)))
    const values = columns.map((column) => query.compile(column))
    const { before, after } = splitConditions(question)
    if (after.some((condition) => has(condition, annotations, isWindow))) {
      throw new Unanswerable('Groups cannot be filtered by a window: compare in Python')
    }
    if (expressions.some((expression) => has(expression, annotations, (part) => needsFigures(part, annotations)))) {
      throw new Unanswerable('A subquery or a case of groups cannot use their figures: compute it in Python')
    }
    const compiled = (conditions: readonly JsonObject[]) => conditions.map((condition) => query.condition(condition))
    const isFigure = (condition: JsonObject) => has(condition, annotations, isAggregate)
    const where = compiled(after.filter((condition) => !isFigure(condition)))
    const having = compiled(after.filter(isFigure))
    const order = orderOf(query, terms, question.distinct === true)
    const statement = sql`
      select ${question.distinct === true ? sql`distinct ` : sql``}${join([select(values), ...order.selected])}
      from ${table(model)} t ${query.joins} ${joined}
      where ${join([this.where(model, { ...question, where: before }), ...where], ' and ')}
      ${keys.length > 0 ? sql`group by ${join(keys)}` : sql``}
      ${having.length > 0 ? sql`having ${join(having, ' and ')}` : sql``}
      ${order.terms.length > 0 ? sql`order by ${join(order.terms)}` : sql``} ${windowOf(question)}`
    return { statement, values }
  }

  /**
   * A row for each object, or (`whole`) one for all of them, with the annotations: these are computed apart, so that
   * the order may use any path, and a figure any annotation. Those that need the figures of others come second. Windows
   * are among them: they are computed of the objects that meet all conditions except those that concern windows.
   */
  #perObject({ model, question, columns, select }: Table): TableStatement {
    const annotations = annotationsOf(question)
    const { before, after } = splitConditions(question)
    const isSecond = (data: Json) => has(data, annotations, (part) => isWindow(part) || needsFigures(part, annotations))
    const where = this.where(model, { ...question, where: before })
    const entries = Object.entries(annotations)
    const first = entries.filter(([, data]) => !isSecond(data))
    const second = entries.filter(([, data]) => isSecond(data))
    const figures = this.#figures(model, annotations, first)
    const predicates = (query: TableQuery, conditions: readonly JsonObject[]) =>
      join([where, ...conditions.map((condition) => query.condition(condition))], ' and ')
    const others = this.#others({ model, annotations, figures }, second, (query) =>
      predicates(
        query,
        after.filter((condition) => !isSecond(condition)),
      ),
    )
    const columnsOfAll = new Map([...figures.columns, ...others.columns])
    const query = new TableQuery(model, T, { figures: columnsOfAll, subqueries: this })
    const values = columns.map((column) => query.compile(column))
    const predicate = predicates(query, after)
    const isWhole = question.whole === true
    const isDistinct = question.distinct === true && !isWhole
    const terms = isWhole ? [] : termsOf(question)
    // Nobody sees the order of rows that a condition takes all together.
    const isOrdered = this.depth === 0 || typeof question.limit === 'number'
    const isStandard = terms.length === 0 && !isDistinct && !isWhole && isOrdered
    const standard = isStandard ? compileOrder(this.service, model, undefined, this.security.visibleRows) : undefined
    const ordered = orderOf(query, terms, isDistinct)
    const order = standard?.terms ?? (ordered.terms.length > 0 ? join(ordered.terms) : undefined)
    const statement = sql`
      select ${isDistinct ? sql`distinct ` : sql``}${join([select(values), ...ordered.selected])}
      from ${table(model)} t ${figures.joined} ${others.joined} ${query.joins} ${standard?.joins ?? sql``}
      where ${predicate}
      ${order ? sql`order by ${order}` : sql``} ${windowOf(question)}`
    return { statement, values }
  }

  /** Annotations that need no figures, as columns of a join `q`. */
  #figures(model: Model, annotations: JsonObject, named: readonly (readonly [string, Json])[]): Annotated {
    if (named.length === 0) return NOTHING
    const inner = new TableQuery(model, T, { annotations, subqueries: this })
    const parts = named.flatMap(([, annotation]) => groupedParts(annotation, annotations))
    const { joined, keys } = inner.groupBy([{ path: 'id' }, ...parts])
    const { selected, columns } = columnsOf(inner, named, raw('q'))
    const rows = sql`
      select t.id, ${join(selected)} from ${table(model)} t ${inner.joins} ${joined}
      group by ${join([sql`t.id`, ...keys])}`
    return { joined: sql`join (${rows}) q on q.id = t.id`, columns }
  }

  /** Annotations that need the figures, as columns of a join `w`, of the rows for which `where` holds. */
  #others(
    { model, annotations, figures }: { model: Model; annotations: JsonObject; figures: Annotated },
    named: readonly (readonly [string, Json])[],
    where: (query: TableQuery) => Sql,
  ): Annotated {
    if (named.length === 0) return NOTHING
    const query = new TableQuery(model, T, { annotations, figures: figures.columns, subqueries: this })
    const { selected, columns } = columnsOf(query, named, raw('w'))
    const predicate = where(query)
    const rows = sql`
      select t.id, ${join(selected)} from ${table(model)} t ${figures.joined} ${query.joins} where ${predicate}`
    return { joined: sql`join (${rows}) w on w.id = t.id`, columns }
  }
}

/** A query set as a table: the values of `columns`, named by `select`. */
interface Table {
  readonly model: Model
  readonly question: JsonObject
  readonly columns: readonly JsonObject[]
  readonly select: (columns: readonly Compiled[]) => Sql
}

interface TableStatement {
  readonly statement: Sql
  readonly values: readonly Compiled[]
}

/** Annotations that a join has computed. */
interface Annotated {
  readonly joined: Sql
  readonly columns: ReadonlyMap<string, Compiled>
}

const NOTHING: Annotated = { joined: sql``, columns: new Map() }

function columnsOf(query: TableQuery, named: readonly (readonly [string, Json])[], alias: Sql) {
  const compiled = named.map(([name, data]) => ({ name, ...query.compile(data) }))
  return {
    selected: compiled.map(({ name, sql: value }) => sql`${value} as ${identifier(name)}`),
    columns: new Map(
      compiled.map(({ name, isText }) => [name, { sql: sql`${alias}.${identifier(name)}`, isText }] as const),
    ),
  }
}

const annotationsOf = ({ annotations }: JsonObject): JsonObject => (isJsonObject(annotations) ? annotations : {})

const isAggregate = ({ aggregate }: JsonObject): boolean => typeof aggregate === 'string'
const isWindow = ({ window }: JsonObject): boolean => isJsonObject(window)

/** Whether a part uses a figure where SQL computes none: in a condition of a case, or in a subquery. */
const needsFigures = ({ cases, references }: JsonObject, annotations: JsonObject): boolean =>
  [...objectsIn(references ?? null), ...objectsIn(cases ?? null).map(({ when = null }) => when)].some((part) =>
    has(part, annotations, isAggregate),
  )

/** Whether an expression or a condition, its annotations included, has a part of a kind. */
const has = (data: Json, annotations: JsonObject, isPart: (part: JsonObject) => boolean): boolean =>
  isJsonObject(data) &&
  (isPart(data) ||
    (typeof data.annotation === 'string' && has(annotations[data.annotation] ?? null, annotations, isPart)) ||
    partsOf(data).some((part) => has(part, annotations, isPart)))

/** The expressions and conditions of which an expression or a condition consists; of a subquery, those around it. */
const partsOf = ({ of, cases, otherwise, references, holds, any, all, window, partition, order }: JsonObject) => [
  ...(Array.isArray(of) ? of : []),
  ...objectsIn(cases ?? null).flatMap(({ value = null }) => [value]),
  ...(otherwise === undefined ? [] : [otherwise]),
  ...objectsIn(references ?? null),
  ...(holds === undefined ? [] : [holds]),
  ...objectsIn(any ?? null),
  ...objectsIn(all ?? null),
  // What a window's function takes, which is a value of each row even if the function is an aggregate.
  ...(isJsonObject(window) ? partsOfFunction(window) : []),
  ...objectsIn(partition ?? null),
  ...objectsIn(order ?? null).flatMap(({ expression = null }) => [expression]),
]

const partsOfFunction = ({ of = null }: JsonObject): readonly Json[] => (isJsonObject(of) ? [of] : objectsIn(of))

/** The parts of an expression that are the same in all rows of a group. */
function groupedParts(data: Json, annotations: JsonObject): readonly JsonObject[] {
  if (!isJsonObject(data) || data.value !== undefined || isAggregate(data)) return []
  if (typeof data.annotation === 'string') return groupedParts(annotations[data.annotation] ?? null, annotations)
  if (!has(data, annotations, isAggregate) && !has(data, annotations, isWindow)) return [data]
  return partsOf(data).flatMap((part) => groupedParts(part, annotations))
}

/** The conditions that only concern the objects, and those that concern annotations. */
function splitConditions({ where }: JsonObject) {
  const conditions = objectsIn(where ?? null).flatMap(conjuncts)
  const isLate = (condition: JsonObject) => has(condition, {}, ({ annotation }) => typeof annotation === 'string')
  return { before: conditions.filter((condition) => !isLate(condition)), after: conditions.filter(isLate) }
}

/** The conditions that all have to hold for the condition to hold. */
const conjuncts = (condition: JsonObject): readonly JsonObject[] =>
  Array.isArray(condition.all) && condition.not !== true ? objectsIn(condition.all).flatMap(conjuncts) : [condition]

interface Term {
  readonly of: JsonObject
  readonly descending: boolean
  readonly nulls?: Json | undefined
}

const termsOf = ({ order }: JsonObject): readonly Term[] =>
  (Array.isArray(order) ? order : []).map((term: Json) =>
    isJsonObject(term)
      ? {
          of: isJsonObject(term.expression) ? term.expression : {},
          descending: term.descending === true,
          nulls: term.nulls,
        }
      : { of: { path: String(term).replace(/^-/, '') }, descending: String(term).startsWith('-') },
  )

/** The terms of an order, and what a distinct query selects for them: it orders by nothing else. */
function orderOf(query: TableQuery, terms: readonly Term[], isDistinct: boolean) {
  const compiled = terms.map(({ of, ...direction }, index) => {
    const value = query.expression(of)
    const name = raw(`o${index}`)
    return { selected: sql`${value} as ${name}`, term: directed({ value: isDistinct ? name : value, ...direction }) }
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
