import { SYSTEM } from '../schema/system-models.ts'
import type { Service } from '../service.ts'
import { withFootprint } from '../storage/footprint.ts'

/** What something that was made out of the database rests on: it holds until one of the models changes. */
export interface Basis {
  /** Names of the models whose tables were read. */
  readonly models: readonly string[]
  /** Moment of the memory before anything was read. */
  readonly since: number
}

/** Models that the configuration in force is made of. */
const ALWAYS: readonly string[] = [SYSTEM.configRevision]

/**
 * Runs `work` and answers its result with what that rests on: the models whose tables its statements
 * read, or whose remembered answers it used. The basis is undefined where the result may change
 * although no table does, and where something has changed meanwhile.
 */
export async function withBasis<T>(
  service: Service,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly basis: Basis | undefined }> {
  const since = service.memory.moment
  const { result, footprint } = await withFootprint(work)
  const basis = footprint.isRepeatable
    ? { models: [...new Set([...ALWAYS, ...footprint.models])], since }
    : undefined
  return { result, basis: basis && holds(service, basis) ? basis : undefined }
}

/** Whether nothing of it has changed. */
export const holds = ({ memory }: Service, { models, since }: Basis): boolean =>
  memory.isUnchanged(models, since)
