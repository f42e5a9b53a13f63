import type { ImportFollowUp } from '../../schema/import-column.ts'
import type { WriteContext } from '../../write/context.ts'
import { updateObjects } from '../../write/update-objects.ts'
import type { ImportRow } from './import-row.ts'
import type { Layout } from './name-objects.ts'

/** Makes the changes to other objects that the saved rows require: one write for each model. */
export async function saveFollowUps(
  context: WriteContext,
  { registry, model }: Layout,
  rows: readonly ImportRow[],
): Promise<void> {
  const { importFollowUps } = registry.view(model)
  if (!importFollowUps) return
  const wanted = rows.flatMap((row) =>
    row.id === undefined ? [] : importFollowUps(row.values, row.id, row.body).map((followUp) => ({ row, followUp })),
  )
  for (const [name, group] of Map.groupBy(wanted, ({ followUp }) => followUp.model)) {
    const targets = mergedTargets(group.map(({ followUp }) => followUp))
    const changed = await updateObjects(context, registry.model(name), targets, {
      partial: true,
      bulk: true,
    })
    for (const { row, followUp } of group) {
      if (changed.includes(followUp.id)) continue
      const message = `There is no ${name} with the id ${followUp.id} that you may change.`
      row.problems.push({ row: row.row, message })
    }
  }
}

/** One target for each object. */
function mergedTargets(followUps: readonly ImportFollowUp[]) {
  const bodies = new Map<number, Readonly<Record<string, unknown>>>()
  for (const { id, body } of followUps) bodies.set(id, { ...bodies.get(id), ...body })
  return [...bodies].map(([id, body]) => ({ id, body }))
}
