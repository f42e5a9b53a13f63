import { constants } from 'node:os'
import { kernelWalls } from '../../confinement/walls.ts'
import type { Limits } from './limits.ts'
import { PythonProcess, type StartOptions } from './process.ts'
import type { SnapshotStore } from './snapshot-store.ts'

/** Milliseconds. Without a snapshot Python takes some four seconds of processor time to start. */
const START: Limits = { processor: 60_000, clock: 600_000 }

/** What the processes do, and what they know of the service. */
export type Program = Pick<StartOptions, 'program' | 'facts' | 'memory'>

/** Starts processes; `signal` aborts a start. */
export interface ProcessStarter {
  /** Prepares a fast next start at a low priority. Throws when the interpreter does not start. */
  prepare(signal: AbortSignal): Promise<void>
  /** A process whose interpreter has started. Throws when it does not start. */
  start(signal: AbortSignal): Promise<PythonProcess>
}

/** Starts processes from the snapshot in the store; the first start creates it. */
export function processStarter(program: Program, store: SnapshotStore): ProcessStarter {
  return {
    prepare: async (signal) => {
      const snapshot = await store.open()
      if (snapshot) return await snapshot.close()
      // A lowered priority cannot be raised again, so this process does not run jobs.
      const priority = constants.priority.PRIORITY_BELOW_NORMAL
      const process = await startAndSave({ ...program, priority }, store, signal)
      process.kill()
    },
    start: async (signal) => (await restore(program, store, signal)) ?? (await startAndSave(program, store, signal)),
  }
}

/** A process from the snapshot. Undefined without a snapshot, or if no interpreter starts from it. */
async function restore(
  program: Program,
  store: SnapshotStore,
  signal: AbortSignal,
): Promise<PythonProcess | undefined> {
  const walls = await kernelWalls()
  const snapshot = await store.open()
  if (!snapshot) return undefined
  const process = new PythonProcess({ ...program, walls, snapshot: { use: 'load', fd: snapshot.fd } })
  await snapshot.close()
  try {
    await process.ready(START, signal)
    return process
  } catch {
    signal.throwIfAborted()
    await store.remove()
    return undefined
  }
}

/** Starts a process without a snapshot and writes one, if the store accepts it. */
async function startAndSave(
  options: Omit<StartOptions, 'walls'>,
  store: SnapshotStore,
  signal: AbortSignal,
): Promise<PythonProcess> {
  const walls = await kernelWalls()
  const snapshot = await store.create()
  const process = new PythonProcess({
    ...{ ...options, walls },
    ...(snapshot && { snapshot: { use: 'save', fd: snapshot.fd } }),
  })
  let isSaved = false
  try {
    ;({ isSaved } = await process.ready(START, signal))
    return process
  } finally {
    // If this fails, only the next start takes longer.
    await (isSaved ? snapshot?.keep() : snapshot?.discard())?.catch(() => undefined)
  }
}
