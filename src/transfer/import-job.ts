import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { enqueue } from '../automation/jobs/enqueue.ts'
import { JobFailed, type JobKind, type RunningJob } from '../automation/jobs/job-kind.ts'
import type { Progress } from '../base/progress.ts'
import type { User } from '../identity/actor.ts'
import type { TokenVault } from '../identity/vault.ts'
import { isJsonObject, type Json, type JsonObject, stringsIn } from '../schema/json.ts'
import { SYSTEM } from '../schema/system-models.ts'
import type { Service } from '../service.ts'
import { sql } from '../sql/fragment.ts'
import { updateTable } from '../sql/table.ts'
import { BrokenRow } from './broken-row.ts'
import type { Preference } from './counterparts/comparison.ts'
import { type ImportPlan, ImportRefused, needsConsent, planDigest, planLines } from './counterparts/plan.ts'
import { importFromService, importInVersion, importWithConsent } from './import-from-service.ts'
import { SourceError } from './remote/source-error.ts'
import { versionOfDataSet } from './source-version.ts'

const KIND = 'import'
const HOURS = 3_600
/** Percent between two lines of the log. */
const STEP = 10

/** What a person asks for on the page. */
interface RequestedImport {
  readonly source: string
  readonly token: string
  readonly prefer: Preference
}

/** A plan that a job has made, and that waits for a decision: part of the data of the job. */
interface WaitingPlan {
  readonly source: string
  /** Directory with the fetched data. */
  readonly directory: string
  readonly digest: string
  readonly prefer: Preference
  readonly lines: readonly string[]
}

/** Starts the import of everything that a running service shows, as a job of the user. Returns the job's id. */
export async function enqueueImport(
  service: Service,
  vault: Pick<TokenVault, 'encryptText'>,
  user: User,
  { source, token, prefer }: RequestedImport,
): Promise<number> {
  const parameters = { source, token: vault.encryptText(token), prefer }
  return await enqueueWith(service, user, source, parameters)
}

/** Starts the import that a person has agreed to. Returns the job's id. */
export const enqueueAgreed = (service: Service, user: User, { lines: _, ...plan }: WaitingPlan): Promise<number> =>
  enqueueWith(service, user, plan.source, { ...plan })

async function enqueueWith(service: Service, user: User, source: string, parameters: JsonObject): Promise<number> {
  const { id } = await enqueue(service.database, service, {
    kind: KIND,
    name: `Import from ${new URL(source).host}`,
    user: user.id,
    isPrivate: true,
    timeout: 24 * HOURS,
    parameters,
  })
  return id
}

/** The plan in the data of a job; undefined if there is none. */
export function waitingPlan(data: Json | undefined): WaitingPlan | undefined {
  const plan = isJsonObject(data) ? data.import_plan : undefined
  if (!isJsonObject(plan)) return undefined
  const { source, directory, digest, lines, prefer } = plan
  const isPlan = typeof source === 'string' && typeof directory === 'string' && typeof digest === 'string'
  return isPlan ? { source, directory, digest, prefer: preferenceOf(prefer), lines: stringsIn(lines) } : undefined
}

export const preferenceOf = (value: unknown): Preference => (value === 'source' ? 'source' : 'here')

/**
 * The job of an import: its log has the progress, and in the end what is left to do. If the database has objects, the
 * first job only makes the plan, which its page shows; a second one carries it out.
 */
export const importJob = (vault: TokenVault): JobKind => ({
  name: KIND,
  run: async ({ service, job, log, actor, setData }) => {
    if (!actor.isSuperuser) throw new JobFailed('Only superusers may import from a service.')
    const { source, token, digest, directory, prefer } = isJsonObject(job.parameters) ? job.parameters : {}
    if (typeof source !== 'string') throw new JobFailed('The import has no address: start it again.')
    const say = (text: string): void => log.info(text)
    const listener = { say, progress: inSteps((now) => log.info(now)) }
    const core = { service, vault }
    const mode = { prefer: preferenceOf(prefer), actor }
    try {
      const served = await importInVersion(service, undefined, say, async () => {
        if (typeof digest === 'string' && typeof directory === 'string') {
          if (!existsSync(directory)) throw new JobFailed('The fetched data is gone: start the import again.')
          const agree = async (plan: ImportPlan) => planDigest(plan) === digest
          const name = source
          if (!(await importWithConsent(core, directory, listener, { ...mode, name, agree }))) {
            throw new JobFailed('The database has changed since the plan was made: start the import again.')
          }
          const version = await versionOfDataSet(service.registry, directory)
          await rm(directory, { recursive: true })
          return version
        }
        const secret = typeof token === 'string' ? vault.reveal(token) : undefined
        if (secret === undefined) throw new JobFailed('The token cannot be decrypted any more: start the import again.')
        return await importFromService(core, { source, token: secret }, listener, {
          ...mode,
          agree: async (plan, place) => {
            if (!needsConsent(plan)) return true
            const lines = planLines(plan)
            const waiting = {
              source: plan.source,
              directory: place,
              digest: planDigest(plan),
              prefer: mode.prefer,
              lines,
            }
            setData({ import_plan: waiting })
            return false
          },
        })
      })
      if (served) log.success('The import is complete.')
      else log.warning('Nothing has been imported yet: the plan waits for your decision on the page of this job.')
    } catch (error) {
      const isExpected = [SourceError, BrokenRow, ImportRefused].some((kind) => error instanceof kind)
      if (!isExpected || !(error instanceof Error)) throw error
      throw new JobFailed(`${error.message} Nothing has been imported.`)
    } finally {
      await forgetToken(service, job)
    }
  },
})

/** The token is needed once; the record of the job stays. */
const forgetToken = ({ database }: Service, { id }: RunningJob): Promise<number> =>
  database.execute(sql`${updateTable(SYSTEM.jobTask)} set parameters = 'null' where job_id = ${id}::bigint`)

/** Reports the progress of each stage of the import in steps. */
function inSteps(report: (text: string) => void): (now: Progress) => void {
  let reached = -STEP
  return ({ done, total, stage }) => {
    const percent = Math.floor((100 * done) / Math.max(total, 1))
    // Fetching is followed by loading, which begins anew.
    if (percent < reached) reached = -STEP
    if (percent < reached + STEP) return
    reached = percent - (percent % STEP)
    report(`${percent} %: ${stage}`)
  }
}
