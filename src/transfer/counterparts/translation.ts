import type { Model } from '../../schema/registry.ts'
import { BrokenRow } from '../broken-row.ts'
import type { PlacedRow } from '../insert.ts'
import type { ImportedRow } from '../parse-row.ts'
import type { Counterparts } from './counterparts.ts'
import { type Meanings, type Redirect, withReferences } from './references.ts'

/** Rows with the ids here in place of those at the source. Throws BrokenRow if an object that a row needs is missing. */
export async function translated(
  counterparts: Counterparts,
  meanings: Meanings,
  model: Model,
  rows: readonly PlacedRow[],
): Promise<readonly PlacedRow[]> {
  if (counterparts.areAllNew) return rows
  await keepDeletedApart(counterparts, meanings, model, rows)
  return rows.map((placed) => {
    const redirect: Redirect = (field, to, id) => {
      const local = counterparts.local(to, id)
      if (local !== undefined) return local
      const label = meanings.registry.model(to).definition.labels[0]
      throw new BrokenRow(placed.file, placed.line, `${field}: no ${label} has the id ${id}`)
    }
    const row = withReferences(meanings, model, placed.row, redirect)
    row.id = counterparts.local(model.name, row.id) ?? row.id
    return { ...placed, row }
  })
}

/** Gives ids to objects that the rows name although the source has deleted them. */
async function keepDeletedApart(
  counterparts: Counterparts,
  meanings: Meanings,
  model: Model,
  rows: readonly PlacedRow[],
): Promise<void> {
  const unknown = new Map<string, Set<number>>()
  const collect: Redirect = (_field, to, id, kind) => {
    if (kind === 'loose' && counterparts.local(to, id) === undefined) {
      const ids = unknown.get(to) ?? new Set()
      unknown.set(to, ids.add(id))
    }
    return id
  }
  for (const { row } of rows) withReferences(meanings, model, row, collect)
  if (unknown.size > 0) await counterparts.keepApart(unknown)
}

/** The row with the ids here in the references that identify it; undefined if one of them is new here, or missing. */
export function identifyingRow(
  counterparts: Counterparts,
  meanings: Meanings,
  model: Model,
  row: ImportedRow,
  isIdentifying: (field: string) => boolean,
): ImportedRow | undefined {
  let isNew = false
  const translatedRow = withReferences(meanings, model, row, (field, to, id) => {
    if (!isIdentifying(field)) return id
    const local = counterparts.local(to, id)
    if (local === undefined || counterparts.isCreated(to, id)) isNew = true
    return local ?? id
  })
  return isNew ? undefined : translatedRow
}
