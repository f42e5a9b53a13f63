import { complaintOf, satisfiesConstraint } from '../../../identity/constraint.ts'
import { T } from '../../../read/query/alias.ts'
import { displayOf } from '../../../read/query/display.ts'
import { hiddenFields } from '../../../read/query/hidden-fields.ts'
import { allOf } from '../../../read/query/join-step.ts'
import { compileOrder, type Order } from '../../../read/query/order.ts'
import { OrderTerms } from '../../../read/query/order-terms.ts'
import { NO_ROWS } from '../../../read/query/row-predicate.ts'
import { applyRowSecurity, type RowSecurity } from '../../../read/query/row-security.ts'
import { isRelatedTo, isToMany, relatedRows, type ToMany } from '../../../read/query/to-many.ts'
import { PLAIN_FORM } from '../../../read/serialise/plan.ts'
import { projectionOf } from '../../../read/serialise/projection.ts'
import { fetchObjects } from '../../../read/serialise/read-objects.ts'
import { committedData } from '../../../read/serialise/read-source.ts'
import { isJsonObject, type Json, type JsonObject, parseJson } from '../../../schema/json.ts'
import type { Model } from '../../../schema/registry.ts'
import { SYSTEM } from '../../../schema/system-models.ts'
import { yamlText } from '../../../schema/yaml-text.ts'
import type { Service } from '../../../service.ts'
import { identifier, join, type Sql, sql } from '../../../sql/fragment.ts'
import type { Row } from '../../../sql/queryable.ts'
import { table } from '../../../sql/table.ts'
import { decodeValue, selectColumn } from '../../../write/values.ts'
import { isVisible, visibleColumns } from './model-descriptions.ts'

/** Rows that a query set of a rendering represents, over alias `t`. */
export interface Base {
  readonly where: Sql | undefined
  readonly order: Order
}

/** A template's query without a result; the text is for the template's author. */
export class Unanswerable extends Error {
  override readonly name = 'Unanswerable'
}

/** Executes queries of a template on the inventory with the row-level security of its user. Reads only. */
export class Inventory {
  protected readonly service: Service
  readonly #bases: ReadonlyMap<string, Base>
  protected readonly security: RowSecurity

  constructor(service: Service, security: RowSecurity, bases: ReadonlyMap<string, Base>) {
    this.service = service
    this.security = security
    this.#bases = bases
  }

  /** Result of a query. Throws `Unanswerable`. */
  async answer(question: JsonObject): Promise<unknown> {
    switch (question.ask) {
      case 'rows':
        return await this.rows(this.model(question.model), idsOf(question.ids))
      case 'select':
        return await this.select(question)
      case 'count':
        return await this.count(question)
      case 'related':
        return await this.#related(question)
      case 'shown':
        return await this.#shown(question)
      case 'path':
        return await this.#paths(question)
      case 'yaml':
        return yamlText(question.value)
      case 'file':
        return await this.#file(question)
      default:
        throw new Unanswerable(`There is no question named ${question.ask}`)
    }
  }

  protected model(name: Json | undefined): Model {
    const model = this.service.registry.models.get(String(name))
    if (!model || !isVisible(model)) throw new Unanswerable(`No model is named ${name}`)
    // An empty result would silently make the text incomplete.
    if (this.security.visibleRows(model) === NO_ROWS) {
      throw new Unanswerable(`The user who renders this may not view ${model.definition.labels[1]}`)
    }
    return model
  }

  protected query<T extends Row>(statement: Sql): Promise<T[]> {
    return this.service.database.query<T>(applyRowSecurity(this.security, statement))
  }

  protected async rows(model: Model, ids: readonly number[]): Promise<JsonObject[]> {
    return await this.read(model, sql`where t.id = any(${ids}::bigint[]) order by t.id`)
  }

  /** Rows of the model; `clauses` is the statement after `from … t`. */
  protected async read(model: Model, clauses: Sql): Promise<JsonObject[]> {
    const columns = visibleColumns(model)
    const select = columns.map((column) => selectColumn(column, sql`t.${identifier(column.name)}`))
    const statement = sql`
      select ${join([sql`t.id`, displayOf(model, T), ...select])}
      from ${table(model)} t ${clauses}`
    const rows = await this.service.database.queryArrays(applyRowSecurity(this.security, statement))
    return rows.map(([id, display, ...values]) => ({
      id: Number(id),
      display: String(display ?? ''),
      // Values of rows are valid JSON.
      ...Object.fromEntries(columns.map((column, index) => [column.key, decodeValue(column, values[index]) as Json])),
    }))
  }

  protected async select(question: JsonObject): Promise<JsonObject[]> {
    const model = this.model(question.model)
    const { joins, terms } = this.order(model, question)
    const limit = Math.max(Number(question.limit), 0)
    const offset = Math.max(Number(question.offset), 0)
    return await this.read(
      model,
      sql`${joins} where ${this.where(model, question)} order by ${terms} limit ${limit} offset ${offset}`,
    )
  }

  protected async count(question: JsonObject): Promise<number> {
    const model = this.model(question.model)
    const [row] = await this.query<{ count: number }>(sql`
      select count(*) as count from ${table(model)} t where ${this.where(model, question)}`)
    return row?.count ?? 0
  }

