import type { Scope } from '../../auth/restrict.ts'
import { readObjects } from '../../output/read-objects.ts'
import type { Shape } from '../../output/shape.ts'
import { stampOf } from '../../output/stamp.ts'
import { recall } from '../../output/text-memory.ts'
import type { Service } from '../../service.ts'
import { identifier, sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { etagOf } from '../transport/etag.ts'

export interface FoundObject {
  readonly etag: string | undefined
  readonly json: Buffer
}

/** One object as the shape shows it, read through `queryable`; undefined where there is none. */
export async function readObject(
  service: Service,
  queryable: Queryable,
  shape: Shape,
  { id, base }: { readonly id: number; readonly base: string },
): Promise<FoundObject | undefined> {
  const shown = (await readObjects(service, queryable, [id], shape, base)).get(id)
  return shown && { etag: etagOf(shown.stamp), json: shown.json }
}

/**
 * The version of an object within the scope, without what it shows: `etag` is undefined for models
 * that have none, the whole answer where there is no such object.
 */
export async function readVersion(
  service: Service,
  shape: Shape,
  { id, scope, base }: { readonly id: number; readonly scope: Scope; readonly base: string },
): Promise<Pick<FoundObject, 'etag'> | undefined> {
  const known = scope === 'all' ? recall(service, shape, base, id) : undefined
  if (known) return { etag: etagOf(known.stamp) }
  const { model } = shape
  const within = scope === 'all' ? sql`` : sql` and (${scope})`
  const [row] = await service.database.queryArrays(
    sql`select ${stampOf(model)} from ${identifier(model.table)} t where t.id = ${id}::bigint${within}`,
  )
  return row && { etag: etagOf(row[0]) }
}
