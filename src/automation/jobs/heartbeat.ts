import { currentTimestamp } from '../../base/clock.ts'
import type { BackgroundWork } from '../../changes/background/background.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { Service } from '../../service.ts'
import { sql } from '../../sql/fragment.ts'
import { deleteFrom, insertInto, table, updateTable } from '../../sql/table.ts'
import { JobStopped, type JobWorker, type Run } from './worker.ts'

/** Milliseconds between two heartbeats. */
const PERIOD = 10_000
/** Milliseconds without a heartbeat after which a worker counts as dead. */
export const WORKER_LEASE = 180_000
/** Milliseconds between two heartbeats of workers that run no job. */
const IDLE_PERIOD = 60_000

/**
 * Shows that the workers of this process and their jobs are alive, stores what the jobs have logged, and passes on requests to stop
 * them.
 */
export function heartbeat(
  service: Service,
  workers: readonly JobWorker[],
  runs: ReadonlyMap<number, Run>,
): BackgroundWork {
  let [lastOfJobs, lastOfWorkers] = [0, 0]
  return {
    name: 'job heartbeat',
    idleMs: PERIOD,
    wokenBy: [SYSTEM.jobTask],
    turn: async () => {
      const now = service.clock.now()
      const current = [...runs.values()]
      if (now - lastOfWorkers >= (current.length > 0 ? PERIOD : IDLE_PERIOD)) {
        lastOfWorkers = now
        await showWorkers(service, workers)
      }
      if (current.length === 0) return 'idle'
      await stopRequested(service, current)
      // Not at every wake: a heartbeat is a change of a task, which wakes this loop.
      if (now - lastOfJobs >= PERIOD) {
        lastOfJobs = now
        await showRuns(service, current)
      }
      return 'idle'
    },
  }
}

/** Aborts the runs that a user has stopped, or whose task has been deleted. Others may begin in the meantime. */
async function stopRequested(service: Service, runs: readonly Run[]): Promise<void> {
  const tasks = await service.database.query<{ id: number }>(sql`
    select id from ${table(SYSTEM.jobTask)}
    where id = any(${runs.map(({ task }) => task.id)}::bigint[]) and state = 'started' and not stop_requested`)
  const continuing = new Set(tasks.map(({ id }) => id))
  for (const { task, controller } of runs) {
    if (!continuing.has(task.id)) controller.abort(new JobStopped())
  }
}

async function showRuns(service: Service, runs: readonly Run[]): Promise<void> {
  const now = currentTimestamp(service.clock)
  await service.database.execute(sql`
    ${updateTable(SYSTEM.jobTask)} set heartbeat = ${now}::timestamptz
    where id = any(${runs.map(({ task }) => task.id)}::bigint[]) and state = 'started'`)
  for (const { task, log } of runs) {
    const entries = log.take()
    if (entries.length === 0) continue
    await service.database.execute(sql`
      ${updateTable(SYSTEM.job)} set log_entries = log_entries || ${entries}::jsonb[]
      where id = ${task.job.id}::bigint`)
  }
}

async function showWorkers(service: Service, workers: readonly JobWorker[]): Promise<void> {
  const now = service.clock.now()
  await service.database.execute(sql`
    ${deleteFrom(SYSTEM.jobWorker)} where heartbeat < ${new Date(now - WORKER_LEASE)}::timestamptz`)
  for (const { name, started, successes, failures, workingTime } of workers) {
    await service.database.execute(sql`
      ${insertInto(SYSTEM.jobWorker)} (name, pid, started, heartbeat, successes, failures, working_time)
      values (${name}, ${process.pid}::int, ${new Date(started)}::timestamptz, ${new Date(now)}::timestamptz,
        ${successes}::int, ${failures}::int, ${workingTime / 1_000}::numeric)
      on conflict (name) do update set heartbeat = excluded.heartbeat, successes = excluded.successes,
        failures = excluded.failures, working_time = excluded.working_time`)
  }
}
