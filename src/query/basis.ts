import type { Service } from '../service.ts'
import { type Footprint, withFootprint } from '../storage/footprint.ts'
import { isVolatile, modelsNamedIn } from './statement-models.ts'

/** What something that was made out of the database rests on: it holds until one of the models changes. */
export interface Basis {
  /** Names of the models whose tables were read. */
  readonly models: readonly string[]
  /** Moment of the memory before anything was read. */
  readonly since: number
}

/** Models that the configuration in force is made of. */
const ALWAYS: readonly string[] = ['core.configrevision']

/**
 * Runs `work` and answers its result with what that rests on: the models whose tables its statements
 * named, or whose remembered answers it used. The basis is undefined where the result may change
 * although no table does, and where something has changed meanwhile.
 */
export async function withBasis<T>(
  service: Service,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly basis: Basis | undefined }> {
  const since = service.memory.moment
  const { result, footprint } = await withFootprint(work)
  const models = modelsOf(service, footprint)
  const basis = models && { models, since }
  return { result, basis: basis && holds(service, basis) ? basis : undefined }
}

/** Whether nothing of it has changed. */
export const holds = ({ memory }: Service, { models, since }: Basis): boolean =>
  memory.isUnchanged(models, since)

function modelsOf({ registry }: Service, footprint: Footprint): readonly string[] | undefined {
  if (!footprint.isRepeatable) return undefined
  const all = new Set([...ALWAYS, ...footprint.models])
  for (const statement of footprint.statements) {
    if (isVolatile(registry, statement)) return undefined
    for (const model of modelsNamedIn(registry, statement)) all.add(model)
  }
  return [...all]
}
