import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import type { JobContext, JobKind } from '../../automation/jobs/job-kind.ts'
import { runsJobs } from '../../automation/jobs/runs-jobs.ts'
import { scheduledJob } from '../../automation/jobs/scheduled-job.ts'
import { currentTimestamp } from '../../base/clock.ts'
import { isBucket } from '../../base/s3.ts'
import type { BackgroundWork } from '../../changes/background/background.ts'
import type { Settings } from '../../config/settings.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { Service } from '../../service.ts'
import { sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { table } from '../../sql/table.ts'
import { S3Bucket } from '../../write/media/s3-bucket.ts'

const KIND = 'backup'
const JOB = { kind: KIND, name: 'System Backup', queue: 'low', timeout: 24 * 3_600 } as const

/** Names of the files, which deploy/cadastre-backup uses too; they sort by time. */
const FILE = /^cadastre-\d{4}-\d\d-\d\dT\d{6}\.tar\.gz$/

/**
 * The job and its schedule; a process without BACKUP_SCHEDULE has neither, so that other processes make the backups.
 */
export function scheduledBackups(service: Service): {
  readonly kinds: readonly JobKind[]
  readonly work: readonly BackgroundWork[]
} {
  const { backupSchedule } = service.startSettings
  if (!backupSchedule || !runsJobs(service)) return { kinds: [], work: [] }
  return { kinds: [{ name: KIND, run: makeBackup }], work: [scheduledJob(service, JOB, backupSchedule)] }
}

/** The backups that the service has made. */
interface BackupState {
  /** Milliseconds since 1970; undefined if there is none, or its job has been deleted. */
  readonly lastSuccess: number | undefined
  /** Whether the last finished backup failed. */
  readonly hasFailed: boolean
}

export async function backupState(queryable: Queryable): Promise<BackupState> {
  const jobs = sql`${table(SYSTEM.job)} where name = ${JOB.name} and of_service`
  const [row] = await queryable.query<{ success: number | null; status: string | null }>(sql`
    select (select extract(epoch from max(completed))::float8 * 1000 from ${jobs} and status = 'completed') as success,
      (select status from ${jobs} and status in ('completed', 'errored', 'failed') order by id desc limit 1) as status`)
  return {
    lastSuccess: row?.success ?? undefined,
    hasFailed: row?.status === 'errored' || row?.status === 'failed',
  }
}

/** Destination of the backups. */
export const backupPlace = ({ backupDirectory, dataDir }: Settings): string =>
  backupDirectory ?? join(dataDir, 'backups')

async function makeBackup({ service, log, signal, setData }: JobContext): Promise<void> {
  const { startSettings: settings, clock } = service
  const place = backupPlace(settings)
  const directory = isBucket(place) ? join(settings.dataDir, 'backups') : place
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const name = `cadastre-${currentTimestamp(clock).slice(0, 19).replaceAll(':', '')}.tar.gz`
  const file = join(directory, name)
  try {
    log.info(await writtenBackup(file, signal))
    if (isBucket(place)) await new S3Bucket(place, settings).put(file, signal)
  } catch (error) {
    await rm(file, { force: true })
    throw error
  } finally {
    await rm(`${file}.partial`, { force: true })
    if (isBucket(place)) await rm(file, { force: true })
  }
  setData({ file: isBucket(place) ? `${place.replace(/\/$/, '')}/${name}` : file })
  for (const old of await removeOld(place, settings)) log.info(`${old} has been deleted.`)
}

/** Runs the command `backup`, which writes the file and reads it back, in a separate process; returns what it prints. */
async function writtenBackup(file: string, signal: AbortSignal): Promise<string> {
  const child: ChildProcess = spawn(
    process.execPath,
    [...process.execArgv, process.argv[1] ?? '', 'backup', resolve(file)],
    { stdio: ['ignore', 'pipe', 'pipe'], signal },
  )
  const { stdout, stderr } = child
  if (!stdout || !stderr) throw new Error('The command has no output.')
  const [printed, problem, [code]] = await Promise.all([text(stdout), text(stderr), once(child, 'close')])
  if (code !== 0) throw new Error(problem.trim() || `The command ended with ${String(code)}.`)
  return printed.trim()
}

/** Deletes all except the newest files; files with other names are kept. Returns the names of the deleted files. */
async function removeOld(place: string, settings: Settings): Promise<readonly string[]> {
  const bucket = isBucket(place) ? new S3Bucket(place, settings) : undefined
  const names = bucket ? await bucket.list('cadastre-') : await readdir(place)
  const old = names
    .filter((name) => FILE.test(name))
    .toSorted()
    .slice(0, -settings.backupKeep)
  for (const name of old) await (bucket ? bucket.remove(name) : rm(join(place, name)))
  return old
}
