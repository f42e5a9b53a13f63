import { describe, expect, it } from 'vitest'
import { housekeepingJob } from '../../src/automation/jobs/housekeeping.ts'
import { PRUNERS } from '../../src/automation/jobs/pruners.ts'
import { sql } from '../../src/sql/fragment.ts'
import { systemTable, table } from '../../src/sql/table.ts'
import { eventually } from '../support/eventually.ts'
import { type Jobs, jobsOfSuite, kindOf, logOf } from '../support/jobs.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const kinds = [housekeepingJob(PRUNERS), kindOf('nothing', async () => undefined)]

describe('housekeeping', () => {
  const startKinds = jobsOfSuite()
  const start = (environment: Record<string, string> = {}) => startKinds(kinds, environment)

  /** Creates a site and changes it twice; deletes it if requested. */
  async function history(jobs: Jobs, name: string, isDeleted = false): Promise<void> {
    const { inventory } = jobs
    const id = await inventory.create('dcim.site', { name, slug: name })
    for (const description of ['one', 'two']) await inventory.change('dcim.site', id, { description })
    if (isDeleted) await inventory.remove('dcim.site', id)
  }
  const records = async (jobs: Jobs) =>
    (
      await jobs.inventory.query<{ text: string }>(sql`
        select object_repr || ' ' || action as text from ${table('core.objectchange')} order by id`)
    ).map(({ text }) => text)

  async function prune(jobs: Jobs, days: number) {
    jobs.clock.advance(days * DAY)
    await jobs.background.runUntilIdle()
    const done = (await jobs.all()).findLast(({ status }) => status === 'completed')
    return done ? logOf(done) : []
  }

  it('runs an hour after the start and then daily', async () => {
    const jobs = await start()
    await jobs.background.runUntilIdle()
    expect(await jobs.all()).toEqual([])
    jobs.clock.advance(HOUR)
    await jobs.background.runUntilIdle()
    const [first, next] = await jobs.all()
    expect(first).toMatchObject({ name: 'System Housekeeping', status: 'completed', error: '' })
    expect(next).toMatchObject({ status: 'scheduled', interval: 1_440 })
  })

  it('keeps the creation and the last update of existing objects', async () => {
    const jobs = await start()
    await history(jobs, 'alive')
    await history(jobs, 'gone', true)
    expect(await prune(jobs, 89)).toContain('info: Deleted 0 expired change records.')
    expect(await prune(jobs, 2)).toContain('info: Deleted 5 expired change records.')
    expect(await records(jobs)).toEqual(['alive create', 'alive update'])
  })

  it('deletes all old change records if CHANGELOG_RETAIN_CREATE_LAST_UPDATE is off', async () => {
    const jobs = await start({
      CHANGELOG_RETAIN_CREATE_LAST_UPDATE: 'false',
      CHANGELOG_RETENTION: '10',
    })
    await history(jobs, 'alive')
    expect(await prune(jobs, 11)).toContain('info: Deleted 3 expired change records.')
    expect(await records(jobs)).toEqual([])
  })

  it('keeps change records and jobs forever if the retention is 0', async () => {
    const jobs = await start({ CHANGELOG_RETENTION: '0', JOB_RETENTION: '0' })
    await history(jobs, 'gone', true)
    await jobs.enqueue({ kind: 'nothing' })
    await jobs.background.runUntilIdle()
    const log = await prune(jobs, 4_000)
    expect(log).toContain('info: The expired change records are kept forever.')
    expect(await records(jobs)).toHaveLength(4)
    expect((await jobs.all())[0]).toMatchObject({ name: 'nothing' })
  })

  it('deletes old jobs that have ended, but not waiting ones', async () => {
    const jobs = await start()
    await jobs.enqueue({ kind: 'nothing', name: 'ended' })
    await jobs.enqueue({ kind: 'nothing', name: 'waiting', scheduledAt: '2199-01-01T00:00:00Z' })
    await jobs.background.runUntilIdle()
    expect(await prune(jobs, 91)).toContain('info: Deleted 1 expired jobs.')
    expect((await jobs.all()).map(({ name }) => name)).toEqual([
      'waiting',
      'System Housekeeping',
      'System Housekeeping',
    ])
  })

  it('deletes past versions of objects', async () => {
    const jobs = await start()
    await history(jobs, 'twice')
    const versions = () => jobs.inventory.query(sql`select from ${systemTable('dcim_site_history')}`)
    expect(await prune(jobs, 89)).toContain('info: Deleted 0 past versions.')
    expect((await versions()).length).toBeGreaterThanOrEqual(2)
    const logs: string[] = []
    // A transaction of another test that ran at the same time keeps versions until there is a later write.
    await eventually(async () => {
      await jobs.inventory.create('dcim.region', { name: `later ${logs.length}`, slug: `later-${logs.length}` })
      logs.push(...(await prune(jobs, 91)))
      expect(await versions()).toEqual([])
    })
    expect(logs).toContainEqual(expect.stringMatching(/^info: Deleted [1-9]\d* past versions\.$/))
  })

  it('keeps past versions forever if the retention is 0', async () => {
    const jobs = await start({ HISTORY_RETENTION: '0' })
    expect(await prune(jobs, 4_000)).toContain('info: The past versions are kept forever.')
  })

  it('deletes expired sessions', async () => {
    const jobs = await start()
    const user = await jobs.inventory.create('users.user', {
      username: 'ann',
      password: 'Long-enough-1',
    })
    await jobs.service.database.script(`
      insert into users_session (digest, user_id, password_digest, created, expires)
      values ('a', ${user}, '', now(), now() + interval '2 days'), ('b', ${user}, '', now(), now() + interval '9 days')`)
    expect(await prune(jobs, 5)).toContain('info: Deleted 1 expired sessions.')
  })

  it('continues with the rest if one part fails, and reports the failure', async () => {
    const failing = {
      subject: 'things',
      prune: async () => {
        throw new Error('no')
      },
    }
    const jobs = await startKinds([housekeepingJob([failing, ...PRUNERS])])
    await jobs.enqueue({ kind: 'housekeeping' })
    await jobs.background.runUntilIdle()
    const [job] = await jobs.all()
    expect(job).toMatchObject({ status: 'errored' })
    expect(job && logOf(job)).toContain('info: Deleted 0 expired jobs.')
  })
})
