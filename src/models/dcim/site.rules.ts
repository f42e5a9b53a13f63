import { behaviour } from '../../schema/rule.ts'
import { sql } from '../../sql/fragment.ts'
import { refreshScopePlaces, SCOPED } from './scope.effects.ts'
import { passOnRegionAndGroup } from './site.effects.ts'
import { site } from './site.ts'

export const siteBehaviour = behaviour(site, {
  afterWrite: [passOnRegionAndGroup],
  rebuild: async (database) => {
    for (const scoped of SCOPED) await refreshScopePlaces(database, scoped, () => sql`true`)
  },
})
