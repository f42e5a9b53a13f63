import { OPEN } from '../../db/branches/branch-database.ts'
import type { Actor } from '../../identity/actor.ts'
import { mayAct, permittedRowsOrNone } from '../../identity/permitted-rows.ts'
import type { Branch } from '../../read/branches/branch-service.ts'
import { cachedResult } from '../../read/query/cached-column.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { Service } from '../../service.ts'
import { empty, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'

/** The open branches that the actor may view, by name. `service`: that of main. */
export async function openBranches(service: Service, actor: Actor): Promise<readonly Branch[]> {
  const model = service.registry.model(SYSTEM.branch)
  if (!mayAct(actor, 'view', model, service.settings)) return []
  const permitted = permittedRowsOrNone(actor, 'view', model, service.settings)
  const rows = await cachedResult(
    service,
    sql`select t.id, t.name, t.schema_id, t.last_sync from ${table(model)} t
      where t.status = ${OPEN} and t.schema_id is not null${permitted === 'all' ? empty : sql` and ${permitted}`} order by t.name`,
  )
  return rows.map(([id, name, schemaId, lastSync]) => ({
    ...{ id: Number(id), name: String(name), status: OPEN, schemaId: String(schemaId) },
    lastSync: lastSync === null ? null : String(lastSync),
  }))
}
