import type { PermissionAction as Permission } from '../../identity/actor.ts'
import { permittedRows, requirePermission } from '../../identity/permitted-rows.ts'
import { andIn } from '../../read/query/row-predicate.ts'
import type { Model } from '../../schema/registry.ts'
import { type Sql, sql } from '../../sql/fragment.ts'
import type { Queryable, Row } from '../../sql/queryable.ts'
import { table } from '../../sql/table.ts'
import type { ApiRequest } from '../api-request.ts'
import { noSuchObject } from '../verbs/object-id.ts'

interface TargetOptions {
  /** SQL of further columns over alias `t`, with a leading comma. */
  readonly columns?: Sql
  /** Permission that is required for the row; other rows count as missing. */
  readonly permission?: Permission
  /** For reads inside a transaction. */
  readonly queryable?: Queryable
}

/**
 * The object named by the path's first parameter. Throws `notFound` if there is none that the user may view, and
 * `forbidden` for a user who may view none at all.
 */
export async function findTarget<T extends Row = Row>(
  { service, actor, parameters }: ApiRequest,
  modelName: string,
  { columns = sql``, permission = 'view', queryable = service.database }: TargetOptions = {},
): Promise<T & { readonly id: number }> {
  const model = service.registry.model(modelName)
  const permitted = permittedRows(actor, permission, model, service.settings)
  const id = idOf(parameters[0], model)
  const [row] = await queryable.query<T & { readonly id: number }>(
    sql`select t.id ${columns} from ${table(model)} t where t.id = ${id}::bigint${andIn(permitted)}`,
  )
  if (!row) throw noSuchObject(model)
  return row
}

/**
 * Condition on the rows `t` of a model that the user may view, after others: empty, or beginning with `and`. Throws
 * `forbidden` for a user who may view none at all.
 */
export function andVisible({ service, actor }: ApiRequest, modelName: string): Sql {
  const model = service.registry.model(modelName)
  requirePermission(actor, 'view', model, service.settings)
  return andIn(permittedRows(actor, 'view', model, service.settings))
}

function idOf(text: string | undefined, model: Model): number {
  const id = text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : 0
  if (id === 0) throw noSuchObject(model)
  return id
}
