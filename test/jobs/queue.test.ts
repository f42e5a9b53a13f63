import { describe, expect, it } from 'vitest'
import { deleteTask, runAgain, stopTask } from '../../src/automation/jobs/control.ts'
import { enqueueOnce } from '../../src/automation/jobs/enqueue.ts'
import { JobFailed } from '../../src/automation/jobs/job-kind.ts'
import { LEASE } from '../../src/automation/jobs/take.ts'
import { sql } from '../../src/sql/fragment.ts'
import { table } from '../../src/sql/table.ts'
import { eventually } from '../support/eventually.ts'
import { type Jobs, jobsOfSuite, kindOf, logOf } from '../support/jobs.ts'

const MINUTE = 60_000

const succeeds = kindOf('succeeds', async ({ log, setData }) => {
  log.info('at work')
  setData({ answer: 42 })
})
const fails = kindOf('fails', async () => {
  throw new JobFailed('Nothing to be done')
})
const breaks = kindOf('breaks', async ({ setData }) => {
  setData({ half: true })
  throw new TypeError("it's null")
})

describe('jobs', () => {
  const start = jobsOfSuite()

  describe('a job that runs', () => {
    it('is completed with its data and its log', async () => {
      const jobs = await start([succeeds])
      const { id } = await jobs.enqueue({ kind: 'succeeds' })
      expect(await jobs.job(id)).toMatchObject({ status: 'pending' })
      await jobs.background.runUntilIdle()
      const job = await jobs.job(id)
      expect(job).toMatchObject({ status: 'completed', error: '', data: '{"answer": 42}' })
      expect(logOf(job)).toEqual(['info: at work'])
    })

    it('waits for a process that runs its kind of job', async () => {
      const jobs = await start([succeeds])
      const { id } = await jobs.enqueue({ kind: 'later' })
      await jobs.background.runUntilIdle()
      expect(await jobs.job(id)).toMatchObject({ status: 'pending' })
      await jobs.otherProcess([{ ...succeeds, name: 'later' }]).runUntilIdle()
      expect(await jobs.job(id)).toMatchObject({ status: 'completed' })
    })

    it('is failed if it says so, and errored after any other error', async () => {
      const jobs = await start([fails, breaks])
      const failed = await jobs.enqueue({ kind: 'fails' })
      const broken = await jobs.enqueue({ kind: 'breaks' })
      await jobs.background.runUntilIdle()
      expect(await jobs.job(failed.id)).toMatchObject({ status: 'failed' })
      const job = await jobs.job(broken.id)
      expect(job).toMatchObject({ status: 'errored', error: `TypeError("it's null")` })
      expect(job.data).toBe('{"half": true}')
      // The stack, which contains paths of the machine, appears only in the service's own log.
      expect(logOf(job).at(-1)).toBe(`error: TypeError("it's null")`)
    })

    it('comes from the high queue before the others, and in order within a queue', async () => {
      const order: string[] = []
      const notes = kindOf('notes', async ({ job }) => void order.push(job.name))
      const jobs = await start([notes])
      for (const [name, queue] of [
        ['1', 'low'],
        ['2', 'default'],
        ['3', 'high'],
        ['4', 'default'],
      ] as const) {
        await jobs.enqueue({ kind: 'notes', name, queue })
      }
      await jobs.background.runUntilIdle()
      expect(order).toEqual(['3', '2', '4', '1'])
    })

    it('is run by one worker only, however many there are', async () => {
      const ran: string[] = []
      const notes = kindOf('notes', async ({ job }) => void ran.push(job.name))
      const jobs = await start([notes], { JOB_WORKERS: '3' })
      const names = Array.from({ length: 20 }, (_, index) => String(index))
      for (const name of names) await jobs.enqueue({ kind: 'notes', name })
      const other = jobs.otherProcess([notes])
      await Promise.all([jobs.background.runUntilIdle(), other.runUntilIdle()])
      expect(ran.toSorted()).toEqual(names.toSorted())
    })

    it('starts when the change that enqueues it is committed', async () => {
      const jobs = await start([succeeds])
      jobs.background.start()
      const { id } = await jobs.enqueue({ kind: 'succeeds' })
      await eventually(async () => expect(await jobs.job(id)).toMatchObject({ status: 'completed' }))
    })
  })

  describe('a job that is stopped', () => {
    it('is failed, and is not repeated', async () => {
      const jobs = await start([waiting()])
      jobs.background.start()
      const { id, jobId } = await jobs.enqueue({ kind: 'waits', interval: 5 })
      await eventually(async () => expect(await jobs.job(id)).toMatchObject({ status: 'running' }))
      expect(await stopTask(jobs.service, jobId)).toBe('stopping')
      await eventually(async () => expect(await jobs.job(id)).toMatchObject({ status: 'failed' }))
      expect(await jobs.all()).toHaveLength(1)
      expect(await stopTask(jobs.service, jobId)).toBe('notRunning')
    })

    it('by the end of its process after its work is done is completed', async () => {
      const { promise: aborted, resolve: abort } = Promise.withResolvers<void>()
      const stubborn = kindOf('stubborn', async ({ signal, setData }) => {
        signal.addEventListener('abort', () => abort())
        await aborted
        setData('done')
      })
      const jobs = await start([stubborn])
      jobs.background.start()
      const { id } = await jobs.enqueue({ kind: 'stubborn' })
      await eventually(async () => expect(await jobs.job(id)).toMatchObject({ status: 'running' }))
      await jobs.background.stop()
      expect(await jobs.job(id)).toMatchObject({ status: 'completed', data: '"done"' })
    })

    it('by its time limit is errored', async () => {
      const jobs = await start([waiting()])
      const { id } = await jobs.enqueue({ kind: 'waits', timeout: 1 })
      await jobs.background.runUntilIdle()
      const error = "JobTimeoutException('Task exceeded maximum timeout value (1 seconds)')"
      expect(await jobs.job(id)).toMatchObject({ status: 'errored', error })
    })

    it('by the end of its process is run again by another one', async () => {
      const jobs = await start([waiting()])
      jobs.background.start()
      const { id } = await jobs.enqueue({ kind: 'waits' })
      await eventually(async () => expect(await jobs.job(id)).toMatchObject({ status: 'running' }))
      await jobs.background.stop()
      expect(await jobs.job(id)).toMatchObject({ status: 'pending' })
      await jobs.otherProcess([kindOf('waits', async () => undefined)]).runUntilIdle()
      expect(await jobs.job(id)).toMatchObject({ status: 'completed', log_entries: '[]' })
    })
  })

  describe('a job whose process has died', () => {
    it('is run again when it has shown no sign of life for the duration of the lease', async () => {
      const jobs = await start([succeeds])
      const { id } = await jobs.enqueue({ kind: 'succeeds' })
      await takenByDeadProcess(jobs, id)
      await jobs.background.runUntilIdle()
      expect(await jobs.job(id)).toMatchObject({ status: 'running' })
      jobs.clock.advance(LEASE + 1)
      await jobs.background.runUntilIdle()
      const job = await jobs.job(id)
      expect(job).toMatchObject({ status: 'completed' })
      expect(logOf(job)[0]).toMatch(/^warning: The process that ran the job has ended/)
    })

    it('is abandoned after three deaths', async () => {
      const jobs = await start([succeeds])
      const { id } = await jobs.enqueue({ kind: 'succeeds' })
      await takenByDeadProcess(jobs, id, 3)
      jobs.clock.advance(LEASE + 1)
      await jobs.background.runUntilIdle()
      expect(await jobs.job(id)).toMatchObject({ status: 'errored' })
    })
  })

  describe('a scheduled job', () => {
    it('runs when its time has come', async () => {
      const jobs = await start([succeeds])
      const scheduledAt = new Date(jobs.clock.now() + 10 * MINUTE).toISOString()
      const { id, status } = await jobs.enqueue({ kind: 'succeeds', scheduledAt })
      expect(status).toBe('scheduled')
      await jobs.background.runUntilIdle()
      expect(await jobs.job(id)).toMatchObject({ status: 'scheduled' })
      jobs.clock.advance(10 * MINUTE)
      await jobs.background.runUntilIdle()
      expect(await jobs.job(id)).toMatchObject({ status: 'completed' })
    })

    it.each([
      ['its interval after it was due', 30, 0, 30],
      ['a minute after its end at the earliest', 30, 45, 46],
    ])('with an interval runs again %s', async (_, interval, late, expected) => {
      const jobs = await start([succeeds, breaks])
      const due = jobs.clock.now() + 10 * MINUTE
      const scheduledAt = new Date(due).toISOString()
      const { id } = await jobs.enqueue({ kind: 'breaks', scheduledAt, interval })
      jobs.clock.advance((10 + late) * MINUTE)
      await jobs.background.runUntilIdle()
      const [first, next] = await jobs.all()
      expect(first).toMatchObject({ id, status: 'errored' })
      expect(next).toMatchObject({ status: 'scheduled', interval })
      const minutes = (Date.parse(next?.scheduled ?? '') - due) / MINUTE
      expect(Math.abs(minutes - expected)).toBeLessThan(0.5)
    })
  })

  describe('enqueueing once', () => {
    const once = (jobs: Jobs, interval: number | undefined, object?: { type: string; id: number }) =>
      jobs.service.database.transaction((transaction) =>
        enqueueOnce(transaction, jobs.service, {
          ...{ kind: 'succeeds', name: 'succeeds', user: 'service', interval, object },
          scheduledAt: '2099-01-01T00:00:00Z',
        }),
      )

    it('leaves a waiting job with the same schedule, and replaces one with another', async () => {
      const jobs = await start([succeeds])
      const first = await once(jobs, 60)
      expect(await once(jobs, 60)).toEqual(first)
      const other = await once(jobs, 90)
      expect(other).not.toEqual(first)
      expect((await jobs.all()).map(({ interval }) => interval)).toEqual([90])
    })

    it('counts the jobs of each object', async () => {
      const jobs = await start([succeeds])
      await once(jobs, 60, { type: 'dcim.site', id: 1 })
      await once(jobs, 60, { type: 'dcim.site', id: 2 })
      expect(await jobs.all()).toHaveLength(2)
    })

    it('by many processes at once creates one job', async () => {
      const jobs = await start([succeeds])
      await Promise.all(Array.from({ length: 8 }, () => once(jobs, 60)))
      expect(await jobs.all()).toHaveLength(1)
    })
  })

  describe('control of jobs', () => {
    it('a job that has failed runs again', async () => {
      const jobs = await start([fails])
      const { id, jobId } = await jobs.enqueue({ kind: 'fails' })
      await jobs.background.runUntilIdle()
      expect(await runAgain(jobs.service, jobId)).toBe(true)
      expect(await jobs.job(id)).toMatchObject({ status: 'pending', error: '' })
      await jobs.otherProcess([kindOf('fails', async () => undefined)]).runUntilIdle()
      expect(await jobs.job(id)).toMatchObject({ status: 'completed' })
    })

    it('a job whose task is deleted is never run', async () => {
      const jobs = await start([succeeds])
      const { id, jobId } = await jobs.enqueue({ kind: 'succeeds' })
      expect(await deleteTask(jobs.service, jobId)).toBe(true)
      await jobs.background.runUntilIdle()
      expect(await jobs.job(id)).toMatchObject({ status: 'failed' })
      expect(await deleteTask(jobs.service, jobId)).toBe(false)
    })
  })

  it.each([
    ['always', ['completed', 'errored']],
    ['on_failure', ['errored']],
    ['never', []],
  ] as const)('with notifications "%s" the user is notified when it is %j', async (notifications, expected) => {
    const jobs = await start([succeeds, breaks])
    const user = await jobs.inventory.create('users.user', {
      username: 'ann',
      password: 'Long-enough-1',
    })
    for (const kind of ['succeeds', 'breaks']) await jobs.enqueue({ kind, user, notifications })
    await jobs.background.runUntilIdle()
    const rows = await jobs.inventory.query<{ event_type: string }>(
      sql`select event_type from ${table('extras.notification')} where user_id = ${user}::bigint order by id`,
    )
    expect(rows.map(({ event_type }) => event_type)).toEqual(expected.map((status) => `job_${status}`))
  })

  it('is deleted with the object that it belongs to, and is then not run', async () => {
    const ran: string[] = []
    const jobs = await start([kindOf('notes', async ({ job }) => void ran.push(job.name))])
    const source = { name: 's', type: 'local', source_url: '/nowhere' }
    const id = await jobs.inventory.create('core.datasource', source)
    await jobs.enqueue({ kind: 'notes', object: { type: 'core.datasource', id } })
    await jobs.inventory.remove('core.datasource', id)
    await jobs.background.runUntilIdle()
    expect([ran, await jobs.all()]).toEqual([[], []])
  })

  it('its start and its end are events of the stream', async () => {
    const jobs = await start([succeeds, breaks])
    const object = { type: 'core.datasource', id: 7 }
    const { id, jobId } = await jobs.enqueue({ kind: 'succeeds', object })
    await jobs.enqueue({ kind: 'breaks', isPrivate: true })
    await jobs.background.runUntilIdle()
    const rows = await jobs.inventory.query<{ payload: string }>(
      sql`select payload from ${table('core.event')} where kind = 'job' order by id`,
    )
    const payloads = rows.map(({ payload }) => JSON.parse(payload))
    expect(payloads.map(({ event }) => event)).toEqual([
      ...['job_started', 'job_completed', 'job_started', 'job_errored'],
    ])
    expect(payloads[1]).toMatchObject({
      ...{ object_type: 'core.datasource', object_id: 7, data: { answer: 42 } },
      job: { id, job_id: jobId, name: 'succeeds', status: 'completed' },
    })
    expect(payloads[3]).toMatchObject({ data: null, job: { error: `TypeError("it's null")` } })
  })

  it('a job has the permissions that its user has at that time', async () => {
    const seen: (boolean | undefined)[] = []
    const looks = kindOf('looks', async ({ actor }) => void seen.push(actor.isSuperuser))
    const jobs = await start([looks])
    const user = await jobs.inventory.create('users.user', {
      username: 'ann',
      password: 'Long-enough-1',
    })
    const { id } = await jobs.enqueue({ kind: 'looks', user })
    await jobs.background.runUntilIdle()
    expect(seen).toEqual([false])
    expect(await jobs.job(id)).toMatchObject({ status: 'completed' })
    await jobs.inventory.change('users.user', user, { is_active: false })
    const later = await jobs.enqueue({ kind: 'looks', user })
    await jobs.background.runUntilIdle()
    expect(await jobs.job(later.id)).toMatchObject({ status: 'failed' })
  })
})

/** A kind of job that ends only when it is stopped. */
const waiting = () =>
  kindOf('waits', async ({ signal }) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    signal.throwIfAborted()
  })

/** Leaves the job in the state in which a process leaves it that dies while running it. */
async function takenByDeadProcess(jobs: Jobs, id: number, attempts = 1): Promise<void> {
  const now = new Date(jobs.clock.now()).toISOString()
  await jobs.service.database.script(`
    update core_jobtask set state = 'started', worker = 'dead', heartbeat = '${now}', attempts = ${attempts} where job_id = ${id};
    update core_job set status = 'running', started = '${now}' where id = ${id}`)
}
