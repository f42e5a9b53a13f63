import type { Scope } from '../auth/restrict.ts'
import type { Shape } from '../output/shape.ts'
import { writeRows } from '../output/write-rows.ts'
import type { Service } from '../query/service.ts'
import { identifier, sql } from '../sql/fragment.ts'
import type { Queryable } from '../sql/queryable.ts'
import { etagOf, stampOf } from './etag.ts'

export interface FoundObject {
  /** JSON text. */
  readonly text: string
  readonly etag: string | undefined
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
  const [text] = await writeRows(service, shape, rows, base, queryable)
  return text === undefined ? undefined : { text, etag: etagOf(rows[0]?.at(-1)) }
}
