import type { Model } from '../../schema/registry.ts'
import { identifier, type Sql, sql } from '../../sql/fragment.ts'

/** Columns with the time of the last save, the best first. */
export const VERSION_COLUMNS = ['last_updated', 'created'] as const

/** SQL of the time when the row `t` was last saved, which identifies its version; null for models without one. */
export function rowVersion(model: Model): Sql {
  const columns = VERSION_COLUMNS.flatMap((key) => model.columns.get(key) ?? [])
  if (columns.length === 0) return sql`null`
  const [first, second] = columns.map(({ name }) => sql`t.${identifier(name)}`)
  return second ? sql`coalesce(${first}, ${second})` : sql`${first}`
}
