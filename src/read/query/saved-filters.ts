import { SYSTEM } from '../../schema/system-models.ts'
import { sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { table } from '../../sql/table.ts'
import { applyRowSecurity, type RowSecurity } from './row-security.ts'

interface SavedFilter extends Record<string, unknown> {
  /** JSON: parameter → value or list of values. */
  readonly parameters: string
}

/**
 * The parameters with those of the saved filters that `filter` (slugs) and `filter_id` name: of those that
 * the user may see, shared ones and the user's own; others are ignored. Values of one parameter are combined.
 */
export async function withSavedFilters(
  security: RowSecurity,
  database: Queryable,
  search: URLSearchParams,
  user: number | undefined,
): Promise<URLSearchParams> {
  const slugs = search.getAll('filter')
  const ids = search.getAll('filter_id').filter((id) => /^\s*\d{1,18}\s*$/.test(id))
  if (slugs.length === 0 && ids.length === 0) return search
  const model = security.registry.model(SYSTEM.savedFilter)
  const statement = sql`
    select f.parameters from ${table(model)} f
    where (f.slug = any(${slugs}::text[]) or f.id = any(${ids.map((id) => id.trim())}::bigint[]))
      and (f.shared or f.user_id = ${user ?? null}::bigint)
    order by f.id`
  const found = await database.query<SavedFilter>(applyRowSecurity(security, statement))
  const merged = new URLSearchParams(search)
  for (const { parameters } of found) {
    const saved = JSON.parse(parameters) as Readonly<Record<string, unknown>>
    for (const [name, value] of Object.entries(saved)) {
      for (const each of Array.isArray(value) ? value : [value]) merged.append(name, String(each))
    }
  }
  return merged
}