  #base(question: JsonObject): Base | undefined {
    return typeof question.base === 'string' ? this.#bases.get(question.base) : undefined
  }

  protected where(model: Model, question: JsonObject): Sql {
    const predicates: Sql[] = [sql`true`]
    const base = this.#base(question)
    if (base?.where) predicates.push(sql`(${base.where})`)
    if (isJsonObject(question.owner)) predicates.push(this.ownedBy(question.owner))
    const conditions = Array.isArray(question.where) ? question.where : []
    for (const condition of conditions) if (isJsonObject(condition)) predicates.push(this.condition(model, condition))
    return join(predicates, ' and ')
  }

  /** Predicate over `t`, never null, of one condition of a query set. */
  protected condition(model: Model, { wanted: constraint, not }: JsonObject): Sql {
    if (!isJsonObject(constraint)) throw new Unanswerable('A condition names no fields')
    const complaint = complaintOf(model, constraint)
    if (complaint !== undefined) throw new Unanswerable(complaint)
    const predicate = satisfiesConstraint(model, constraint, 0)
    return not === true ? sql`not ${predicate}` : predicate
  }

  protected order(model: Model, question: JsonObject): Order {
    const names = Array.isArray(question.order) ? question.order.map(String) : []
    const base = this.#base(question)
    if (names.length === 0)
      return base?.order ?? compileOrder(this.service, model, undefined, this.security.visibleRows)
    const terms = new OrderTerms(this.service.registry, this.security.visibleRows, {
      choices: 'stored',
    })
    for (const name of [...names, 'id']) {
      const path = name.replace(/^-/, '').replaceAll('__', '.').replace(/^pk$/, 'id')
      try {
        terms.add(model, T, path, { descending: name.startsWith('-') })
      } catch {
        throw new Unanswerable(`${model.name} cannot be ordered by ${name}`)
      }
    }
    return terms.order()
  }

  /** Condition for the related rows `t` of one object's relation. */
  protected ownedBy(owner: JsonObject): Sql {
    const step = this.relation(owner)
    return isRelatedTo(step, T, sql`${Number(owner.id)}::bigint`)
  }

  protected relation(question: JsonObject) {
    const model = this.model(question.model)
    const step = model.steps.get(String(question.name))
    if (!isToMany(step) || !isVisible(step.to)) throw new Unanswerable(`${model.name} has no relation ${question.name}`)
    return step
  }

  /** Related rows of several objects: the rows, and the ids of each owner's rows in order. */
  async #related(question: JsonObject): Promise<JsonObject> {
    const step = this.relation(question)
    const ids = idsOf(question.ids)
    const order = compileOrder(this.service, step.to, undefined, this.security.visibleRows)
    const pairs = await this.query<{ owner: number; id: number }>(pairsOf(step, order, ids))
    const of: Record<string, number[]> = {}
    for (const { owner, id } of pairs) {
      const list = of[owner] ?? []
      list.push(id)
      of[owner] = list
    }
    const related = await this.rows(step.to, [...new Set(pairs.map(({ id }) => id))])
    return { model: step.to.name, rows: related, of }
  }

  /** A value as responses show it, by id. */
  async #shown(question: JsonObject): Promise<JsonObject> {
    const model = this.model(question.model)
    const name = String(question.name)
    const isHidden = hiddenFields(model, this.security)?.has(name) === true
    if (!model.answer.includes(name) || isHidden) throw new Unanswerable(`${model.name} shows no ${name}`)
    const selection = { fields: [name], brief: false, excludeContext: false, form: PLAIN_FORM }
    const projection = projectionOf(this.service, model, selection)
    const seen = await this.query<{ id: number }>(
      sql`select t.id from ${table(model)} t where t.id = any(${idsOf(question.ids)}::bigint[])`,
    )
    const ids = seen.map(({ id }) => id)
    const texts = await fetchObjects(committedData(this.service), ids, projection, '')
    return Object.fromEntries(
      [...texts].map(([id, text]) => {
        const object: unknown = parseJson(text)
        return [String(id), isJsonObject(object) ? (object[name] ?? null) : null]
      }),
    )
  }

  /** Cable paths by the ids of their origins. */
  async #paths(question: JsonObject): Promise<Readonly<Record<string, unknown>>> {
    const model = this.model(question.model)
    const path = model.columns.get('_path')?.field
    if (path?.kind !== 'foreignKey') throw new Unanswerable(`${model.name} is not at the end of a cable path`)
    const rows = await this.query<{ id: number; found: string }>(sql`
      select t.id, jsonb_build_object(
        'path', p.path, 'is_active', p.is_active, 'is_complete', p.is_complete, 'is_split', p.is_split)::text as found
      from ${table(model)} t join ${table(path.to)} p on p.id = t._path_id
      where t.id = any(${idsOf(question.ids)}::bigint[])`)
    return Object.fromEntries(rows.map(({ id, found }) => [String(id), parseJson(found)]))
  }

  async #file({ source, path }: JsonObject): Promise<string | null> {
    const [row] = await this.service.database.query<{ data: string }>(sql`
      select data from ${table(SYSTEM.dataFile)}
      where source_id = ${Number(source)}::bigint and path = ${String(path)}`)
    return row ? Buffer.from(row.data, 'base64').toString('utf8') : null
  }
}

/** Pairs of owner id and related id, in the order of the related model. */
function pairsOf(step: ToMany, { joins, terms }: Order, ids: readonly number[]): Sql {
  const { from, owner, condition } = relatedRows(step, T)
  const isWanted = allOf(sql`${owner} = any(${ids}::bigint[])`, condition)
  return sql`select ${owner} as owner, t.id from ${from} ${joins} where ${isWanted} order by ${terms}`
}

const idsOf = (value: Json | undefined): number[] =>
  Array.isArray(value) ? value.map(Number).filter(Number.isSafeInteger) : []
