import type { ContextBearer } from '../../../models/extras/config-context-lists.ts'
import { matchingContexts } from '../../../models/extras/config-context-of.ts'
import { membershipsIn } from '../../../read/groups/memberships.ts'
import { committedData } from '../../../read/serialise/read-source.ts'
import { readSharedRows } from '../../../read/serialise/shared-rows.ts'
import type { Service } from '../../../service.ts'

/** Models whose objects have a config context. */
const BEARERS: readonly ContextBearer[] = ['dcim.device', 'virtualization.virtualmachine']

/**
 * Ids of the config contexts whose data an object has, those with the highest precedence last, whether or not the
 * reader may view them.
 */
export async function contextSources(service: Service, model: string, id: number): Promise<readonly number[]> {
  const { registry, database } = service
  const bearer = BEARERS.find((candidate) => candidate === model)
  return bearer === undefined
    ? []
    : await matchingContexts(bearer, id, {
        database,
        rows: (shared, ids) => readSharedRows(committedData(service), shared, ids),
        memberships: membershipsIn({ registry, database }),
      })
}
