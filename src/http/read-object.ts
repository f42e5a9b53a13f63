import type { Scope } from '../auth/restrict.ts'
import type { Shape } from '../output/shape.ts'
import { writeRows } from '../output/write-rows.ts'
import type { Service } from '../query/service.ts'
import { identifier, sql } from '../sql/fragment.ts'
import type { Queryable } from '../sql/queryable.ts'
import { etagOf, stampOf } from './etag.ts'

export interface FoundObject {
  readonly etag: string | undefined
  /** JSON text; what the object refers to is read only then. */
  text(): Promise<string>
}

/** One object as the shape shows it, read through `queryable`; undefined outside the scope. */
export async function readObject(
  service: Service,
  queryable: Queryable,
  shape: Shape,
  { id, scope, base }: { readonly id: number; readonly scope: Scope; readonly base: string },
): Promise<FoundObject | undefined> {
  const { model } = shape
  const within = scope === 'all' ? sql`` : sql` and (${scope})`
  const rows = await queryable.queryArrays(
    sql`select ${shape.select}, ${stampOf(model)} from ${identifier(model.table)} t where t.id = ${id}::bigint${within}`,
  )
  const [row] = rows
  if (!row) return undefined
  const text = async () => (await writeRows(service, shape, [row], base, queryable))[0] ?? ''
  return { etag: etagOf(row.at(-1)), text }
}
