import { spawnSync } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { nextTime } from '../../src/automation/jobs/scheduled-job.ts'
import { readSettings } from '../../src/config/settings.ts'
import { openPostgres } from '../../src/db/postgres.ts'
import { sql } from '../../src/sql/fragment.ts'
import { bucketOfTest } from '../support/bucket.ts'
import { databaseUrlOfTest } from '../support/database.ts'
import { directoryOfTest } from '../support/directory.ts'
import { eventually } from '../support/eventually.ts'
import { environmentOfTest } from '../support/program.ts'
import { type ServerProcess, send, startServer } from '../support/server.ts'

const CLIENTS = 8
const PAUSE = 50
/** Writes of each client before a backup begins. */
const BEFORE = 5

interface Job {
  readonly id: number
  readonly job_id: string
  readonly status: { readonly value: string }
  readonly error: string
  readonly data: { readonly file: string } | null
}

async function listed<T>(server: ServerProcess, path: string): Promise<readonly T[]> {
  const answer = await send(server, 'GET', path)
  return ((await answer.json()) as { results: readonly T[] }).results
}

const jobs = (server: ServerProcess, status: string) =>
  listed<Job>(server, `/api/core/jobs/?name=System+Backup&status=${status}&limit=1000`)

/** Runs the scheduled backup now, and returns its job when it has ended. */
async function runNow(server: ServerProcess): Promise<Job> {
  const [waiting] = await eventually(async () => {
    const scheduled = await jobs(server, 'scheduled')
    expect(scheduled).toHaveLength(1)
    return scheduled
  })
  const answer = await send(server, 'POST', `/api/core/background-tasks/${waiting?.job_id}/enqueue/`)
  expect(answer.status, await answer.text()).toBe(200)
  return await eventually(async () => {
    const job = (await (await send(server, 'GET', `/api/core/jobs/${waiting?.id}/`)).json()) as Job
    expect(['completed', 'errored']).toContain(job.status.value)
    return job
  })
}

const command = (environment: Readonly<Record<string, string>>, ...args: readonly string[]) =>
  spawnSync(process.execPath, ['src/cli/main.ts', ...args], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, ...environment },
  })

async function started(environment: Readonly<Record<string, string>>): Promise<ServerProcess> {
  const server = await startServer({ ...environment, METRICS_ENABLED: 'true' })
  onTestFinished(() => server.kill())
  return server
}

/** The names of sites in the restored backup. */
async function restoredSites(file: string): Promise<ReadonlySet<string>> {
  const url = await databaseUrlOfTest()
  const { status, stderr } = command({ DATA_DIR: directoryOfTest(), DATABASE_URL: url }, 'restore', file)
  expect(status, stderr).toBe(0)
  const database = openPostgres({ url, poolSize: 1, statementTimeout: 0 })
  onTestFinished(() => database.close())
  const rows = await database.queryArrays(sql`select name from dcim_site`)
  return new Set(rows.map(([name]) => String(name)))
}

/** Names of acknowledged sites of each client; it writes until `isOver`. */
async function writeSites(server: ServerProcess, client: number, names: string[], isOver: () => boolean) {
  for (let turn = 0; !isOver(); turn++) {
    const name = `c${client}-${turn}`
    const answer = await send(server, 'POST', '/api/dcim/sites/', { name, slug: name })
    expect(answer.status, await answer.text()).toBe(201)
    names.push(name)
    await delay(PAUSE)
  }
}

