import { readingBranch } from '../../db/branches/branch-database.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { Queryable } from '../../sql/queryable.ts'
import type { WriteContext } from '../../write/context.ts'
import { objectKey } from '../../write/related-object.ts'
import { loadRows, type StoredRow } from '../../write/rows.ts'
import { type BranchConflict, type Decisions, decisionFor } from './branch-conflicts.ts'
import { cellsOf, takesBranch } from './cells.ts'
import { type CustomFields, customFieldsOf, storedFields } from './custom-fields.ts'
import { type ListedPair, listedPairs, type OverlayRow, overlayRows } from './overlay-rows.ts'

/** The branch, when it was created and last synchronised. */
export interface ComparedBranch {
  readonly id: number
  readonly created: string
  readonly lastSync: string | null
}

/** What a comparison reads: main, the branch, and the base of each row. */
export interface BranchStates {
  readonly branch: ComparedBranch
  readonly rows: readonly OverlayRow[]
  /** The rows by the keys of their objects. */
  readonly byKey: ReadonlyMap<string, OverlayRow>
  readonly pairs: readonly ListedPair[]
  /** The rows of the branch itself, in the form of the write pipeline. */
  readonly branchRows: ReadonlyMap<string, StoredRow>
  readonly customFields: CustomFields
}

/** `lock`: locks main's rows before they are compared. */
export async function readStates(
  context: WriteContext,
  branch: ComparedBranch,
  decisions: Decisions,
  { lock }: { readonly lock: boolean },
): Promise<BranchStates> {
  const { service, transaction } = context
  const rows = await overlayRows(transaction, service.registry, branch.id, { lock })
  const pairs = await listedPairs(transaction, service.registry, branch.id)
  const fieldsOfMain = await storedFields(transaction, branch.created)
  const { branchRows, fieldsOfBranch } = await readingBranch(transaction, branch.id, async (reader) => ({
    branchRows: await rowsInBranch(context, reader, rows),
    fieldsOfBranch: await storedFields(reader, branch.created),
  }))
  const customFields = customFieldsOf(fieldsOfMain, fieldsOfBranch, namesOfMain(rows, decisions))
  return { branch, rows, byKey: new Map(rows.map((row) => [keyOf(row), row])), pairs, branchRows, customFields }
}

export const keyOf = ({ model, id }: Pick<OverlayRow, 'model' | 'id'>): string => objectKey(model.name, id)

/** Names of the custom fields that the branch has not renamed, or for which main's name is decided, by id. */
function namesOfMain(rows: readonly OverlayRow[], decisions: Decisions): ReadonlyMap<number, string> {
  const judge = (conflict: BranchConflict) => decisionFor(decisions, conflict) ?? 'mine'
  return new Map(
    rows.flatMap((row) => {
      if (row.model.name !== SYSTEM.customField || !row.main || !row.branch) return []
      const cell = cellsOf(row, undefined).find(({ field }) => field === 'name')
      return cell && !takesBranch(cell, judge) ? [[row.id, String(cell.main)] as const] : []
    }),
  )
}

async function rowsInBranch(
  { service }: WriteContext,
  reader: Queryable,
  rows: readonly OverlayRow[],
): Promise<ReadonlyMap<string, StoredRow>> {
  const branchRows = new Map<string, StoredRow>()
  for (const [model, list] of Map.groupBy(rows, (row) => row.model)) {
    const ids = list.flatMap(({ branch, id }) => (branch ? id : []))
    for (const row of await loadRows(service, reader, model, ids)) branchRows.set(objectKey(model.name, row.id), row)
  }
  return branchRows
}
