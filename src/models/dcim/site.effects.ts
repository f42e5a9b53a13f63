import type { EffectFunction } from '../../schema/rule.ts'
import { sql } from '../../sql/fragment.ts'
import { refreshScopePlaces, SCOPED } from './scope.effects.ts'
import type { site } from './site.ts'

/** Copies a site's region and group to the objects scoped to the site or to its locations. */
export const passOnRegionAndGroup: EffectFunction<typeof site.fields> = async ({
  action,
  rows,
  database,
}) => {
  if (action !== 'update') return
  const moved = rows.flatMap(({ previous, next }) =>
    previous && next && (previous.region !== next.region || previous.group !== next.group)
      ? [next.id]
      : [],
  )
  if (moved.length === 0) return
  for (const scoped of SCOPED) {
    await refreshScopePlaces(database, scoped, () => sql`x._site_id = any(${moved}::bigint[])`)
  }
}
