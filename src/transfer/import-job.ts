import { enqueue } from '../automation/jobs/enqueue.ts'
import { JobFailed, type JobKind, type RunningJob } from '../automation/jobs/job-kind.ts'
import type { Progress } from '../base/progress.ts'
import type { User } from '../identity/actor.ts'
import type { TokenVault } from '../identity/vault.ts'
import { isJsonObject } from '../schema/json.ts'
import { SYSTEM } from '../schema/system-models.ts'
import type { Service } from '../service.ts'
import { sql } from '../sql/fragment.ts'
import { updateTable } from '../sql/table.ts'
import { BrokenRow } from './broken-row.ts'
import { importFromService, importInVersion } from './import-from-service.ts'
import { SourceError } from './remote/source-error.ts'

const KIND = 'import'
const HOURS = 3_600
/** Percent between two lines of the log. */
const STEP = 10

/** Starts the import of everything that a running service shows, as a job of the user. Returns the job's id. */
export async function enqueueImport(
  service: Service,
  vault: Pick<TokenVault, 'encryptText'>,
  user: User,
  { source, token }: { readonly source: string; readonly token: string },
): Promise<number> {
  const { id } = await enqueue(service.database, service, {
    kind: KIND,
    name: `Import from ${new URL(source).host}`,
    user: user.id,
    isPrivate: true,
    timeout: 24 * HOURS,
    parameters: { source, token: vault.encryptText(token) },
  })
  return id
}

/** The job of an import: its log has the progress, and in the end what is left to do. */
export const importJob = (vault: TokenVault): JobKind => ({
  name: KIND,
  run: async ({ service, job, log, actor }) => {
    if (!actor.isSuperuser) throw new JobFailed('Only superusers may import from a service.')
    const { source, token } = isJsonObject(job.parameters) ? job.parameters : {}
    const secret = typeof token === 'string' ? vault.reveal(token) : undefined
    if (typeof source !== 'string' || secret === undefined) {
      throw new JobFailed('The token cannot be decrypted any more: start the import again.')
    }
    const say = (text: string): void => log.info(text)
    const progress = inSteps((now) => log.info(now))
    try {
      await importInVersion(service, undefined, say, () =>
        importFromService({ service, vault }, { source, token: secret }, { say, progress }),
      )
      log.success('The import is complete.')
    } catch (error) {
      if (!(error instanceof SourceError) && !(error instanceof BrokenRow)) throw error
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
