import { randomUUID } from 'node:crypto'
import { currentTimestamp } from '../../base/clock.ts'
import { ApiError } from '../../base/errors.ts'
import { OPEN, readingBranch, requireOpen } from '../../db/branches/branch-database.ts'
import { ConstraintViolation } from '../../db/failures.ts'
import { SERVICE_ACTOR, type User } from '../../identity/actor.ts'
import type { Fields } from '../../schema/field.ts'
import type { Json } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { Service } from '../../service.ts'
import { sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { table } from '../../sql/table.ts'
import type { WriteContext, WriteRequest } from '../../write/context.ts'
import { objectKey } from '../../write/related-object.ts'
import { runWrite } from '../../write/run.ts'
import { policiesOf } from '../../write/validate/policies.ts'
import { makeWriter } from '../../write/writer.ts'
import { applyDifference, quietWriter } from '../difference/apply-difference.ts'
import { addValues, type Difference, emptyDifference, markDeleted, valuesIn } from '../difference/difference.ts'
import { missingKeys } from '../difference/missing-objects.ts'
import type { RestoredValues } from '../records/recorded-row.ts'
import { policyProblem, requireApprovals } from './approvals.ts'
import { conflictKey, type Decisions, type JudgedConflict } from './branch-conflicts.ts'
import { type BranchDifference, compareBranch } from './branch-difference.ts'
import type { ComparedBranch } from './branch-states.ts'
import { overlayRows, rowOf } from './overlay-rows.ts'
import { referencesIn } from './references.ts'
import { refusedConflicts } from './refusals.ts'

/** Thrown if main and the branch are in conflict, and nobody has decided which to keep. Nothing has changed then. */
export class UnresolvedConflicts extends Error {
  override readonly name = 'UnresolvedConflicts'
  readonly conflicts: readonly JudgedConflict[]

  constructor(conflicts: readonly JudgedConflict[]) {
    super('The branch conflicts with main')
    this.conflicts = conflicts
  }
}

/** The options of a merge or synchronization. */
export interface BranchRequest extends WriteRequest {
  readonly actor: User
  /** The branch's values are kept wherever main differs. */
  readonly isConfirmed: boolean
  /** Why a superuser merges without the approvals that policies require; '' for everybody else. */
  readonly override?: string
}

/**
 * Gives main the state of the branch, in one transaction: what the branch has created, the values that it has changed,
 * and without what it has deleted. The current rules and permissions apply to the result, and the changes have records
 * and events like all others, all in one request. Returns the number of objects. Throws UnresolvedConflicts, also if a
 * rule refuses the result, and ApiError like any write.
 */
export async function mergeBranch(
  service: Service,
  { id, name }: { readonly id: number; readonly name: string },
  request: BranchRequest,
): Promise<number> {
  return await runWrite(service, request, async (outer) => {
    const { transaction, now } = outer
    await requireOpen(transaction, id)
    const context = mergeContext(outer)
    const compared = await decidedDifference(context, id, request.isConfirmed)
    const { difference, conflicts } = compared
    const merge = { branch: id, ...approvedIn(difference, transaction, id), decidesNow: conflicts.some(isOpen) }
    await requireApprovals(outer, merge, request.override ?? '')
    const refusals = await applyCompared(context, compared, `Merge of branch ${name}`)
    if (refusals.length > 0) throw new UnresolvedConflicts(refusals)
    await setBranch(outer, id, {
      ...{ status: 'merged', merged_time: now, merged_by: request.actor.id, merge_request: request.requestId },
    })
    return sizeOf(difference)
  })
}

const mergeContext = (outer: WriteContext): WriteContext => ({
  ...{ ...outer, assumptions: undefined, makeWriter: quietWriter, isApproved: true },
})

/** Applies the difference to main. Returns what rules refuse; the transaction must then be rolled back. */
async function applyCompared(
  context: WriteContext,
  compared: BranchDifference,
  message: string,
): Promise<readonly JudgedConflict[]> {
  touchOwners(context, compared.difference)
  const [definitions, objects] = withoutDefinitions(context, compared.difference)
  try {
    // The values of a new custom field are those from which the changes of the branch start.
    await applyDifference(context, definitions, message, 'create')
    await applyDifference(context, objects, message)
    return []
  } catch (error) {
    const refusals = refusedConflicts(compared, error)
    if (refusals === undefined) throw error
    return refusals
  }
}

/** The difference of the branch as decided. Throws UnresolvedConflicts, unless the branch's values are confirmed. */
export async function decidedDifference(
  context: WriteContext,
  id: number,
  isConfirmed: boolean,
): Promise<BranchDifference> {
  const compared = await compareAsDecided(context, id, { lock: true })
  const open = compared.conflicts.filter(isOpen)
  if (open.length > 0 && !isConfirmed) throw new UnresolvedConflicts(open)
  return compared
}

/**
 * Reopens a branch after its merge has been undone by the change records. Bookmarks and subscriptions have no records, so
 * they are undone here.
 */
export async function reopenBranch(service: Service, id: number, request: WriteRequest): Promise<void> {
  await runWrite(service, request, async (outer) => {
    const context = mergeContext(outer)
    const difference = emptyDifference()
    const rows = await overlayRows(context.transaction, context.service.registry, id, {
      lock: false,
      only: (model) => model.path !== '' && !model.has('changeLogging'),
    })
    const removed = rows.flatMap(({ model, id, base, main, branch }) =>
      base && !main && !branch ? [{ model, row: { ...rowOf(model, base), id } }] : [],
    )
    const keysOf = (model: Model, row: RestoredValues) =>
      referencesIn(model, row).map((reference) => objectKey(reference.type, reference.id))
    const missing = await missingKeys(
      context,
      removed.flatMap(({ model, row }) => keysOf(model, row)),
    )
    for (const { model, row } of removed) {
      if (!keysOf(model, row).some((key) => missing.has(key))) valuesIn(difference.created, model).set(row.id, row)
    }
    for (const { model, id, base, main } of rows) if (!base && main) markDeleted(difference, model, id)

    await applyDifference(context, difference, '')
    await setBranch(outer, id, { status: OPEN, merge_request: '', merged_time: null, merged_by: null })
  })
}

/** Whether nothing has been decided about the conflict. */
export const isOpen = ({ keep }: JudgedConflict): boolean => keep === undefined

async function compareAsDecided(
  context: WriteContext,
  id: number,
  options: { readonly lock: boolean },
): Promise<BranchDifference> {
  const { branch, decisions } = await storedBranch(context.transaction, id)
  return await compareBranch(context, branch, decisions, options)
}

/** Custom fields and what they refer to, which effects carry over to all objects, and everything else. */
function withoutDefinitions(
  { service: { registry } }: WriteContext,
  { created, changed, deleted, unlinked }: Difference,
): readonly [Difference, Difference] {
  const field = registry.models.get(SYSTEM.customField)
  const related = [...(field?.fields.values() ?? [])].flatMap((relation) =>
    relation.kind === 'foreignKey' ? relation.to : [],
  )
  const names: readonly string[] = [SYSTEM.customField, ...related]
  const differenceOf = (isDefinition: boolean): Difference => {
    const only = <T>(map: Map<Model, T>) =>
      new Map([...map].filter(([{ name }]) => names.includes(name) === isDefinition))
    return {
      created: only(created),
      changed: only(changed),
      deleted: only(deleted),
      unlinked: isDefinition ? [] : unlinked,
    }
  }
  return [differenceOf(true), differenceOf(false)]
}

/** Adds the objects whose records show parts that the difference changes. */
function touchOwners({ service: { registry } }: WriteContext, difference: Difference): void {
  const owners = [...registry.models.values()].flatMap((owner) =>
    [...owner.fields.values()].flatMap((field) =>
      field.kind === 'computed' && field.recorded ? [{ owner, part: field.recorded.of }] : [],
    ),
  )
  for (const objects of [difference.created, difference.changed]) {
    for (const [model, rows] of [...objects]) {
      const ownerNames = new Set(owners.flatMap(({ owner, part }) => (part === model.name ? owner.name : [])))
      if (ownerNames.size === 0) continue
      for (const row of rows.values()) {
        for (const { type, id } of referencesIn(model, row)) {
          const owner = registry.model(type)
          const isStaying = !difference.created.get(owner)?.has(id) && !difference.deleted.get(owner)?.has(id)
          if (ownerNames.has(type) && isStaying) addValues(difference, owner, id, {})
        }
      }
    }
  }
}

const sizeOf = ({ created, changed, deleted }: Difference): number =>
  [created, changed, deleted].reduce(
    (sum, map) => sum + [...map.values()].reduce((count, { size }) => count + size, 0),
    0,
  )

/** The objects about which policies decide, on main and in the branch. */
function approvedIn({ created, changed, deleted }: Difference, transaction: WriteContext['transaction'], id: number) {
  const objects = new Map<string, Set<number>>()
  for (const map of [created, changed, deleted] as readonly ReadonlyMap<Model, { keys(): Iterable<number> }>[]) {
    for (const [{ name }, ids] of map) objects.set(name, new Set([...(objects.get(name) ?? []), ...ids.keys()]))
  }
  return { objects, places: [transaction, readerOf(transaction, id)] }
}

/** Why the policies do not allow the person to merge the branch now, as a sentence; undefined if they do. */
export async function mergeProblem(service: Service, id: number, actor: User): Promise<string | undefined> {
  return await reading(service, async (context) => {
    const { transaction } = context
    // The branch is compared only if there are policies.
    if ((await policiesOf({ service, transaction })).length === 0) return undefined
    const { difference } = await compareAsDecided(context, id, { lock: false })
    const now = currentTimestamp(service.clock)
    return await policyProblem({
      ...{ actor, service, transaction, now, branch: id },
      ...approvedIn(difference, transaction, id),
    })
  })
}

/** Reads the branch, one statement at a time, within a transaction on main. */
const readerOf = (transaction: WriteContext['transaction'], id: number): Queryable => ({
  query: (statement) => readingBranch(transaction, id, (branch) => branch.query(statement)),
  queryArrays: (statement) => readingBranch(transaction, id, (branch) => branch.queryArrays(statement)),
  queryColumn: (statement) => readingBranch(transaction, id, (branch) => branch.queryColumn(statement)),
  execute: (statement) => readingBranch(transaction, id, (branch) => branch.execute(statement)),
})

/** Sets values of the branch object itself, on main. */
export async function setBranch(
  context: WriteContext,
  id: number,
  values: Readonly<Record<string, Json | Decisions>>,
): Promise<void> {
  const { definition } = context.service.registry.model(SYSTEM.branch)
  await makeWriter(context).update<Fields>(definition, [{ id, ...values }])
}

/** The branch with its decisions about conflicts. */
async function storedBranch(
  queryable: Queryable,
  id: number,
): Promise<{ readonly branch: ComparedBranch; readonly decisions: Decisions }> {
  const [row] = await queryable.query<{ created: string; last_sync: string | null; decisions: string }>(
    sql`select t.created, t.last_sync, t.resolutions::text as decisions from ${table(SYSTEM.branch)} t where t.id = ${id}::bigint`,
  )
  return {
    branch: { id, created: row?.created ?? '', lastSync: row?.last_sync ?? null },
    decisions: JSON.parse(row?.decisions ?? '{}') as Decisions, // written by `decide`
  }
}

/**
 * All conflicts of the branch with main, and the decisions about them. The merge is tried and rolled back, to find out
 * what rules would refuse.
 */
export async function branchConflicts(service: Service, id: number): Promise<readonly JudgedConflict[]> {
  try {
    return await reading(service, async (outer) => {
      throw new Rehearsed(await rehearsedConflicts(outer, id))
    })
  } catch (error) {
    if (error instanceof Rehearsed) return error.conflicts
    throw error
  }
}

/** Rolls back the transaction of a rehearsal. */
class Rehearsed extends Error {
  readonly conflicts: readonly JudgedConflict[]

  constructor(conflicts: readonly JudgedConflict[]) {
    super('The merge was only a rehearsal')
    this.conflicts = conflicts
  }
}

/** Conflicts of the comparison and of a merge; the transaction must be rolled back. */
async function rehearsedConflicts(outer: WriteContext, id: number): Promise<readonly JudgedConflict[]> {
  const context = mergeContext(outer)
  const compared = await compareAsDecided(context, id, { lock: false })
  try {
    const undecided = new Set(compared.conflicts.filter(isOpen).map(conflictKey))
    const refusals = await applyCompared(context, compared, '')
    return [...compared.conflicts, ...refusals.filter((refusal) => !undecided.has(conflictKey(refusal)))]
  } catch (error) {
    // What else prevents the merge is not about an object, and the merge says so.
    if (error instanceof ApiError || error instanceof ConstraintViolation) return compared.conflicts
    throw error
  }
}

/** The conflicts that a comparison shows, without what rules refuse. */
export const comparedConflicts = (service: Service, id: number): Promise<readonly JudgedConflict[]> =>
  reading(service, async (context) => (await compareAsDecided(context, id, { lock: false })).conflicts)

/** The conflicts about which nothing is decided yet. */
export const openConflicts = async (service: Service, id: number): Promise<readonly JudgedConflict[]> =>
  (await branchConflicts(service, id)).filter(isOpen)

/** Stores decisions about conflicts, with the values for which they are made. */
export async function decide(
  service: Service,
  id: number,
  request: WriteRequest,
  choose: (conflicts: readonly JudgedConflict[]) => Decisions,
): Promise<void> {
  await runWrite(service, request, async (context) => {
    await requireOpen(context.transaction, id)
    const { conflicts } = await compareAsDecided({ ...context, assumptions: undefined }, id, { lock: false })
    const chosen = choose(conflicts)
    const { decisions } = await storedBranch(context.transaction, id)
    await setBranch(context, id, { resolutions: { ...decisions, ...chosen }, decided: context.now })
  })
}

/** Runs work that reads main and a branch, with the state of a write. */
const reading = <T>(service: Service, work: (context: WriteContext) => Promise<T>): Promise<T> =>
  runWrite(service, { actor: SERVICE_ACTOR, requestId: randomUUID() }, (context) =>
    work({ ...context, assumptions: undefined }),
  )
