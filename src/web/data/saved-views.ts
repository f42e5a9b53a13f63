import type { ApiRequest } from '../../api/api-request.ts'
import { permittedRowsOrNone } from '../../identity/permitted-rows.ts'
import { T } from '../../read/query/alias.ts'
import { cachedResult } from '../../read/query/cached-column.ts'
import { columnOf } from '../../read/query/column.ts'
import { NO_ROWS } from '../../read/query/row-predicate.ts'
import { isJsonObject, type Json, parseJson } from '../../schema/json.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'

/** Parameter with the view in which a list is shown. */
export const VIEW = 'view_id'

/** The query of the list that a view shows: its parameters, and its id, which chooses its columns. */
export function queryOfView(id: number, parameters: Json | undefined): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(isJsonObject(parameters) ? parameters : {})) {
    for (const part of [value].flat()) if (part !== null) query.append(name, String(part))
  }
  query.set(VIEW, String(id))
  return `?${query}`
}

/** A saved view as an entry of the menu. */
interface ViewLink {
  readonly label: string
  /** Path and query of its list. */
  readonly path: string
}

/** Maximum number of views in the menu. */
const MOST = 10

/** The views that the user may use, of lists that have a page. */
export async function viewLinks({ service, actor }: ApiRequest): Promise<readonly ViewLink[]> {
  if (actor.kind !== 'user') return []
  const { registry, settings } = service
  const model = registry.model(SYSTEM.savedView)
  const permitted = permittedRowsOrNone(actor, 'view', model, settings)
  if (permitted === NO_ROWS) return []
  // Superusers may view those of all users, but use only their own and shared ones.
  const usable = model.definition.visible?.(columnOf(model, T), actor.id) ?? sql`true`
  const rows = await cachedResult(
    service,
    sql`select t.id, t.name, t.object_type, t.parameters::text from ${table(model)} t
      where ${usable} ${permitted === 'all' ? sql`` : sql`and (${permitted})`} order by t.weight, t.name limit ${MOST}`,
  )
  return rows.flatMap(([id, name, type, parameters]) => {
    const listed = registry.models.get(String(type))
    const list = listed && pagePathOf(listed)
    const query = queryOfView(Number(id), parseJson(String(parameters)) as Json) // a column of JSON
    return list === undefined ? [] : [{ label: String(name), path: `${list}${query}` }]
  })
}
