import { type Model, needsTarget } from '../../schema/registry.ts'
import { sql } from '../../sql/fragment.ts'
import type { WriteContext } from '../../write/context.ts'
import { listsOf } from '../../write/empty-row.ts'
import { objectKey } from '../../write/related-object.ts'
import { findReferences, type RowIds } from '../../write/remove/find-dependents.ts'
import { loadRows } from '../../write/rows.ts'
import {
  type Difference,
  emptyDifference,
  remainingReferences,
  removeValues,
  valuesIn,
} from '../difference/difference.ts'
import { deletionsOf, missingKeys, referenceOf } from '../difference/missing-objects.ts'
import { objectsTakenBack } from '../difference/undo-plan.ts'
import { withConsequences } from '../difference/undone-changes.ts'
import { followDeletion, undoneDifference } from '../difference/undone-difference.ts'
import { loadChanges } from '../records/recorded-change.ts'
import { type RestoredValues, recordedNames } from '../records/recorded-row.ts'
import { type BranchConflict, type Decisions, decisionFor, type JudgedConflict, type Keep } from './branch-conflicts.ts'
import type { BranchStates } from './branch-states.ts'
import { rowOf, withChanges } from './overlay-rows.ts'
import { type Reference, referencesIn } from './references.ts'

/** A merge while it is planned: each comparison may add conflicts, whose decisions change the difference. */
export class PlannedMerge {
  readonly context: WriteContext
  readonly states: BranchStates
  readonly difference: Difference = emptyDifference()
  readonly conflicts: JudgedConflict[] = []
  /** Keys of objects that the branch has deleted and that stay on main. */
  readonly kept = new Set<string>()
  /** Keys of objects that stay as they are on main, since rules refuse what the branch makes of them. */
  readonly refused = new Set<string>()
  readonly decisions: Decisions

  constructor(context: WriteContext, states: BranchStates, decisions: Decisions) {
    this.context = context
    this.states = states
    this.decisions = decisions
  }

  /** The side that counts. */
  judge(conflict: BranchConflict): Keep {
    const keep = decisionFor(this.decisions, conflict)
    this.conflicts.push({ ...conflict, keep })
    return keep ?? 'mine'
  }

  /** Leaves out the deletions of these objects, of their parts and of everything that they need: main keeps all of it. */
  async keep(keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return
    const { deleted, changed } = this.difference
    const references = new Map<string, readonly Reference[]>()
    for (const [model, ids] of deleted) {
      for (const row of await loadRows(this.context.service, this.context.transaction, model, [...ids]))
        references.set(objectKey(model.name, row.id), referencesIn(model, row))
    }
    const queue = [...keys]
    for (const key of queue) {
      if (this.kept.has(key)) continue
      this.kept.add(key)
      const { type, id } = referenceOf(key)
      deleted.get(this.context.service.registry.model(type))?.delete(id)
      for (const reference of references.get(key) ?? []) {
        const needed = objectKey(reference.type, reference.id)
        if (references.has(needed)) queue.push(needed)
      }
      for (const [part, list] of references) {
        if (list.some((owner) => owner.isOwned && objectKey(owner.type, owner.id) === key)) queue.push(part)
      }
    }
    // The references that the deletions cleared.
    for (const [model, objects] of changed) {
      for (const [id, values] of objects) {
        const main = this.states.byKey.get(objectKey(model.name, id))?.main ?? {}
        for (const { type, id: target, cleared } of referencesIn(model, rowOf(model, main))) {
          const isCleared = cleared && Object.keys(cleared).every((key) => key in values && values[key] === null)
          if (!isCleared || !this.kept.has(objectKey(type, target))) continue
          removeValues(this.difference, model, id, new Set(Object.keys(cleared)))
        }
      }
    }
  }

  /** Deletes the rows of main that still refer to deleted ones, or clears their references. */
  async followDeletions(): Promise<void> {
    for (let remaining = -1; remaining !== 0; ) {
      const references = await remainingReferences(this.context, this.difference)
      const direct = references.filter(({ referrer }) => referrer.kind !== 'manyToMany')
      remaining = direct.length
      for (const reference of direct) followDeletion(this.difference, reference)
      if (remaining === 0) this.difference.unlinked.splice(0, Infinity, ...references)
    }
  }

