import { behaviour, type EffectFunction } from '../../schema/rule.ts'
import { sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { nodeOf } from '../dcim/cabling/cabled-object.ts'
import { retracePaths } from '../dcim/cabling/retrace.ts'
import { cableOrMark } from '../dcim/component.rules.ts'
import { fillPlaces, fillSides, landsSomewhere, tellCircuit } from './circuit-sides.ts'
import { circuitTermination } from './circuit-termination.ts'

/** A termination on a provider's network knows it by a column of its own, for filters. */
const rebuildProviderNetworks = (database: Queryable): Promise<number> =>
  database.execute(sql`
    update circuits_circuittermination t
    set _provider_network_id =
      case when termination_type = 'circuits.providernetwork' then termination_id end
    where _provider_network_id is distinct from
      case when termination_type = 'circuits.providernetwork' then termination_id end`)

/** Paths lead from one side of a circuit to the other, as the sides are now. */
const retraceCircuit: EffectFunction<typeof circuitTermination.fields> = async (effect) => {
  const changed = effect.rows.flatMap(({ next, previous }) => [next ?? [], previous ?? []].flat())
  const circuits = changed.map(({ circuit }) => circuit)
  const sides = await effect.database.query<{ id: number }>(sql`
    select id from circuits_circuittermination where circuit_id = any(${circuits}::bigint[])`)
  const ids = new Set([...changed, ...sides].map(({ id }) => id))
  await retracePaths(
    effect,
    [...ids].map((id) => nodeOf(circuitTermination.name, id)),
  )
}

export const circuitTerminationBehaviour = behaviour(circuitTermination, {
  serializerRules: [landsSomewhere],
  modelRules: [cableOrMark],
  beforeSave: [fillPlaces],
  afterWrite: [tellCircuit, retraceCircuit],
  rebuild: async (database) => {
    await rebuildProviderNetworks(database)
    await fillSides(database)
  },
})
