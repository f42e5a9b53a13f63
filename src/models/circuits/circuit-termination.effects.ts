import type { EffectFunction } from '../../schema/rule.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { nodeOf } from '../dcim/cabling/cabled-object.ts'
import { retracePaths } from '../dcim/cabling/retrace.ts'
import { circuitTermination } from './circuit-termination.ts'

/** Recomputes the paths through a circuit after its sides have changed. */
export const retraceCircuit: EffectFunction<typeof circuitTermination.fields> = async ({
  rows,
  database,
}) => {
  const changed = rows.flatMap(({ next, previous }) => [next ?? [], previous ?? []].flat())
  const circuits = changed.map(({ circuit }) => circuit)
  const sides = await database.query<{ id: number }>(sql`
    select id from ${table('circuits.circuittermination')} where circuit_id = any(${circuits}::bigint[])`)
  const ids = new Set([...changed, ...sides].map(({ id }) => id))
  await retracePaths(
    database,
    [...ids].map((id) => nodeOf(circuitTermination.name, id)),
  )
}
