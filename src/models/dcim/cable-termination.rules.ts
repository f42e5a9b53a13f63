import { behaviour } from '../../schema/rule.ts'
import { sql } from '../../sql/fragment.ts'
import { disconnect, reconnect } from './cable.effects.ts'
import { cableTermination } from './cable-termination.ts'
import { refreshCableEndPlaces, refreshCablePositions } from './cabling/cable-end-places.ts'
import { rebuildPaths } from './cabling/retrace.ts'
import { refreshScopePlaces, SCOPED } from './scope.effects.ts'

export const cableTerminationBehaviour = behaviour(cableTermination, {
  afterWrite: [disconnect, reconnect],
  rebuild: async (database) => {
    await refreshCablePositions(database)
    // The place of a cable that ends at a circuit comes from the circuit termination, which may not be computed yet.
    for (const scoped of SCOPED) await refreshScopePlaces(database, scoped, () => sql`true`)
    await refreshCableEndPlaces(database)
    await rebuildPaths(database)
  },
})
