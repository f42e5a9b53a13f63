import { readingBranch } from '../../db/branches/branch-database.ts'
import type { Json } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { identifier, sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { table } from '../../sql/table.ts'
import type { WriteContext } from '../../write/context.ts'
import { isDerived } from '../../write/record/undo-data.ts'
import { objectKey } from '../../write/remove/dependent-rows.ts'
import { actionOf, findReferences, type RowIds } from '../../write/remove/find-dependents.ts'
import { asIds, type DraftRow, loadRows, type StoredRow } from '../../write/rows.ts'
import { listsOf } from '../../write/save/empty-row.ts'
import { checkTrees } from '../../write/save/hierarchy.ts'
import { namesakesOf } from '../../write/validate/unique.ts'
import {
  addValues,
  type Difference,
  emptyDifference,
  markDeleted,
  remainingReferences,
  valuesIn,
} from '../difference.ts'
import { draftOf } from '../drafts.ts'
import { missingKeys } from '../missing-objects.ts'
import { hasSameValue, loadChanges } from '../recorded-change.ts'
import type { RestoredValues } from '../recorded-row.ts'
import { recordedNames } from '../undo.ts'
import { objectsTakenBack } from '../undo-plan.ts'
import { withConsequences } from '../undone-changes.ts'
import { followDeletion, goesWithTarget, isIndependent, undoneDifference } from '../undone-difference.ts'
import { type BranchConflict, type Keep, stateOf } from './branch-conflicts.ts'
import {
  type ComparedValue,
  changedValues,
  editCustomValues,
  hasMainChanged,
  isContested,
  referencesIn,
} from './compare.ts'
import { type CustomFieldNames, customFieldNames, storedFields, valuesOnMain } from './custom-values.ts'
import { type ListedPair, listedPairs, type OverlayRow, overlayRows, rowOf } from './overlay-rows.ts'

/** A conflict with the decision about it. */
export interface JudgedConflict extends BranchConflict {
  readonly keep: Keep | undefined
}

/** What a merge makes of main. */
export interface BranchDifference {
  readonly difference: Difference
  readonly conflicts: readonly JudgedConflict[]
  /** The rows of the branch, with main's. */
  readonly rows: readonly OverlayRow[]
}

/** The branch, when it was created and last synchronised. */
export interface ComparedBranch {
  readonly id: number
  readonly created: string
  readonly lastSync: string | null
}

/**
 * The net difference between a branch and main, and the conflicts: one function for the list of conflicts, the
 * rehearsal, the merge and the synchronisation. Compares three states of each row, by ids. `decide` returns what has
 * been decided about a conflict; while it is undecided, the branch's values count. `lock`: locks main's rows before
 * they are compared.
 */
export async function compareBranch(
  context: WriteContext,
  branch: ComparedBranch,
  decide: (conflict: BranchConflict) => Keep | undefined,
  { lock }: { readonly lock: boolean },
): Promise<BranchDifference> {
  const { service, transaction } = context
  const rows = await overlayRows(transaction, service.registry, branch.id, { lock })
  const pairs = await listedPairs(transaction, service.registry, branch.id)
  const mains = await storedFields(transaction, branch.created)
  const { own, fields } = await readingBranch(transaction, branch.id, async (reader) => ({
    own: await rowsInBranch(context, reader, rows),
    fields: await storedFields(reader, branch.created),
  }))
  const names = customFieldNames(mains, fields, namesOfMain(rows, decide))
  const comparison = new Comparison(context, { branch, rows, pairs, own, names }, decide)
  await comparison.run()
  return { difference: comparison.difference, conflicts: comparison.conflicts, rows }
}

/** Names of the custom fields that the branch has not renamed, or for which main's name is decided, by id. */
function namesOfMain(
  rows: readonly OverlayRow[],
  decide: (conflict: BranchConflict) => Keep | undefined,
): ReadonlyMap<number, string> {
  return new Map(
    rows.flatMap((row) => {
      const { model, id, main, branch } = row
      if (model.name !== SYSTEM.customField || !main || !branch) return []
      const value = changedValues(row, undefined).find(({ field }) => field === 'name')
      const isRenamed = value && !(isContested(value) && decide(conflictAbout(row, value)) === 'theirs')
      return isRenamed ? [] : [[id, String(main.name)] as const]
    }),
  )
}

/** Both sides have changed the value. */
function conflictAbout({ model, id }: OverlayRow, value: ComparedValue): BranchConflict {
  const { field, base, main, branch, isSecret } = value
  const shown = isSecret ? {} : { base, main, branch }
  return { reason: 'changed', type: model.name, id, field, ...shown, state: stateOf(main, branch) }
}

type OwnRows = ReadonlyMap<string, StoredRow>

/** The rows of the branch itself, in the form of the write pipeline. */
async function rowsInBranch(
  { service }: WriteContext,
  reader: Queryable,
  rows: readonly OverlayRow[],
): Promise<OwnRows> {
  const own = new Map<string, StoredRow>()
  for (const [model, list] of Map.groupBy(rows, ({ model: each }) => each)) {
    const ids = list.flatMap(({ branch, id }) => (branch ? id : []))
    for (const row of await loadRows(service, reader, model, ids)) own.set(objectKey(model.name, row.id), row)
  }
  return own
}

interface Compared {
  readonly branch: ComparedBranch
  readonly rows: readonly OverlayRow[]
  readonly pairs: readonly ListedPair[]
  readonly own: OwnRows
  readonly names: CustomFieldNames
}

/** A comparison while it runs: each step may add conflicts, whose decisions change the difference. */
class Comparison {
  readonly difference: Difference = emptyDifference()
  readonly conflicts: JudgedConflict[] = []
  readonly #context: WriteContext
  readonly #compared: Compared
  readonly #decide: (conflict: BranchConflict) => Keep | undefined
  readonly #rows: ReadonlyMap<string, OverlayRow>
  /** Keys of objects that the branch has deleted and that stay on main. */
  readonly #kept = new Set<string>()

  constructor(context: WriteContext, compared: Compared, decide: (conflict: BranchConflict) => Keep | undefined) {
    this.#context = context
    this.#compared = compared
    this.#decide = decide
    this.#rows = new Map(compared.rows.map((row) => [keyOf(row), row]))
  }

  async run(): Promise<void> {
    const deletedOnMain = this.#compareRows()
    await this.#compareDeletions()
    await this.#compareSides()
    await this.#restore(deletedOnMain)
    this.#compareLists()
    await this.#compareReferences()
    await this.#compareTrees()
    await this.#compareUniqueValues()
    await this.#followDeletions()
  }

  /** The side that counts. */
  #judge(conflict: BranchConflict): Keep {
    const keep = this.#decide(conflict)
    this.conflicts.push({ ...conflict, keep })
    return keep ?? 'mine'
  }

  /** Compares values. Returns the objects that main has deleted and that are to be restored. */
  #compareRows(): readonly string[] {
    const restored: string[] = []
    for (const row of this.#compared.rows) {
      const { model, id, base, main, branch } = row
      const own = this.#compared.own.get(keyOf(row))
      if (!branch) {
        if (main) markDeleted(this.difference, model, id)
        continue
      }
      if (!own) continue
      if (!base && !main) {
        valuesIn(this.difference.created, model).set(id, this.#newRow(model, own))
        continue
      }
      const values = changedValues({ ...row, base: base ?? main }, this.#compared.names)
      if (values.length === 0) continue
      if (main) this.#setValues(row, values, own)
      else if (this.#keepsChanges(row, values)) {
        restored.push(keyOf(row))
        valuesIn(this.difference.created, model).set(id, this.#newRow(model, own))
      }
    }
    return restored
  }

  /**
   * The row of the branch as a new one on main: custom fields have their present names, and values that follow from
   * other rows are computed again, since these rows may have changed or be gone.
   */
  #newRow(model: Model, own: StoredRow): DraftRow {
    const row: DraftRow = { ...own }
    for (const column of model.columns.values()) {
      const { key, field } = column
      if (isDerived(model, column)) delete row[key]
      else if (field.kind === 'customFields')
        row[key] = valuesOnMain(this.#compared.names, model.name, own[key] as Record<string, Json>) // by rows.ts
    }
    return row
  }

  #keepsChanges({ model, id }: OverlayRow, values: readonly ComparedValue[]): boolean {
    if (!model.has('changeLogging')) return false
    const state = stateOf(values.map(({ field, branch }) => [field, branch]))
    return this.#judge({ reason: 'deletedOnMain', type: model.name, id, state }) === 'mine'
  }

  #setValues(row: OverlayRow, values: readonly ComparedValue[], own: StoredRow): void {
    const { model, id } = row
    const custom: Record<string, Json> = {}
    const set: Record<string, unknown> = {}
    for (const value of values) {
      const { field, keys, branch } = value
      if (isContested(value) && this.#judge(conflictAbout(row, value)) === 'theirs') continue
      if (field.startsWith(CUSTOM)) custom[field.slice(CUSTOM.length)] = branch
      else for (const key of keys) set[key] = own[key]
    }
    if (Object.keys(custom).length > 0) set.custom_fields = editCustomValues(custom)
    if (Object.keys(set).length > 0) addValues(this.difference, model, id, set)
  }

  /** Deletions of the branch: of objects that main has changed, or to which main refers since. */
  async #compareDeletions(): Promise<void> {
    const { deleted } = this.difference
    if (deleted.size === 0) return
    const references = (await remainingReferences(this.#context, this.difference)).filter(({ referrer }) =>
      isIndependent(referrer),
    )
    const byTarget = Map.groupBy(
      references.filter(({ referrer }) => actionOf(referrer) !== 'unlink'),
      ({ to, target }) => objectKey(to.name, target),
    )
    const keeps: string[] = []
    for (const [model, ids] of deleted) {
      for (const id of model.has('changeLogging') ? ids : []) {
        const key = objectKey(model.name, id)
        const row = this.#rows.get(key)
        const others = (byTarget.get(key) ?? []).map(({ referrer, id: other }) => ({
          type: referrer.model.name,
          id: other,
        }))
        if (others.length === 0 && !(row && hasMainChanged(row))) continue
        const deletes = await this.#countDependents(model, id)
        const state = stateOf(row?.main, others.map(({ type, id: other }) => objectKey(type, other)).sort(), deletes)
        const conflict = { reason: 'deletedInBranch', type: model.name, id, other: others[0], deletes, state } as const
        if (this.#judge(conflict) === 'theirs') keeps.push(key)
      }
    }
    await this.#keep(keeps)
    await this.#followDeletions()
  }

  /** Leaves out deletions, with those of the objects' parts and of what they need, so that main stays as it is. */
  async #keep(keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return
    const { deleted, changed } = this.difference
    const references = new Map<string, ReturnType<typeof referencesIn>>()
    for (const [model, ids] of deleted) {
      for (const row of await loadRows(this.#context.service, this.#context.transaction, model, [...ids]))
        references.set(objectKey(model.name, row.id), referencesIn(model, row))
    }
    const queue = [...keys]
    for (const key of queue) {
      if (this.#kept.has(key)) continue
      this.#kept.add(key)
      const [type = '', id] = key.split(' ')
      deleted.get(this.#context.service.registry.model(type))?.delete(Number(id))
      for (const reference of references.get(key) ?? []) {
        const needed = objectKey(reference.type, reference.id)
        if (references.has(needed)) queue.push(needed)
      }
      for (const [other, list] of references) {
        if (list.some((each) => each.isOwned && objectKey(each.type, each.id) === key)) queue.push(other)
      }
    }
    // The references that the deletions cleared.
    for (const [model, objects] of changed) {
      for (const [id, values] of objects) {
        const row = this.#rows.get(objectKey(model.name, id))
        const main = row?.main ?? {}
        for (const { type, id: target, cleared } of referencesIn(model, rowOf(model, main))) {
          const isCleared = cleared && Object.keys(cleared).every((key) => key in values && values[key] === null)
          if (!isCleared || !this.#kept.has(objectKey(type, target))) continue
          const rest = Object.fromEntries(Object.entries(values).filter(([key]) => !(key in cleared)))
          objects.set(id, rest)
        }
      }
    }
  }

  /** Deletes or clears whatever of main still refers to what is deleted. */
  async #followDeletions(): Promise<void> {
    for (let left = -1; left !== 0; ) {
      const references = await remainingReferences(this.#context, this.difference)
      const direct = references.filter(({ referrer }) => referrer.kind !== 'manyToMany')
      left = direct.length
      for (const reference of direct) followDeletion(this.difference, reference)
      if (left === 0) this.difference.unlinked.splice(0, Infinity, ...references)
    }
  }

  /** Parts that belong to one side of an object, such as the ends of a cable, are one value. */
  async #compareSides(): Promise<void> {
    const { branch, rows } = this.#compared
    const { registry } = this.#context.service
    for (const [model, list] of Map.groupBy(rows, (row) => row.model)) {
      const { changeSide } = model.definition
      const [holder, side] = [
        changeSide && model.columns.get(changeSide.of),
        changeSide && model.columns.get(changeSide.side),
      ]
      if (!holder || !side || holder.field.kind !== 'foreignKey') continue
      const owner = registry.model(holder.field.to)
      const sides = Map.groupBy(list, ({ branch: own, base }) => {
        const columns = own ?? base ?? {}
        return `${columns[holder.name]} ${columns[side.name]}`
      })
      const added = await this.#context.transaction.query<{ id: number; owner: number; side: string }>(sql`
        select t.id, t.${identifier(holder.name)} as owner, t.${identifier(side.name)} as side
        from ${table(model)} t where t.${identifier(holder.name)} = any(${[...sides.keys()].map((key) => Number(key.split(' ')[0]))}::bigint[])
          and t.created > ${branch.lastSync ?? branch.created}::timestamptz and t.id <> all(${list.map(({ id }) => id)}::bigint[])`)
      for (const [key, parts] of sides) {
        const [id, name] = [Number(key.split(' ')[0]), key.split(' ')[1] ?? '']
        if (this.difference.created.get(owner)?.has(id) || this.difference.deleted.get(owner)?.has(id)) continue
        const mains = added.filter((each) => each.owner === id && each.side === name)
        const fresh = parts.filter(({ base }) => !base)
        const isMoved = mains.length > 0 || (fresh.length > 0 && parts.some(({ base, main }) => base && !main))
        if (!isMoved) continue
        const field = sideField(owner, model, name)
        const state = stateOf(
          mains.map((each) => each.id),
          parts.map((part) => [part.id, part.branch !== undefined]),
        )
        const values = { main: mains.map((each) => each.id), branch: fresh.map((each) => each.id) }
        if (this.#judge({ reason: 'changed', type: owner.name, id, field, ...values, state }) === 'mine') {
          for (const each of mains) markDeleted(this.difference, model, each.id)
        } else {
          this.#leaveOut(fresh.map(keyOf))
          await this.#keep(parts.filter((part) => part.main && !part.branch).map(keyOf))
        }
      }
    }
    await this.#followDeletions()
  }

  /** Adds the lists of existing objects, element by element. */
  #compareLists(): void {
    const lists = Map.groupBy(this.#compared.pairs, ({ model, id, list }) => `${model.name} ${id} ${list}`)
    for (const [first, ...rest] of lists.values()) {
      if (!first) continue
      const { model, id, list } = first
      const field = model.fields.get(list)
      const to = field?.kind === 'manyToMany' ? field.to : SYSTEM.tag
      if (this.difference.created.get(model)?.has(id) || this.difference.deleted.get(model)?.has(id)) continue
      // Removals that followed from deletions are left out with these.
      const isKept = this.#kept.has(objectKey(model.name, id))
      const pairs = [first, ...rest].filter(
        ({ target, isAdded }) => isAdded || !(isKept || this.#kept.has(objectKey(to, target))),
      )
      const added = pairs.flatMap(({ target, isAdded }) => (isAdded ? target : []))
      const removed = new Set(pairs.flatMap(({ target, isAdded }) => (isAdded ? [] : target)))
      if (pairs.length === 0) continue
      addValues(this.difference, model, id, {
        [list]: (present: unknown) => {
          const ids: readonly number[] = Array.isArray(present) ? present : []
          return [...new Set([...ids, ...added])].filter((each) => !removed.has(each))
        },
      })
    }
  }

  /** References to objects that main has deleted. */
  async #compareReferences(): Promise<void> {
    const { registry } = this.#context.service
    const { created } = this.difference
    const missing = await this.#missingReferences()
    const wanted: string[] = []
    for (const { model, id, reference } of missing) {
      const { field, type, id: target } = reference
      const isRestorable = registry.models.get(type)?.has('changeLogging') === true
      const conflict: BranchConflict = {
        ...{ type: model.name, id, field, branch: target, other: { type, id: target } },
        ...{ reason: 'missing', state: stateOf(type, target) },
      }
      const isMine = isRestorable && model.has('changeLogging') && this.#judge(conflict) === 'mine'
      if (isMine) wanted.push(objectKey(type, target))
      else this.#withoutReference(model, id, reference)
    }
    await this.#restore(wanted)
    // What the restored objects need is restored with them.
    for (let rounds = 0; rounds < MOST_ROUNDS && created.size > 0; rounds++) {
      const still = await this.#missingReferences()
      if (still.length === 0) return
      const before = this.#count()
      await this.#restore(still.map(({ reference }) => objectKey(reference.type, reference.id)))
      if (this.#count() === before) {
        for (const { model, id, reference } of still) this.#withoutReference(model, id, reference)
        return
      }
    }
  }

  #count(): number {
    return [...this.difference.created.values()].reduce((sum, rows) => sum + rows.size, 0)
  }

  /** References of new and changed rows to objects that do not exist, without those to new ones. */
  async #missingReferences() {
    const { created, changed } = this.difference
    const list = [created as ReadonlyMap<Model, ReadonlyMap<number, RestoredValues>>, changed].flatMap((objects) =>
      [...objects].flatMap(([model, rows]) =>
        [...rows].flatMap(([id, row]) => referencesIn(model, row).map((reference) => ({ model, id, reference }))),
      ),
    )
    const { models } = this.#context.service.registry
    const isNew = (type: string, id: number): boolean => {
      const model = models.get(type)
      return model !== undefined && created.get(model)?.has(id) === true
    }
    const outside = list.filter(({ reference: { type, id } }) => !isNew(type, id))
    const missing = await missingKeys(
      this.#context,
      outside.map(({ reference: { type, id } }) => objectKey(type, id)),
    )
    return outside.filter(({ reference: { type, id } }) => missing.has(objectKey(type, id)))
  }

  #withoutReference(
    model: Model,
    id: number,
    { cleared, isOwned, field }: ReturnType<typeof referencesIn>[number],
  ): void {
    const created = this.difference.created.get(model)
    const row = created?.get(id)
    if (row) {
      if (cleared && !isOwned) created?.set(id, { ...row, ...cleared })
      else this.#leaveOut([objectKey(model.name, id)])
      return
    }
    const objects = this.difference.changed.get(model)
    const names = new Set([field, ...Object.keys(cleared ?? {})])
    const rest = Object.entries(objects?.get(id) ?? {}).filter(([key]) => !names.has(key))
    objects?.set(id, Object.fromEntries(rest))
  }

  /** Leaves out new objects, with everything of the branch that cannot exist without them. */
  #leaveOut(keys: readonly string[]): void {
    const { created, changed } = this.difference
    const queue = new Set(keys)
    for (const key of queue) {
      const [type = '', id] = key.split(' ')
      created.get(this.#context.service.registry.model(type))?.delete(Number(id))
      for (const objects of [created as ReadonlyMap<Model, ReadonlyMap<number, RestoredValues>>, changed]) {
        for (const [model, rows] of objects) {
          for (const [other, row] of rows) {
            const reference = referencesIn(model, row).find((each) => objectKey(each.type, each.id) === key)
            if (!reference) continue
            const isNew = created.get(model)?.has(other) === true
            if (isNew && (reference.isOwned || !reference.cleared)) queue.add(objectKey(model.name, other))
            else this.#withoutReference(model, other, reference)
          }
        }
      }
    }
  }

  /** Restores objects that main has deleted, with what was deleted with them. */
  async #restore(keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return
    const { service, transaction } = this.#context
    const objects = keys.map((key) => key.split(' '))
    const deletions = await loadChanges(
      transaction,
      sql`t.action = 'delete' and (t.changed_object_type, t.changed_object_id) in (
        select q.type, q.id from unnest(${objects.map(([type]) => type)}::text[],
          ${objects.map(([, id]) => Number(id))}::bigint[]) as q(type, id))`,
    )
    const latest = new Map(deletions.map((change) => [objectKey(change.type, change.object_id), change]))
    if (latest.size === 0) return
    const requests = new Set([...latest.values()].map(({ request_id: request }) => request))
    const records = await loadChanges(transaction, sql`t.request_id = any(${[...requests]}::uuid[])`)
    const names = await recordedNames({ ...service, database: { ...service.database, ...transaction } })
    const ids = new Set(
      [...latest.values()].flatMap((change) =>
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
      ...{ context: this.#context, changes, names, message: '' },
      ...{ removed: new Set<string>(), restored: objectsTakenBack(changes, 'delete') },
    })
    for (const [model, rows] of former.created) {
      const present = valuesIn(this.difference.created, model)
      const ids = [...rows.keys()].filter((id) => !present.has(id))
      const absent = await missingKeys(
        this.#context,
        ids.map((id) => objectKey(model.name, id)),
      )
      for (const [id, row] of rows) {
        const own = present.get(id)
        if (own) present.set(id, { ...own, ...this.#restoredLists(model, id, row) })
        else if (absent.has(objectKey(model.name, id))) present.set(id, row)
      }
    }
    for (const [model, rows] of former.changed) {
      const present = valuesIn(this.difference.changed, model)
      for (const [id, values] of rows) present.set(id, { ...values, ...present.get(id) })
    }
  }

  /** The lists of an object before main deleted it, with the changes of the branch. */
  #restoredLists(model: Model, id: number, former: RestoredValues): RestoredValues {
    const pairs = this.#compared.pairs.filter((pair) => pair.model === model && pair.id === id)
    return Object.fromEntries(
      listsOf(model).map((list) => {
        const [added, removed] = [true, false].map((isAdded) =>
          pairs.flatMap((pair) => (pair.list === list && pair.isAdded === isAdded ? pair.target : [])),
        )
        return [
          list,
          [...new Set([...asIds(former[list]), ...(added ?? [])])].filter((each) => !removed?.includes(each)),
        ]
      }),
    )
  }

  /** Nodes of a tree that both sides have moved below each other. */
  async #compareTrees(): Promise<void> {
    const { service, transaction } = this.#context
    for (const [model, objects] of this.difference.changed) {
      const { tree } = model.definition
      if (!tree) continue
      const moved = [...objects].filter(([, values]) => tree.parent in values)
      const stored = await loadRows(
        service,
        transaction,
        model,
        moved.map(([id]) => id),
      )
      const drafts = stored.map((previous) =>
        draftOf(model, { ...previous, [tree.parent]: objects.get(previous.id)?.[tree.parent] }, previous),
      )
      await checkTrees(this.#context, drafts)
      for (const { next, previous, errors } of drafts) {
        if (errors.size === 0) continue
        const [main, branch] = [previous?.[tree.parent] as Json, next[tree.parent] as Json] // ids or null
        const state = stateOf(main, branch)
        const conflict = {
          reason: 'circular',
          type: model.name,
          id: next.id,
          field: tree.parent,
          main,
          branch,
          state,
        } as const
        if (this.#judge(conflict) === 'mine' && typeof branch === 'number')
          addValues(this.difference, model, branch, { [tree.parent]: main })
        else {
          const { [tree.parent]: _, ...rest } = objects.get(next.id) ?? {}
          objects.set(next.id, rest)
        }
        break
      }
    }
  }

  /** Unique values that another object of main has now. */
  async #compareUniqueValues(): Promise<void> {
    const { service, transaction } = this.#context
    const { created, changed, deleted } = this.difference
    for (const model of new Set([...created.keys(), ...changed.keys()])) {
      const unique = uniqueNames(model)
      const values = [...(changed.get(model) ?? [])].filter(([, each]) =>
        Object.keys(each).some((key) => unique.has(key)),
      )
      const stored = await loadRows(
        service,
        transaction,
        model,
        values.map(([id]) => id),
      )
      const drafts = [
        ...[...(created.get(model)?.values() ?? [])].map((row) => draftOf(model, row, undefined)),
        ...stored.map((previous) => draftOf(model, { ...previous, ...changed.get(model)?.get(previous.id) }, previous)),
      ]
      for (const [id, { other, field }] of await namesakesOf(this.#context, drafts, [...(deleted.get(model) ?? [])])) {
        await this.#compareUnique(
          model,
          id,
          other,
          field,
          drafts.find(({ next }) => next.id === id)?.next[field] as Json,
        ) // a column
      }
    }
  }

  async #compareUnique(model: Model, id: number, other: number, field: string, value: Json): Promise<void> {
    const { created, changed } = this.difference
    // Parts without records, such as the mappings of ports, are stored anew when they are restored.
    if (!model.has('changeLogging') && (await this.#isAsBefore(model, other)))
      return markDeleted(this.difference, model, other)
    const [subject, rival, name] = await this.#owners(model, id, other, field)
    const deletes = await this.#countDependents(rival.model, rival.id)
    const state = stateOf(rival.model.name, rival.id, value, deletes)
    const isMine =
      this.#judge({
        ...{ reason: 'taken', type: subject.model.name, id: subject.id, field: name, branch: value, deletes, state },
        other: { type: rival.model.name, id: rival.id },
      }) === 'mine'
    if (isMine) {
      changed.get(rival.model)?.delete(rival.id)
      markDeleted(this.difference, rival.model, rival.id)
      await this.#followDeletions()
    } else if (created.get(subject.model)?.has(subject.id)) this.#leaveOut([objectKey(subject.model.name, subject.id)])
    else if (created.get(model)?.has(id)) this.#leaveOut([objectKey(model.name, id)])
    else {
      const objects = changed.get(model)
      const unique = uniqueNames(model)
      const rest = Object.entries(objects?.get(id) ?? {}).filter(([key]) => !unique.has(key))
      objects?.set(id, Object.fromEntries(rest))
    }
  }

  /** Number of main's objects that cannot exist without the object and that the branch keeps. */
  async #countDependents(model: Model, id: number): Promise<number> {
    const { deleted } = this.difference
    const reached = new Set<string>()
    for (let level: RowIds = new Map([[model, new Set([id])]]); level.size > 0; ) {
      const next = new Map<Model, Set<number>>()
      for (const { referrer, id } of await findReferences(this.#context, level)) {
        const key = objectKey(referrer.model.name, id)
        if (!goesWithTarget(referrer) || reached.has(key) || deleted.get(referrer.model)?.has(id)) continue
        reached.add(key)
        next.set(referrer.model, (next.get(referrer.model) ?? new Set()).add(id))
      }
      level = next
    }
    const { registry } = this.#context.service
    return [...reached].filter((key) => registry.model(key.split(' ')[0] ?? '').path !== '').length
  }

  /** The object whose records show the part, and the field. */
  #shownIn(part: Model, row: RestoredValues) {
    const { registry } = this.#context.service
    return referencesIn(part, row).flatMap(({ type, id }) => {
      const owner = registry.model(type)
      return listsOfParts(owner, part).map((field) => ({ owner, id, field }))
    })[0]
  }

  /** Whether the row is the same, except for its id, as one that the branch has replaced. */
  async #isAsBefore(model: Model, id: number): Promise<boolean> {
    const { service, transaction } = this.#context
    const [row] = await loadRows(service, transaction, model, [id])
    const columns = [...model.columns.values()].filter(({ key, field }) => key !== 'id' && field.kind !== 'dateTime')
    return this.#compared.rows.some(
      ({ model: each, base, main }) =>
        each === model &&
        base &&
        !main &&
        columns.every(({ key, name }) => hasSameValue(base[name], row?.[key] as Json)), // a column
    )
  }

  /** The objects in conflict: for parts of a side, the objects that they belong to. */
  async #owners(model: Model, id: number, other: number, field: string) {
    const { service, transaction } = this.#context
    const { changeSide } = model.definition
    const holder = changeSide && model.columns.get(changeSide.of)
    const row = this.difference.created.get(model)?.get(id)
    const shown = row && !model.has('changeLogging') ? this.#shownIn(model, row) : undefined
    if (shown) return [{ model: shown.owner, id: shown.id }, { model, id: other }, shown.field] as const
    if (!changeSide || holder?.field.kind !== 'foreignKey' || !row)
      return [{ model, id }, { model, id: other }, field] as const
    const owner = service.registry.model(holder.field.to)
    const [mains] = await loadRows(service, transaction, model, [other])
    const [own, theirs] = [Number(row[changeSide.of]), Number(mains?.[changeSide.of])]
    const name = sideField(owner, model, String(row[changeSide.side]))
    const rival = own === theirs ? { model, id: other } : { model: owner, id: theirs }
    return [{ model: owner, id: own }, rival, name] as const
  }
}

const CUSTOM = 'custom_fields.'
/** Levels of objects that are restored because others need them. */
const MOST_ROUNDS = 10

const keyOf = ({ model, id }: { readonly model: Model; readonly id: number }): string => objectKey(model.name, id)

const uniqueNames = ({ fields, definition }: Model): ReadonlySet<string> =>
  new Set([
    ...[...fields].flatMap(([name, field]) => ('unique' in field && field.unique ? [name] : [])),
    ...(definition.unique ?? []).flatMap((unique) => unique.fields),
  ])

/** Names of the fields of the owner that list the parts. */
const listsOfParts = (owner: Model, part: Model): readonly string[] =>
  [...owner.fields].flatMap(([name, field]) =>
    field.kind === 'computed' && field.recorded?.of === part.name ? [name] : [],
  )

/** Name of the field that lists the parts of a side. */
function sideField(owner: Model, part: Model, side: string): string {
  const lists = listsOfParts(owner, part)
  return lists.find((name) => name.startsWith(side.toLowerCase())) ?? lists[0] ?? side
}
