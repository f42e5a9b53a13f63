import { currentTimestamp } from '../../clock.ts'
import { readingBranch, requireOpen } from '../../db/branches/branch-database.ts'
import { BASE, BRANCH, branchedTables, DELETED } from '../../db/branches/branch-tables.ts'
import type { User } from '../../identity/actor.ts'
import type { Column } from '../../schema/column.ts'
import type { Fields } from '../../schema/field.ts'
import type { Json } from '../../schema/json.ts'
import type { Definition } from '../../schema/model.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { Service } from '../../service.ts'
import { raw, sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { systemTable, table } from '../../sql/table.ts'
import type { WriteContext, WriteRequest } from '../../write/context.ts'
import { type DependentRow, isDerived, isKeptAsDependent, type UndoData } from '../../write/record/undo-data.ts'
import { deleteCascade } from '../../write/remove/cascade.ts'
import { valuesOf } from '../../write/remove/dependent-rows.ts'
import { loadRows, type StoredRow } from '../../write/rows.ts'
import { runWrite } from '../../write/run.ts'
import { policiesOf } from '../../write/validate/policies.ts'
import { makeWriter } from '../../write/writer.ts'
import { refuseConflicts } from '../conflict.ts'
import { missingObjectConflicts } from '../missing-objects.ts'
import { type RecordedChange, undoDataIn } from '../recorded-change.ts'
import { quietWriter, recordedNames, takeBack } from '../undo.ts'
import { keyOfChange, objectsTakenBack, type Undo } from '../undo-plan.ts'
import { policyProblem, requireApprovals } from './approvals.ts'
import { branchChanges } from './branch-changes.ts'
import { type BranchConflict, behindRows, conflictsOf, type Resolutions, WHOLE } from './branch-conflicts.ts'

/**
 * Thrown if main and the branch have changed the same field or object, and nobody has decided which to keep. Nothing
 * has changed then.
 */
export class UnresolvedConflicts extends Error {
  override readonly name = 'UnresolvedConflicts'
  readonly conflicts: readonly BranchConflict[]

  constructor(conflicts: readonly BranchConflict[]) {
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
 * Applies the changes of the branch to main, in one transaction: in their order, each setting only the fields that it
 * changed. The current rules and permissions apply, and the changes have records and events like all others, all in one
 * request. Returns their number. Throws UnresolvedConflicts, UndoConflicts if something on main prevents a change, and
 * ApiError like any write.
 */
export async function mergeBranch(
  service: Service,
  branch: { readonly id: number; readonly name: string },
  request: BranchRequest,
): Promise<number> {
  const { registry } = service
  return await runWrite(service, request, async (outer) => {
    const { transaction, now } = outer
    await requireOpen(transaction, branch.id)
    const context: WriteContext = { ...outer, assumptions: undefined, makeWriter: quietWriter, isApproved: true }
    const resolutions = await resolutionsOf(outer, branch.id)
    const conflicts = conflictsOf(await behindRows(transaction, registry, branch.id), resolutions)
    if (conflicts.length > 0 && !request.isConfirmed) throw new UnresolvedConflicts(conflicts)
    const { changes, names, dependents, mains } = await readingBranch(transaction, branch.id, async (queryable) => {
      const changes = await mergedChanges(queryable, registry, branch.id, resolutions)
      return {
        changes: await inverted(context, queryable, branch.id, changes),
        names: await recordedNames({ ...service, database: { ...service.database, ...queryable } }),
        ...(await unrecordedRows(context, queryable, branch.id)),
      }
    })
    const places = [transaction, readerOf(transaction, branch.id)]
    await requireApprovals(outer, { branch: branch.id, changes, places }, request.override ?? '')
    const undo: Undo = {
      ...{ context, names, changes },
      message: `Merge of branch ${branch.name}`,
      removed: objectsTakenBack(changes, 'create'),
      restored: objectsTakenBack(changes, 'delete'),
      kept: keptFields(resolutions),
      dependents,
    }
    refuseConflicts(await missingObjectConflicts(undo))
    for (const { model, changed } of mains) await removeRows(context, model, changed)
    await takeBack(undo)
    // The objects that still exist; others were deleted with their parents, whose records contain them.
    for (const { model, deleted } of mains) await removeRows(context, model, deleted)
    await setBranch(outer, branch.id, {
      ...{ status: 'merged', merged_time: now, merged_by: request.actor.id, merge_request: request.requestId },
    })
    return changes.length
  })
}

/** The changes that a merge makes: those of the branch, except for objects that keep main's state. */
async function mergedChanges(
  branch: Queryable,
  registry: Registry,
  id: number,
  resolutions: Resolutions,
): Promise<readonly RecordedChange[]> {
  const changes = await branchChanges(branch, registry, id)
  return changes.filter((change) => resolutions[keyOfChange(change)]?.[WHOLE] !== 'theirs')
}

/** Why the policies do not allow the person to merge the branch now, as a sentence; undefined if they do. */
export const mergeProblem = (service: Service, id: number, actor: User): Promise<string | undefined> =>
  service.database.transaction(async (transaction) => {
    // The changes, which can be many, are read only if there are policies.
    if ((await policiesOf({ service, transaction })).length === 0) return undefined
    const resolutions = await resolutionsOf({ transaction }, id)
    const changes = await readingBranch(transaction, id, (branch) =>
      mergedChanges(branch, service.registry, id, resolutions),
    )
    const places = [transaction, readerOf(transaction, id)]
    const now = currentTimestamp(service.clock)
    return await policyProblem({ actor, service, transaction, now, branch: id, changes, places })
  })

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
  values: Readonly<Record<string, Json>>,
): Promise<void> {
  await makeWriter(context).update<Fields>(branchModelOf(context), [{ id, ...values }])
}

const branchModelOf = ({ service }: WriteContext): Definition<Fields> =>
  service.registry.model(SYSTEM.branch).definition

/** The decisions about conflicts of the branch. */
export async function resolutionsOf(
  { transaction }: Pick<WriteContext, 'transaction'>,
  id: number,
): Promise<Resolutions> {
  const [row] = await transaction.query<{ resolutions: string }>(
    sql`select t.resolutions::text as resolutions from ${table(SYSTEM.branch)} t where t.id = ${id}::bigint`,
  )
  return JSON.parse(row?.resolutions ?? '{}') as Resolutions // written by the branch's own action
}

/** The conflicts of the branch with main about which nothing is decided yet. */
export const openConflicts = ({ database, registry }: Service, id: number): Promise<readonly BranchConflict[]> =>
  database.transaction(async (transaction) =>
    conflictsOf(await behindRows(transaction, registry, id), await resolutionsOf({ transaction }, id)),
  )

/** The fields whose values on main are kept, by object. */
const keptFields = (resolutions: Resolutions): ReadonlyMap<string, ReadonlySet<string>> =>
  new Map(
    Object.entries(resolutions).map(([key, fields]) => [
      key,
      new Set(Object.entries(fields).flatMap(([field, side]) => (side === 'theirs' ? [field] : []))),
    ]),
  )

const INVERSE = { create: 'delete', update: 'update', delete: 'create' } as const

/** The changes of the branch, inverted: undoing them, in reverse order, applies the branch. */
async function inverted(
  context: WriteContext,
  branch: WriteContext['transaction'],
  id: number,
  changes: readonly RecordedChange[],
): Promise<readonly RecordedChange[]> {
  const { service } = context
  const exact = new Map<string, UndoData['row']>()
  for (const [type, list] of Map.groupBy(changes, (change) => change.type)) {
    const model = service.registry.model(type)
    const ids = list.map(({ object_id }) => object_id)
    // The branch has no rows of the objects that it has deleted, which it may have created or changed before.
    for (const change of list) {
      if (change.action === 'delete')
        exact.set(keyOfChange(change), exactValues(model, undoDataIn(change).row, undefined))
    }
    const changed = await changedColumns(branch, service.registry, id, model)
    for (const row of await loadRows(service, branch, model, ids)) {
      exact.set(`${type} ${row.id}`, exactValues(model, row, changed.get(row.id)))
    }
  }
  return changes.toReversed().map((change) => {
    const undo: UndoData = { row: exact.get(keyOfChange(change)) ?? {} }
    return {
      ...change,
      action: INVERSE[change.action],
      before: change.after,
      after: change.before,
      undo: JSON.stringify(undo),
    }
  })
}

/** Names of the columns in which rows of the branch differ from those that they replace, by id. */
async function changedColumns(
  branch: WriteContext['transaction'],
  registry: Registry,
  id: number,
  { table: name }: Model,
): Promise<ReadonlyMap<number, readonly string[]>> {
  const overlay = branchedTables(registry).get(name)?.overlay
  if (overlay === undefined) return new Map()
  const rows = await branch.query<{ id: number; changed: readonly string[] }>(sql`
    select o.id, array(select e.key from jsonb_each(to_jsonb(o)) e where e.value is distinct from o.${raw(BASE)} -> e.key) as changed
    from ${systemTable(overlay)} o where o.${raw(BRANCH)} = ${id}::bigint and o.${raw(BASE)} is not null`)
  return new Map(rows.map((row) => [row.id, row.changed]))
}

/**
 * Values of the row that its change records lack, such as secrets, or contain in another form. `changed`: only these
 * columns.
 */
const exactValues = (model: Model, row: Partial<StoredRow>, changed: readonly string[] | undefined): UndoData['row'] =>
  Object.fromEntries(
    [...model.columns.values()]
      .filter((column) => column.key in row && isExact(model, column) && (changed?.includes(column.name) ?? true))
      // Columns hold JSON, see values.ts.
      .map(({ key }) => [key, (row[key] ?? null) as Json]),
  )

/** The data that a cable stores in the objects at its ends is written with the cable. */
const isExact = (model: Model, column: Column): boolean => {
  const { key, field } = column
  if (key === 'id' || key.startsWith('_') || key.startsWith('cable') || isDerived(model, column)) return false
  if (field.kind === 'foreignKey' || field.kind === 'genericForeignKey' || field.kind === 'customFields') return false
  const isUnlogged = 'unlogged' in field && field.unlogged === true
  return (
    isUnlogged ||
    !model.answer.includes(key) ||
    field.kind === 'dateTime' ||
    field.kind === 'objectTypes' ||
    field.kind === 'list'
  )
}

/** Ids of rows of a model without change records that main has and the branch has changed or deleted. */
interface MainsRows {
  readonly model: Model
  readonly changed: readonly number[]
  readonly deleted: readonly number[]
}

/** Rows of models without change records in the branch, and main's rows that they replace. */
async function unrecordedRows(
  { service }: WriteContext,
  branch: WriteContext['transaction'],
  id: number,
): Promise<{ readonly dependents: readonly DependentRow[]; readonly mains: readonly MainsRows[] }> {
  const dependents: DependentRow[] = []
  const mains: MainsRows[] = []
  for (const { overlay, model } of unrecordedTables(service.registry)) {
    const rows = await branch.query<{ id: number; deleted: boolean; isMains: boolean }>(sql`
      select o.id, o.${raw(DELETED)} as deleted, o.${raw(BASE)} is not null as "isMains"
      from ${systemTable(overlay)} o where o.${raw(BRANCH)} = ${id}::bigint`)
    if (rows.length === 0) continue
    const idsOf = (some: typeof rows) => some.map((row) => row.id)
    const stored = await loadRows(service, branch, model, idsOf(rows))
    for (const row of stored) dependents.push({ model: model.name, row: valuesOf(model, row) })
    const known = rows.filter((row) => row.isMains)
    const [deleted, changed] = [true, false].map((isGone) => idsOf(known.filter((row) => row.deleted === isGone)))
    mains.push({ model, changed: changed ?? [], deleted: deleted ?? [] })
  }
  return { dependents, mains }
}

async function removeRows(context: WriteContext, model: Model, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  const rows = await loadRows(context.service, context.transaction, model, ids)
  if (rows.length > 0)
    await deleteCascade(
      context,
      model,
      rows.map((row) => row.id),
      new Map(),
    )
}

/** Tags are written with their objects, and computed values are recomputed. */
const unrecordedTables = (registry: Registry) =>
  [...branchedTables(registry).values()].flatMap(({ overlay, model: name, key }) => {
    const model = registry.model(name)
    const isRelated = [...model.fields.values()].some(({ kind }) => kind === 'foreignKey')
    const isOwn = key.length === 1 && !model.has('changeLogging') && isRelated && isKeptAsDependent(model)
    return isOwn && name !== SYSTEM.taggedItem && name !== SYSTEM.objectChange ? [{ overlay, model }] : []
  })
