import { ApiError, forbidden, invalid, notFound } from '../../base/errors.ts'
import type { User } from '../../identity/actor.ts'
import type { Service } from '../../service.ts'
import { sql } from '../../sql/fragment.ts'
import type { WriteRequest } from '../../write/context.ts'
import { UndoConflicts } from '../difference/conflict.ts'
import { withConsequences } from '../difference/undone-changes.ts'
import { loadChanges, type RecordedChange } from '../records/recorded-change.ts'
import { recordedNames } from '../records/recorded-row.ts'
import { isWhollyVisible, permittedChanges, visiblePartsOf } from '../records/visible-changes.ts'
import { type ConflictDocument, conflictDocuments } from './conflict-document.ts'
import { strippedModels } from './revert-effects.ts'
import { type Undone, undoChanges } from './undo.ts'

/** The changes to undo: one, or all of a request. */
export type UndoTarget = { readonly change: number } | { readonly request: string }

interface UndoOptions extends WriteRequest {
  readonly actor: User
  /** Message for the change records; by default it names the target. */
  readonly message: string
  /** Start of URLs. */
  readonly base: string
}

/**
 * Undoes the target. Throws `notFound` for changes that the user may not view, `forbidden` if they have to be undone
 * together with others or the user may not make the inverse changes, and `conflict` with the list of conflicts.
 */
export async function undoTarget(service: Service, target: UndoTarget, options: UndoOptions): Promise<Undone> {
  const names = await recordedNames(service)
  const { change, request } = await findTarget(service, options.actor, target)
  const changes = change ? withConsequences(service.registry, change, request, names) : request
  await requireWholeView(service, options.actor, changes)
  // Past versions of rows, which have these values, are those of main.
  if (service.branch && changes.some((candidate) => strippedModels(candidate, names).length > 0)) throw VALUES_ARE_LOST
  try {
    return await undoChanges(service, {
      ...options,
      changes,
      names,
      isComplete: change?.action !== 'update',
      message: options.message === '' ? defaultMessage(target) : options.message,
    })
  } catch (error) {
    if (!(error instanceof UndoConflicts)) throw error
    throw refusal(await conflictDocuments(service, options, error.conflicts))
  }
}

const VALUES_ARE_LOST = invalid({
  __all__: 'The removal of a custom field cannot be undone in a branch, because branches do not keep its values.',
})

const defaultMessage = (target: UndoTarget): string =>
  'change' in target ? `Undo of change ${target.change}` : `Undo of request ${target.request}`

const refusal = (conflicts: readonly ConflictDocument[]): ApiError =>
  new ApiError({
    kind: 'conflict',
    detail: `The undo would conflict with the present state: ${conflicts.map(({ detail }) => detail).join(' ')}`,
    conflicts,
  })

interface FoundTarget {
  readonly change: RecordedChange | undefined
  /** All changes of the request. */
  readonly request: readonly RecordedChange[]
}

async function findTarget(service: Service, actor: User, target: UndoTarget): Promise<FoundTarget> {
  const { database, registry } = service
  const permitted = permittedChanges(service, actor)
  const isTarget =
    'change' in target ? sql`t.id = ${target.change}::bigint` : sql`t.request_id = ${target.request}::uuid`
  const recorded = await loadChanges(database, sql`${isTarget} and ${permitted}`)
  const applicable = recorded.filter(({ type }) => registry.models.has(type))
  const partsOf = await visiblePartsOf(service, actor, applicable)
  const visible = applicable.filter((change) => {
    const { before, after } = partsOf(change)
    return before || after
  })
  const [first] = visible
  if (!first) throw notFound('object change')
  const request = await loadChanges(database, sql`t.request_id = ${first.request_id}::uuid`)
  return { change: 'change' in target ? first : undefined, request }
}

/**
 * Throws `forbidden` unless the user may view all data of the changes: an undo must not reveal hidden data or decide
 * about it.
 */
async function requireWholeView(service: Service, actor: User, changes: readonly RecordedChange[]): Promise<void> {
  const ids = changes.map(({ id }) => id)
  const permitted = await loadChanges(
    service.database,
    sql`t.id = any(${ids}::bigint[]) and ${permittedChanges(service, actor)}`,
  )
  const partsOf = await visiblePartsOf(service, actor, permitted)
  const whole = permitted.filter((change) => isWhollyVisible(change, partsOf(change)))
  if (whole.length < changes.length) throw forbidden()
}