  /** The references of new and changed rows. */
  #references() {
    const { created, changed } = this.difference
    return [created as ReadonlyMap<Model, ReadonlyMap<number, RestoredValues>>, changed].flatMap((objects) =>
      [...objects].flatMap(([model, rows]) =>
        [...rows].flatMap(([id, row]) => referencesIn(model, row).map((reference) => ({ model, id, reference }))),
      ),
    )
  }

  /** References of new and changed rows to objects that do not exist, without those to new ones. */
  async missingReferences() {
    const { models } = this.context.service.registry
    const isNew = (type: string, id: number): boolean => {
      const model = models.get(type)
      return model !== undefined && this.difference.created.get(model)?.has(id) === true
    }
    const outside = this.#references().filter(({ reference: { type, id } }) => !isNew(type, id))
    const missing = await missingKeys(
      this.context,
      outside.map(({ reference: { type, id } }) => objectKey(type, id)),
    )
    return outside.filter(({ reference: { type, id } }) => missing.has(objectKey(type, id)))
  }

  /** Takes the reference out of the difference, or leaves out a new object that cannot exist without it. */
  clearReference(model: Model, id: number, { cleared, isOwned, field }: Reference): void {
    const created = this.difference.created.get(model)
    const row = created?.get(id)
    if (row) {
      if (cleared && !isOwned) created?.set(id, { ...row, ...cleared })
      else this.leaveOut([objectKey(model.name, id)])
      return
    }
    removeValues(this.difference, model, id, new Set([field, ...Object.keys(cleared ?? {})]))
  }

  /** Leaves out new objects, with everything of the branch that cannot exist without them. */
  leaveOut(keys: readonly string[]): void {
    const { created } = this.difference
    const queue = new Set(keys)
    for (const key of queue) {
      const { type, id } = referenceOf(key)
      created.get(this.context.service.registry.model(type))?.delete(id)
      for (const { model, id: referring, reference } of this.#references()) {
        if (objectKey(reference.type, reference.id) !== key) continue
        const isNew = created.get(model)?.has(referring) === true
        if (isNew && (reference.isOwned || !reference.cleared)) queue.add(objectKey(model.name, referring))
        else this.clearReference(model, referring, reference)
      }
    }
  }

  /**
   * Restores objects that main has deleted, and everything that was deleted together with them. Returns whether the
   * difference has new objects now.
   */
  async restore(keys: readonly string[]): Promise<boolean> {
    const deletions = [...(await deletionsOf(this.context, keys)).values()]
    if (deletions.length === 0) return false
    const { service, transaction } = this.context
    const requests = new Set(deletions.map(({ request_id: request }) => request))
    const records = await loadChanges(transaction, sql`t.request_id = any(${[...requests]}::uuid[])`)
    const names = await recordedNames({ ...service, database: { ...service.database, ...transaction } })
    const ids = new Set(
      deletions.flatMap((change) =>
        withConsequences(
          service.registry,
          change,
          records.filter(({ request_id: request }) => request === change.request_id),
          names,
        ).map(({ id }) => id),
      ),
    )
    const changes = records.filter(({ id }) => ids.has(id))
    const former = await undoneDifference({
      context: this.context,
      changes,
      names,
      message: '',
      removed: new Set<string>(),
      restored: objectsTakenBack(changes, 'delete'),
    })
    let hasNew = false
    for (const [model, rows] of former.created) {
      const present = valuesIn(this.difference.created, model)
      const ids = [...rows.keys()].filter((id) => !present.has(id))
      const absent = await missingKeys(
        this.context,
        ids.map((id) => objectKey(model.name, id)),
      )
      for (const [id, row] of rows) {
        const branchRow = present.get(id)
        if (branchRow) present.set(id, { ...branchRow, ...this.#restoredLists(model, id, row) })
        else if (absent.has(objectKey(model.name, id))) {
          present.set(id, row)
          hasNew = true
        }
      }
    }
    for (const [model, rows] of former.changed) {
      const present = valuesIn(this.difference.changed, model)
      for (const [id, values] of rows) present.set(id, { ...values, ...present.get(id) })
    }
    return hasNew
  }

  /** The lists of an object before main deleted it, with the changes of the branch. */
  #restoredLists(model: Model, id: number, former: RestoredValues): RestoredValues {
    const pairs = Map.groupBy(
      this.states.pairs.filter((pair) => pair.model === model && pair.id === id),
      ({ list }) => list,
    )
    return Object.fromEntries(listsOf(model).map((list) => [list, withChanges(former[list], pairs.get(list) ?? [])]))
  }

  /** Number of main's objects that cannot exist without the object and that the branch keeps. */
  async countDependents(model: Model, id: number): Promise<number> {
    const { deleted } = this.difference
    const reached = new Set<string>()
    for (let level: RowIds = new Map([[model, new Set([id])]]); level.size > 0; ) {
      const next = new Map<Model, Set<number>>()
      for (const { referrer, id } of await findReferences(this.context, level)) {
        const key = objectKey(referrer.model.name, id)
        if (!needsTarget(referrer) || reached.has(key) || deleted.get(referrer.model)?.has(id)) continue
        reached.add(key)
        next.set(referrer.model, (next.get(referrer.model) ?? new Set()).add(id))
      }
      level = next
    }
    const { registry } = this.context.service
    return [...reached].filter((key) => registry.model(referenceOf(key).type).path !== '').length
  }
}
