import { behaviour } from '../../schema/rule.ts'
import { sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { updateTable } from '../../sql/table.ts'
import { cableOrMark } from '../dcim/component.rules.ts'
import { fillPlaces, fillSides, landsSomewhere, tellCircuit } from './circuit-sides.ts'
import { retraceCircuit } from './circuit-termination.effects.ts'
import { circuitTermination } from './circuit-termination.ts'

/** Copies the provider network of terminations into a column of its own, for filters. */
const rebuildProviderNetworks = (database: Queryable): Promise<number> =>
  database.execute(sql`
    ${updateTable('circuits.circuittermination')} t
    set _provider_network_id =
      case when termination_type = 'circuits.providernetwork' then termination_id end
    where _provider_network_id is distinct from
      case when termination_type = 'circuits.providernetwork' then termination_id end`)

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
