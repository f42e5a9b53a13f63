import type { ApiRequest } from '../../api/api-request.ts'
import { bodyText, wholeResponse } from '../../api/response.ts'
import { listObjects } from '../../api/verbs/list.ts'
import { mayAct, rowSecurityOf } from '../../identity/permitted-rows.ts'
import { compileExpression } from '../../read/expression/compile-expression.ts'
import { textOfValue } from '../../read/expression/functions.ts'
import { ExpressionError } from '../../read/expression/parse-expression.ts'
import { T } from '../../read/query/alias.ts'
import { cachedResult } from '../../read/query/cached-column.ts'
import { columnOf } from '../../read/query/column.ts'
import { compileFilters } from '../../read/query/compile-filters.ts'
import { applyRowSecurity } from '../../read/query/row-security.ts'
import type { JsonObject } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'
import { join, type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'

/** What the sender of a request may read; models by their names. */
export interface Reader {
  /**
   * The rows of a query over tables, each a list of its columns. Rows that the sender may not view do not exist for it,
   * and references to them are null.
   */
  rows<Row extends readonly unknown[] = unknown[]>(statement: Sql): Promise<readonly Row[]>
  /**
   * The condition on the rows `t` of a model that the parameters of its list set; undefined if they filter nothing. For a
   * statement of `rows`. Throws `invalid` for parameters that cannot be used.
   */
  condition(model: string, parameters: URLSearchParams): Promise<Sql | undefined>
  /**
   * The values of expressions as texts, empty for null, by the ids of the objects that the sender may view. Only the
   * first `longest` characters of each. Throws for expressions that have a problem.
   */
  values(
    model: string,
    ids: readonly number[],
    expressions: readonly string[],
    limit: { readonly longest: number },
  ): Promise<ReadonlyMap<number, readonly string[]>>
  /** All objects of a model's list with these parameters, as the API shows them. Throws what the list throws. */
  objects(model: string, parameters: URLSearchParams): Promise<readonly JsonObject[]>
}

/** The problem of an expression over the fields of a model; undefined if it can be computed. */
export function expressionProblem(model: Model, expression: string): string | undefined {
  try {
    compileExpression(model, expression)
    return undefined
  } catch (error) {
    if (error instanceof ExpressionError) return error.message
    throw error
  }
}

/** Objects that are read at a time. */
const PAGE = 1_000

/** Reads with the permissions of the sender. */
export function readerOf(request: ApiRequest): Reader {
  const { service, actor } = request
  const { registry, settings } = service
  const security = rowSecurityOf(actor, registry, settings)
  const user = actor.kind === 'user' ? actor.id : undefined
  const limit = settings.maxPageSize === 0 ? PAGE : Math.min(PAGE, settings.maxPageSize)
  return {
    rows: async <Row extends readonly unknown[]>(statement: Sql) => {
      const rows: readonly (readonly unknown[])[] = await cachedResult(service, applyRowSecurity(security, statement))
      return rows as readonly Row[] // the columns of the statement, which the caller wrote
    },
    condition: (model, parameters) =>
      compileFilters(service, registry.model(model), parameters, security.visibleRows, user),
    values: async (name, ids, expressions, { longest }) => {
      const model = registry.model(name)
      const mayView = (viewed: Model) => mayAct(actor, 'view', viewed, settings)
      const column = columnOf(model, T)
      const columns = expressions.map((expression) => {
        const { type, sql: value } = compileExpression(model, expression, mayView)
        return sql`coalesce(left(${textOfValue({ type, sql: value(column) })}, ${longest}::integer), '')`
      })
      const statement = sql`
        select ${join([sql`t.id`, ...columns])} from ${table(model)} t where t.id = any(${ids}::bigint[])`
      // Not cached: the cache counts no bytes of texts.
      const rows = await service.database.queryArrays(applyRowSecurity(security, statement))
      return new Map(rows.map(([id, ...values]) => [Number(id), values.map(String)]))
    },
    objects: async (name, parameters) => {
      const model = registry.model(name)
      const objects: JsonObject[] = []
      for (let offset = 0; ; offset += limit) {
        const search = new URLSearchParams(parameters)
        search.set('limit', String(limit))
        search.set('offset', String(offset))
        const response = await wholeResponse(await listObjects({ ...request, search }, model))
        const { results, next } = JSON.parse(bodyText(response))
        objects.push(...results)
        if (next === null) return objects
      }
    },
  }
}