describe('a scheduled backup', () => {
  it.each(['directory', 'bucket'])(
    'is made in a %s while clients write, can be restored, and replaces the oldest',
    async (kind) => {
      const bucket = kind === 'bucket' ? await bucketOfTest() : undefined
      const place = directoryOfTest()
      const environment = {
        ...(await environmentOfTest()),
        ...{
          BACKUP_SCHEDULE: '7d',
          BACKUP_KEEP: '1',
          BACKUP_DIRECTORY: bucket ? `${bucket.url}/nightly` : place,
          ...bucket?.keys,
        },
      }
      const server = await started(environment)
      // Several processes make one backup.
      await started(environment)
      const files = () =>
        bucket?.files() ??
        readdirSync(place)
          .toSorted()
          .map((name) => join(place, name))

      let isOver = false
      const ledger: string[][] = Array.from({ length: CLIENTS }, () => [])
      const writing = Promise.all(ledger.map((names, client) => writeSites(server, client, names, () => isOver)))
      await eventually(() => expect(Math.min(...ledger.map(({ length }) => length))).toBeGreaterThan(BEFORE))
      const before = ledger.map((names) => [...names])
      const first = await runNow(server)
      isOver = true
      await writing
      expect([first.status.value, first.error]).toEqual(['completed', ''])
      const [file = ''] = files()
      const restored = await restoredSites(file)
      for (const [client, names] of ledger.entries()) {
        const stored = names.filter((name) => restored.has(name))
        // A snapshot contains the first writes of each client, at least those from before the backup.
        expect(stored).toEqual(names.slice(0, stored.length))
        expect(stored.length).toBeGreaterThanOrEqual(before[client]?.length ?? 0)
      }

      const second = await runNow(server)
      const made = [first, second].map(({ data }) => data?.file.split('/').at(-1))
      expect(new Set(made).size).toBe(2)
      expect(
        files().map((path) =>
          path
            .replace(/\._S3rver_object$/, '')
            .split('/')
            .at(-1),
        ),
      ).toEqual(made.slice(1))
      expect(await jobs(server, 'completed')).toHaveLength(2)
      const metrics = await (await send(server, 'GET', '/metrics')).text()
      expect(metrics).toMatch(/^cadastre_backup_last_success_timestamp_seconds 1\d{9}/m)
      expect(metrics).toMatch(/^cadastre_backup_failed 0$/m)
      await server.stop()
      expect(command(environment, 'doctor').stdout).toContain('ok       backups: The last one was made at 2')
    },
  )

  it('that fails is reported in the log, in the metrics and by doctor', async () => {
    const file = join(directoryOfTest(), 'a-file')
    writeFileSync(file, '')
    const environment = { ...(await environmentOfTest()), BACKUP_SCHEDULE: '02:30', BACKUP_DIRECTORY: file }
    const server = await started(environment)
    let output = ''
    server.process.stdout?.on('data', (chunk) => {
      output += chunk
    })
    expect((await runNow(server)).status.value).toBe('errored')
    await eventually(() => expect(output).toContain('the job System Backup failed'))
    expect(await (await send(server, 'GET', '/metrics')).text()).toMatch(/^cadastre_backup_failed 1$/m)
    await server.stop()
    expect(command(environment, 'doctor').stdout).toContain('WARNING  backups: None has been made')
  })
})

it.each([
  ['02:30', '2026-11-26T01:00:00Z', '2026-11-26T02:30:00.000Z'],
  ['02:30', '2026-11-26T02:30:00Z', '2026-11-27T02:30:00.000Z'],
  ['14:30, 02:30', '2026-11-26T02:31:00Z', '2026-11-26T14:30:00.000Z'],
  ['6h', '2026-11-26T07:00:00Z', '2026-11-26T12:00:00.000Z'],
  ['30m', '2026-11-26T07:00:00Z', '2026-11-26T07:30:00.000Z'],
])('of %s, the next time after %s is %s', (text, after, expected) => {
  const { backupSchedule } = readSettings({ BACKUP_SCHEDULE: text })
  expect(backupSchedule && new Date(nextTime(backupSchedule, Date.parse(after))).toISOString()).toBe(expected)
})

it.each(['', 'daily', '25:00', '0h', '1w'])('the schedule %j is refused, or none', (text) => {
  const read = () => readSettings({ BACKUP_SCHEDULE: text }).backupSchedule
  if (text === '') expect(read()).toBeUndefined()
  else expect(read).toThrow('BACKUP_SCHEDULE must be times of the day in UTC')
})
