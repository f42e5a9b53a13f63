import type { Json } from '../../../schema/json.ts'
import { sql } from '../../../sql/fragment.ts'
import type { Queryable } from '../../../sql/queryable.ts'
import { deleteFrom, insertInto, table } from '../../../sql/table.ts'

/** A user's stored start page, as JSON texts. */
export interface StoredDashboard extends Record<string, unknown> {
  readonly layout: string
  readonly config: string
}

/** The user's stored dashboard; undefined for users who have the default one. */
export async function readDashboard(queryable: Queryable, user: number): Promise<StoredDashboard | undefined> {
  const [row] = await queryable.query<StoredDashboard>(
    sql`select layout, config from ${table('extras.dashboard')} where user_id = ${user}::bigint`,
  )
  return row
}

/** Stores the user's dashboard. Undefined parts keep their values; in a new dashboard they are empty. */
export async function storeDashboard(
  queryable: Queryable,
  user: number,
  parts: { readonly layout?: Json | undefined; readonly config?: Json | undefined },
): Promise<void> {
  const layout = textOf(parts.layout)
  const config = textOf(parts.config)
  await queryable.execute(sql`
    ${insertInto('extras.dashboard')} as t (user_id, layout, config)
    values (${user}::bigint, ${layout ?? '[]'}::jsonb, ${config ?? '{}'}::jsonb)
    on conflict (user_id) do update set
      layout = coalesce(${layout}::jsonb, t.layout),
      config = coalesce(${config}::jsonb, t.config)`)
}

const textOf = (value: Json | undefined): string | null => (value === undefined ? null : JSON.stringify(value))

/** Removes the user's dashboard, so that the default one is shown. Returns whether there was one. */
export async function removeDashboard(queryable: Queryable, user: number): Promise<boolean> {
  const count = await queryable.execute(sql`${deleteFrom('extras.dashboard')} where user_id = ${user}::bigint`)
  return count > 0
}
