import { AsyncLocalStorage } from 'node:async_hooks'
import type { Sql } from '../sql/fragment.ts'

/** What a piece of work has asked for: enough to tell later whether it would come out the same. */
export interface Footprint {
  /** Names of the models whose tables were read, or that remembered answers depended on. */
  readonly models: ReadonlySet<string>
  /** False after a transaction, a script or a volatile statement: what they saw need not last. */
  readonly isRepeatable: boolean
}

interface OpenFootprint {
  readonly models: Set<string>
  isRepeatable: boolean
  lastNoted?: readonly string[]
}

const flows = new AsyncLocalStorage<OpenFootprint>()

/**
 * Runs `work` and answers its result with what it, and all that it called, asked for meanwhile. That
 * is part of the footprint of the work around it too.
 */
export async function withFootprint<T>(
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly footprint: Footprint }> {
  const footprint: OpenFootprint = {
    models: new Set(),
    isRepeatable: true,
  }
  const result = await flows.run(footprint, work)
  const around = flows.getStore()
  if (around) addTo(around, footprint)
  return { result, footprint }
}

function addTo(around: OpenFootprint, { models, isRepeatable }: Footprint): void {
  for (const model of models) around.models.add(model)
  if (!isRepeatable) around.isRepeatable = false
}

/** Called with each statement, by the one place that they all pass. */
export function noteStatement({ statement }: Sql): void {
  const footprint = flows.getStore()
  if (!footprint) return
  for (const model of statement.reads) footprint.models.add(model)
  for (const model of statement.writes) footprint.models.add(model)
  if (statement.isVolatile) footprint.isRepeatable = false
}

/** Called with what an answer that is remembered depends on. */
export function noteModels(models: readonly string[]): void {
  const footprint = flows.getStore()
  // The objects of a page come in turn, most with the very same list.
  if (!footprint || footprint.lastNoted === models) return
  footprint.lastNoted = models
  for (const model of models) footprint.models.add(model)
}

/** Called when something begins whose outcome is not a question's. */
export function noteUnrepeatable(): void {
  const footprint = flows.getStore()
  if (footprint) footprint.isRepeatable = false
}
