import { behaviour } from '../../schema/rule.ts'
import { refreshCableEndPlaces, refreshCablePositions } from './cable-end-places.ts'
import { cableTermination } from './cable-termination.ts'

export const cableTerminationBehaviour = behaviour(cableTermination, {
  rebuild: async (database) => {
    await refreshCablePositions(database)
    await refreshCableEndPlaces(database)
  },
})
