import type { Actor } from '../../identity/actor.ts'
import { rowSecurityOf } from '../../identity/permitted-rows.ts'
import { T } from '../../read/query/alias.ts'
import { displayOf } from '../../read/query/display.ts'
import { applyRowSecurity } from '../../read/query/row-security.ts'
import type { Service } from '../../service.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { type ObjectReference, objectKey } from '../../write/related-object.ts'
import { type Conflict, type ConflictReason, textOf } from '../difference/conflict.ts'
import { loadChanges, type RecordedChange } from '../records/recorded-change.ts'
import { permittedChanges, visiblePartsOf } from '../records/visible-changes.ts'

/** A conflict as the user sees it. */
export interface ConflictDocument {
  readonly reason: ConflictReason
  readonly detail: string
  readonly object_type: string
  readonly object_id: number
  readonly field: string | null
  /** The other object; null if the user may not view it. */
  readonly other: {
    readonly object_type: string
    readonly object_id: number
    readonly display: string
  } | null
  /** The change that causes the conflict; null if there is no record of it, or the user may not view it. */
  readonly change: ChangeDocument | null
}

interface ChangeDocument {
  readonly id: number
  readonly url: string
  readonly time: string
  readonly user_name: string
  readonly request_id: string
  readonly action: string
  readonly object_repr: string
  readonly message: string
}

/** The conflicts in order, each once, without anything that the actor may not view. */
export async function conflictDocuments(
  service: Service,
  { actor, base }: { readonly actor: Actor; readonly base: string },
  conflicts: readonly Conflict[],
): Promise<readonly ConflictDocument[]> {
  const causes = await visibleCauses(service, actor, conflicts)
  const names = await visibleNames(
    service,
    actor,
    conflicts.flatMap(({ other }) => other ?? []),
  )
  const documents = conflicts.map((conflict): ConflictDocument => {
    const { reason, object, field = null, other } = conflict
    const display = other && names.get(objectKey(other.type, other.id))
    const isHidden = other !== undefined && reason !== 'missing' && display === undefined
    const cause = isHidden ? undefined : causes.get(conflict.cause ?? 0)
    return {
      reason,
      detail: sentenceOf(service, conflict, display),
      object_type: object.type,
      object_id: object.id,
      field,
      other:
        other === undefined || isHidden
          ? null
          : { object_type: other.type, object_id: other.id, display: display ?? '' },
      change: cause ? changeDocument(cause, base) : null,
    }
  })
  return [...new Map(documents.map((document) => [JSON.stringify(document), document])).values()]
}

function sentenceOf(
  { registry }: Service,
  { reason, object, field, other, messages }: Conflict,
  display: string | undefined,
): string {
  const label = (reference: ObjectReference) =>
    registry.models.get(reference.type)?.definition.labels[0] ?? reference.type
  const objectName = `${label(object)} ${object.id}`
  switch (reason) {
    case 'changed':
      return `The field ${field} of ${objectName} has been changed since.`
    case 'gone':
      return `The ${objectName} no longer exists.`
    case 'exists':
      return `There is already a ${objectName}.`
    case 'missing':
      return `The ${other ? `${label(other)} ${other.id}` : 'object'} to which ${objectName} refers no longer exists.`
    case 'duplicate':
      return display === undefined
        ? `A value of ${objectName} cannot be used.`
        : `Values of ${objectName} now belong to ${display}.`
    case 'referenced':
      return display === undefined
        ? `An object that you may not view refers to ${objectName}.`
        : `The ${other ? label(other) : 'object'} ${display} refers to ${objectName}.`
    case 'refused':
      return `The ${objectName} is not valid as it was: ${textOf(messages)}`
  }
}

const changeDocument = (change: RecordedChange, base: string): ChangeDocument => ({
  id: change.id,
  url: `${base}/api/core/object-changes/${change.id}/`,
  time: change.time,
  user_name: change.user_name,
  request_id: change.request_id,
  action: change.action,
  object_repr: change.object_repr,
  message: change.message,
})

/** The changes that cause the conflicts and that the actor may see, by id. */
async function visibleCauses(
  service: Service,
  actor: Actor,
  conflicts: readonly Conflict[],
): Promise<ReadonlyMap<number, RecordedChange>> {
  const ids = conflicts.flatMap(({ cause }) => cause ?? [])
  if (ids.length === 0) return new Map()
  const changes = await loadChanges(
    service.database,
    sql`t.id = any(${ids}::bigint[]) and ${permittedChanges(service, actor)}`,
  )
  const partsOf = await visiblePartsOf(service, actor, changes)
  const visible = changes.filter((change) => {
    const { before, after } = partsOf(change)
    return after || (change.action === 'delete' && before)
  })
  return new Map(visible.map((change) => [change.id, change]))
}

/** Display texts of the objects that the actor may view, by their keys. */
async function visibleNames(
  service: Service,
  actor: Actor,
  objects: readonly ObjectReference[],
): Promise<ReadonlyMap<string, string>> {
  const { registry, settings, database } = service
  const security = rowSecurityOf(actor, registry, settings)
  const names = new Map<string, string>()
  for (const [type, list] of Map.groupBy(objects, (object) => object.type)) {
    const model = registry.models.get(type)
    if (!model) continue
    const rows = await database.query<{ id: number; display: string }>(
      applyRowSecurity(
        security,
        sql`select t.id, ${displayOf(model, T)} as display from ${table(model)} t
          where t.id = any(${list.map(({ id }) => id)}::bigint[])`,
      ),
    )
    for (const { id, display } of rows) names.set(objectKey(type, id), display)
  }
  return names
}
