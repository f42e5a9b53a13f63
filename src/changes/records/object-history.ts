import { notFound } from '../../base/errors.ts'
import type { Actor } from '../../identity/actor.ts'
import { permittedRowsOrNone } from '../../identity/permitted-rows.ts'
import { andIn, NO_ROWS } from '../../read/query/row-predicate.ts'
import { className } from '../../schema/class-name.ts'
import type { Model } from '../../schema/registry.ts'
import type { Service } from '../../service.ts'
import { empty, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { type ChangeSummary, changeSummary } from './change-text.ts'
import { selectChanges } from './recorded-change.ts'
import { permittedChanges, visiblePartsOf } from './visible-changes.ts'

/** The changes of one object that a reader requests. */
interface HistoryQuery {
  readonly id: number
  /** Only changes of this field. */
  readonly field: string | undefined
  /** Start of URLs. */
  readonly base: string
}

/**
 * The changes of an object that the actor may see, the latest first, each with the changed fields. The object may have
 * been deleted. Throws `notFound` if the actor may see neither the object nor a change of it.
 */
export async function objectHistory(
  service: Service,
  actor: Actor,
  model: Model,
  { id, field, base }: HistoryQuery,
): Promise<readonly ChangeSummary[]> {
  const ofField =
    field === undefined
      ? empty
      : sql`
    and (t.prechange_data -> ${field}::text)::text is distinct from (t.postchange_data -> ${field}::text)::text`
  const changes = await selectChanges(
    service.database,
    sql`t.changed_object_type = ${model.name} and t.changed_object_id = ${id}::bigint
      and ${permittedChanges(service, actor)}${ofField}`,
    sql`t.id desc`,
  )
  const partsOf = await visiblePartsOf(service, actor, changes)
  const summaries = changes.flatMap((change) => {
    const parts = partsOf(change)
    return parts.before || parts.after ? [changeSummary(change, base, parts)] : []
  })
  if (summaries.length === 0 && !(await isVisible(service, actor, model, id))) {
    throw notFound(className(model))
  }
  return field === undefined ? summaries : summaries.map((summary) => onlyField(summary, field))
}

const onlyField = (summary: ChangeSummary, field: string): ChangeSummary => ({
  ...summary,
  changes: Object.fromEntries(Object.entries(summary.changes).filter(([name]) => name === field)),
})

async function isVisible({ database, settings }: Service, actor: Actor, model: Model, id: number): Promise<boolean> {
  const rows = permittedRowsOrNone(actor, 'view', model, settings)
  if (rows === NO_ROWS) return false
  const matching = await database.query(
    sql`select t.id from ${table(model)} t where t.id = ${id}::bigint${andIn(rows)}`,
  )
  return matching.length > 0
}
