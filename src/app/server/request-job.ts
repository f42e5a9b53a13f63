import { REQUEST_JOB } from '../../api/verbs/in-background.ts'
import type { InProcessRequest, InProcessResponse } from '../../automation/jobs/in-process-request.ts'
import { JobFailed, type JobKind } from '../../automation/jobs/job-kind.ts'
import { refuseSecondRun } from '../../automation/jobs/made-changes.ts'
import { isJsonObject, type Json, parseJson } from '../../schema/json.ts'

type Respond = (request: InProcessRequest) => Promise<InProcessResponse>

/** The request, as the job's parameters. */
interface StoredRequest {
  readonly method: string
  /** Below the base path, with the query string. */
  readonly path: string
  readonly base: string
  readonly body: Json
}

/** Jobs that perform a request and store the response in their data: `{status, body}`. */
export const requestJob = (respond: Respond): JobKind => ({
  name: REQUEST_JOB,
  run: async (context) => {
    const { service, job, actor, signal, log, setData } = context
    const { method, path, base, body } = storedRequest(job.parameters)
    await refuseSecondRun(service, job)
    const response = await respond({
      ...{ service, actor, signal, method, path, base },
      body: body ?? undefined,
      id: job.jobId,
    })
    setData({ status: response.status, body: parsed(response.body) })
    log.info(`${method} ${path}: ${response.status}`)
    if (response.status >= 400) throw new JobFailed(`The request was refused with ${response.status}.`)
  },
})

function storedRequest(parameters: Json): StoredRequest {
  if (!isJsonObject(parameters)) throw new Error('The job has no request')
  const { method, path, base, body = null } = parameters
  if (typeof method !== 'string' || typeof path !== 'string' || typeof base !== 'string') {
    throw new Error('The request of the job is incomplete')
  }
  return { method, path, base, body }
}

// The service's own JSON.
const parsed = (text: string | undefined): Json =>
  text === undefined || text === '' ? null : (parseJson(text) as Json)
