import type { BackgroundWork } from '../../changes/background/background.ts'
import type { LoopLog } from '../../changes/background/loop.ts'
import type { Service } from '../../service.ts'
import { heartbeat } from './heartbeat.ts'
import { dailyHousekeeping } from './housekeeping.ts'
import type { JobKind } from './job-kind.ts'
import { runsJobs } from './runs-jobs.ts'
import { JobWorker, type Run } from './worker.ts'

/** The background work of jobs: as many workers as JOB_WORKERS says, their heartbeats, and the daily housekeeping. */
export function jobWork(service: Service, kinds: readonly JobKind[], log: LoopLog): readonly BackgroundWork[] {
  if (!runsJobs(service)) return []
  const runs = new Map<number, Run>()
  const byName = new Map(kinds.map((kind) => [kind.name, kind]))
  const workers = Array.from(
    { length: service.settings.jobWorkers },
    (_, index) => new JobWorker(index + 1, service, byName, runs, log),
  )
  return [...workers.map(({ work }) => work), heartbeat(service, workers, runs), dailyHousekeeping(service)]
}
