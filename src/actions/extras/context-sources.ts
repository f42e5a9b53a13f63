import { type ContextBearer, matchingContexts } from '../../models/extras/config-context-of.ts'
import type { Service } from '../../service.ts'

/** Models whose objects have a config context. */
const BEARERS: readonly ContextBearer[] = ['dcim.device', 'virtualization.virtualmachine']

/**
 * Ids of the config contexts whose data an object of the model has, the one that takes precedence last; whether the
 * reader may view them or not.
 */
export async function contextSources(
  { database }: Service,
  model: string,
  id: number,
): Promise<readonly number[]> {
  const bearer = BEARERS.find((each) => each === model)
  return bearer === undefined ? [] : await matchingContexts(database, bearer, id)
}
