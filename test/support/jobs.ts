import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { type EnqueuedJob, enqueue, type JobRequest } from '../../src/automation/jobs/enqueue.ts'
import type { JobContext, JobKind } from '../../src/automation/jobs/job-kind.ts'
import type { LogEntry } from '../../src/automation/jobs/job-log.ts'
import { jobWork } from '../../src/automation/jobs/work.ts'
import { type Background, createBackground } from '../../src/changes/background/background.ts'
import { readSettings } from '../../src/config/settings.ts'
import type { Service } from '../../src/service.ts'
import { sql } from '../../src/sql/fragment.ts'
import { table } from '../../src/sql/table.ts'
import { directoryOfRun } from './directory.ts'
import { type Inventory, openInventory } from './inventory.ts'
import { TestClock } from './test-clock.ts'

/** Columns of a job that the tests check. */
export interface StoredJob extends Record<string, unknown> {
  readonly id: number
  readonly name: string
  readonly status: string
  readonly error: string
  readonly data: string | null
  readonly scheduled: string | null
  readonly interval: number | null
  /** JSON. */
  readonly log_entries: string
}

/** An inventory with job workers, whose clock the test sets. */
export interface Jobs {
  readonly inventory: Inventory
  readonly service: Service
  readonly clock: TestClock
  readonly background: Background
  enqueue(request: Partial<JobRequest> & Pick<JobRequest, 'kind'>): Promise<EnqueuedJob>
  /** All jobs, oldest first. */
  all(): Promise<readonly StoredJob[]>
  job(id: number): Promise<StoredJob>
  /** Workers of another process on the same database. */
  otherProcess(kinds: readonly JobKind[]): Background
}

const quiet = { error: () => undefined }

/** Jobs of these kinds; there are no others. */
export type StartJobs = (kinds: readonly JobKind[], environment?: Record<string, string>) => Promise<Jobs>

/** One inventory for all tests of a suite; the returned function gives each test its own jobs in it. */
export function jobsOfSuite(): StartJobs {
  let inventory: Inventory
  beforeAll(async () => {
    inventory = await openInventory()
  })
  afterAll(() => inventory.close())
  return async (kinds, environment = {}) => {
    await inventory.service.database.script(EMPTY)
    return jobsIn(inventory, kinds, environment)
  }
}

const EMPTY = `
  delete from extras_notification; delete from core_jobtask; delete from core_job; delete from core_jobworker;
  delete from core_event; delete from core_objectchange; delete from dcim_site; delete from users_session; delete from users_user`

function jobsIn(inventory: Inventory, kinds: readonly JobKind[], environment: Record<string, string>): Jobs {
  const clock = new TestClock()
  const settings = readSettings({ DATA_DIR: directoryOfRun(), ...environment })
  const service: Service = { ...inventory.service, settings, clock }
  const processOf = (own: readonly JobKind[]): Background => {
    const background = createBackground(jobWork(service, own, quiet), service.cache.log, quiet)
    onTestFinished(() => background.stop())
    return background
  }
  const all = () =>
    service.database.query<StoredJob>(sql`
      select id, name, status, error, data, scheduled, "interval", to_json(log_entries) as log_entries
      from ${table('core.job')} order by id`)
  return {
    ...{ inventory, service, clock, all },
    background: processOf(kinds),
    otherProcess: processOf,
    enqueue: (request) =>
      service.database.transaction((transaction) =>
        enqueue(transaction, service, { name: request.kind, user: 'service', ...request }),
      ),
    job: async (id) => {
      const job = (await all()).find((each) => each.id === id)
      if (!job) throw new Error(`There is no job ${id}`)
      return job
    },
  }
}

/** A kind of job that runs this function. */
export const kindOf = (name: string, run: (context: JobContext) => Promise<void>): JobKind => ({
  name,
  run,
})

/** The entries of a job's log, without their times. */
export function logOf({ log_entries }: StoredJob): readonly string[] {
  const entries: unknown = JSON.parse(log_entries)
  return (Array.isArray(entries) ? entries : []).map(({ level, message }: LogEntry) => `${level}: ${message}`)
}
