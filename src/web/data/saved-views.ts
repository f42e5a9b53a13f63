import type { ApiRequest } from '../../api/api-request.ts'
import { permittedRowsOrNone } from '../../identity/permitted-rows.ts'
import { T } from '../../read/query/alias.ts'
import { cachedResult } from '../../read/query/cached-column.ts'
import { columnOf } from '../../read/query/column.ts'
import { NO_ROWS } from '../../read/query/row-predicate.ts'
import { isJsonObject, type Json, parseJson, stringsIn } from '../../schema/json.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'

/** Parameter with the view in which a list is shown. */
export const VIEW = 'view_id'

/** A saved view that the sender of a request may use. */
interface UsableView {
  readonly id: number
  readonly name: string
  /** Name of the model whose list it shows. */
  readonly type: string
  readonly columns: readonly string[]
  /** Query of the list in this view. */
  readonly query: string
}

/** Maximum number of views that are read, and of those in the menu. */
const MOST_READ = 500
const MOST_LINKS = 10

/** The views of all lists that the sender may use, in their order. */
export async function usableViews({ service, actor }: ApiRequest): Promise<readonly UsableView[]> {
  const model = service.registry.model(SYSTEM.savedView)
  const permitted = permittedRowsOrNone(actor, 'view', model, service.settings)
  if (permitted === NO_ROWS) return []
  // Superusers may view those of all users, but use only their own and shared ones.
  const user = actor.kind === 'user' ? actor.id : undefined
  const usable = model.definition.visible?.(columnOf(model, T), user) ?? sql`true`
  const rows = await cachedResult(
    service,
    sql`select t.id, t.name, t.object_type, t.columns, t.parameters::text from ${table(model)} t
      where ${usable} ${permitted === 'all' ? sql`` : sql`and (${permitted})`}
      order by t.weight, t.name limit ${MOST_READ}`,
  )
  return rows.map(([id, name, type, columns, parameters]) => ({
    id: Number(id),
    name: String(name),
    type: String(type),
    columns: stringsIn(columns),
    query: queryOfView(Number(id), parseJson(String(parameters)) as Json), // a column of JSON
  }))
}

/** The query of the list that a view shows: its parameters, and its id, which chooses its columns. */
function queryOfView(id: number, parameters: Json): string {
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

/** The first views that the user may use, of lists that have a page. */
export async function viewLinks(request: ApiRequest): Promise<readonly ViewLink[]> {
  if (request.actor.kind !== 'user') return []
  const { models } = request.service.registry
  const views = await usableViews(request)
  return views
    .flatMap(({ name, type, query }) => {
      const listed = models.get(type)
      const list = listed && pagePathOf(listed)
      return list === undefined ? [] : [{ label: name, path: `${list}${query}` }]
    })
    .slice(0, MOST_LINKS)
}
