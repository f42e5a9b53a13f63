import { join } from 'node:path'
import { compare, literal } from './compare.ts'
import type { Difference } from './difference.ts'
import { jobsDone } from './event-scenario.ts'
import { type Answer, type Client, jsonOf } from './http-client.ts'
import { isList, isObject, type Json } from './json.ts'
import { differencesOf } from './mismatch-cause.ts'
import { encodeForm } from './multipart.ts'
import type { Outcome } from './outcome.ts'
import type { EventScenario, EventStep } from './recordings.ts'
import { resourceOf } from './resources.ts'
import { stepId } from './scenario.ts'
import { compareStatus, unanswered } from './status.ts'

/** The scripts of the data set: recordings that run them do not contain their source. */
export const RECORDED_SCRIPTS = join(import.meta.dirname, 'recorded-scripts')

/** Recorded ids of scripts that other requests run, with the scripts here. */
export const SCRIPT_NAMES: ReadonlyMap<string, string> = new Map([
  ['1', 'demo.FailScript'],
  ['2', 'demo.HelloScript'],
  ['5', 'oracle_up.Fails'],
  ['6', 'oracle_up.Aborts'],
  ['7', 'oracle_up.Hello'],
])

/** A recorded path with names in place of recorded ids of scripts. */
export const withScriptNames = (path: string): string =>
  path.replace(/(\/extras\/scripts\/)(\d+)\//, (whole, start: string, id: string) => {
    const name = SCRIPT_NAMES.get(id)
    return name === undefined ? whole : `${start}${name}/`
  })

export interface ScriptRun {
  readonly client: Client
  /** API tokens by the names of recorded users. */
  readonly tokens: ReadonlyMap<string, string>
}

/** Endpoints whose responses are compared; for others, only the status is. */
const COMPARED = /^\/api\/(extras\/scripts|core\/jobs)\//

/**
 * Replays one scenario, and waits after each change until no job is left to run. Responses are compared in their form:
 * a number matches any other number, a time any other time, and so on.
 */
export async function runScriptScenario({ scenario, steps }: EventScenario, run: ScriptRun): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const [index, step] of steps.entries()) {
    outcomes.push({
      part: 'scripts',
      id: `script ${stepId(scenario, index)}`,
      scenario,
      resource: resourceOf(step.request.path),
      kind: scenario,
      context: `scripts ${step.request.method}`,
      differences: await runStep(step, run),
    })
  }
  return outcomes
}

async function runStep(step: EventStep, run: ScriptRun): Promise<Difference[]> {
  const { request, response } = step
  try {
    const answer = await run.client.send({
      method: request.method,
      path: withScriptNames(request.path),
      ...(await contentOf(step, run)),
    })
    if (request.method !== 'GET' && answer.status < 300) {
      await jobsDone(run.client, 'extras.script')
    }
    const status = compareStatus(response.status, answer)
    if (status) return [status]
    return COMPARED.test(request.path) ? compareForm(step, answer) : []
  } catch (error) {
    return [unanswered(error)]
  }
}

async function contentOf({ request }: EventStep, { client, tokens }: ScriptRun) {
  const { body = null, user, multipart } = request
  const authorization = user !== undefined && {
    Authorization: user === null ? null : `Token ${tokens.get(user)}`,
  }
  if (multipart) {
    const { file, nope, content } = multipart
    const base64 = Buffer.from(content ?? '').toString('base64')
    const part = { filename: String(file ?? nope), content_type: 'text/plain', base64 }
    const form = encodeForm({}, { [file === undefined ? 'nope' : 'file']: part })
    return { headers: { 'Content-Type': form.contentType, ...authorization }, body: form.body }
  }
  if (body === null) return { headers: { ...authorization }, body: undefined }
  const sent = JSON.stringify(await withScriptId(client, body))
  const headers = { 'Content-Type': 'application/json', ...authorization }
  return { headers, body: Buffer.from(sent) }
}

/** The body of an event rule with the script's id here. */
async function withScriptId(client: Client, body: Json): Promise<Json> {
  if (!isObject(body) || typeof body.action_object_id !== 'number') return body
  const name = SCRIPT_NAMES.get(String(body.action_object_id))
  const answer = await client.send({ method: 'GET', path: `/api/extras/scripts/${name}/` })
  const script = jsonOf(answer)
  return { ...body, action_object_id: isObject(script) ? (script.id ?? null) : null }
}

function compareForm({ request, response }: EventStep, answer: Answer): Difference[] {
  const isRun = request.method === 'POST'
  return differencesOf(compare(formOf(response.body, isRun), formOf(jsonOf(answer) ?? null, isRun), literal))
}

/** Values of a job that has just been started, which a worker may have taken already. */
const OF_WORKERS: ReadonlySet<string> = new Set([...['status', 'started', 'completed', 'data', 'error', 'log_entries']])
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[\d.]*(?:Z|\+00:00)/g
const UUID = /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/g

/**
 * A document with marks in place of values that differ from run to run. `isRun`: it shows a job that has just been
 * started.
 */
function formOf(value: Json, isRun: boolean): Json {
  if (typeof value === 'number') return '(number)'
  if (typeof value === 'string') {
    return value
      .replace(TIME, '(time)')
      .replace(UUID, '(uuid)')
      .replace(/```.*```/s, '(stack)')
      .replace(/^(?:Traceback |\w+: .*\n {4}at ).*$/s, '(stack)')
      .replace(/\bID \d+$/, 'ID (number)')
      .replace(/^(\w+)\.(?:py|ts)$/, '$1.(extension)')
      .replace(/^(?:\{base\}|https?:\/\/[^/]+)\//, '/')
      .replace(/\/\d+\/$/, '/(number)/')
  }
  if (isList(value)) return value.map((item) => formOf(item, isRun))
  if (!isObject(value)) return value
  const isJob = isRun && 'job_id' in value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !(isJob && OF_WORKERS.has(key)))
      .map(([key, item]) => [key, formOf(item, isRun)]),
  )
}
