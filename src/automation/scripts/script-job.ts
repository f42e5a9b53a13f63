import type { Clock } from '../../base/clock.ts'
import { isJsonObject, type Json, type JsonObject } from '../../schema/json.ts'
import { firstCharacters } from '../../schema/shortened.ts'
import type { InProcessRequest, InProcessResponse } from '../jobs/in-process-request.ts'
import { type JobContext, JobFailed, type JobKind } from '../jobs/job-kind.ts'
import { refuseSecondRun } from '../jobs/made-changes.ts'
import { describedVariables } from './declaration.ts'
import { oneTransaction } from './one-transaction.ts'
import { type LoggedObject, type PythonFailure, type PythonScope, runPython } from './python-run.ts'
import { currentDeclaration, type ScriptLocation, scriptLocation } from './script-location.ts'

/** Name of the kind of job that runs a script. */
export const SCRIPT_JOB = 'script'

/** Arguments of a run, as the job's parameters. */
export interface ScriptParameters {
  readonly data: Json
  /** The data is that of the script's form, checked and complete; otherwise the script gets it as it is. */
  readonly isFormData?: boolean
  readonly commit: boolean
  /** Scheme, host and base path of the URLs that the script sees. */
  readonly base: string
  /** `schema_id` of the branch that the script works in; absent for main. */
  readonly branch?: string | undefined
  /** Id of the change request that the run is a check of. */
  readonly changeRequest?: number
}

/** Maximum length of a result as JSON. Lists of jobs show whole results; larger ones belong in files or objects. */
const LONGEST_RESULT = 250_000
/** Maximum length of an error's message or stack, since a script may throw any text. */
const LONGEST_ERROR = 10_000

type Respond = (request: InProcessRequest) => Promise<InProcessResponse>

/** Jobs that run a script in a separate process, with the API of `respond`, in one transaction. */
export const scriptJob = (respond: Respond): JobKind => ({
  name: SCRIPT_JOB,
  run: async (context) => {
    const { service, job, log } = context
    const { data, ...parameters } = parametersOf(job.parameters)
    const { commit } = parameters
    await refuseSecondRun(service, job)
    const location = await scriptLocation(service, job.object?.id)
    log.debug(`Found ScriptModel ID ${job.object?.id}`)
    const declaration = await currentDeclaration(service, location)
    const variables = parameters.isFormData === true ? describedVariables(declaration) : {}
    log.debug(`Loaded script ${location.module}.${location.name}`)
    log.debug(`Request ID: ${job.jobId}`)
    if (commit) log.info('Executing script (commit enabled)')
    else log.warning('Executing script (commit disabled)')
    await execute(context, location, { data, variables, ...parameters }, respond)
  },
})

function parametersOf(parameters: Json): ScriptParameters {
  const { data = null, commit, base, branch, is_form_data: isFormData } = isJsonObject(parameters) ? parameters : {}
  if (typeof commit !== 'boolean' || typeof base !== 'string') {
    throw new Error('The job of the script is incomplete')
  }
  return { data, commit, base, isFormData: isFormData === true, ...(typeof branch === 'string' && { branch }) }
}

async function execute(
  { service, job, log, signal, actor, setData }: JobContext,
  { root, file, name }: ScriptLocation,
  { data, variables, commit, base, branch }: ScriptParameters & { readonly variables: JsonObject },
  respond: Respond,
): Promise<void> {
  const output = new ScriptLog(service.clock)
  const transaction = oneTransaction(service)
  try {
    const scope: PythonScope = {
      ...{ open: transaction.open, person: actor, branch, respond, root },
      request: { id: job.jobId, base, signal },
      log: (level, message, of) => output.add(level, message, of),
    }
    const end = await runPython(service, { file, className: name, variables, data, commit }, scope)
    output.tests = end.tests
    if (end.kind === 'failed') throw new ScriptFailure(end)
    const { length } = JSON.stringify(end.output)
    if (length > LONGEST_RESULT) {
      throw new JobFailed(
        `The result of the script has ${length} characters as JSON; at most ${LONGEST_RESULT} can be stored. Return less, or write objects instead.`,
      )
    }
    const isKept = commit && !end.isReverted
    await transaction.end(isKept ? 'commit' : 'rollback')
    if (!isKept) output.conclude('info', 'Database changes have been reverted automatically.')
    setData(output.data(end.output))
  } catch (error) {
    await transaction.end('rollback')
    const { summary, logged } = failureTexts(error)
    const reverted = 'Database changes have been reverted due to error.'
    output.conclude('failure', summary)
    output.conclude('info', reverted)
    log.error(logged)
    log.info(reverted)
    setData(output.data(''))
    throw error
  }
}

/** The error that ended a script, with the script's name and stack. */
class ScriptFailure extends Error {
  readonly isOfScript = true
  /** As Python writes the exception. */
  readonly repr: string

  constructor({ name, message, stack, repr }: PythonFailure) {
    super(firstCharacters(message, LONGEST_ERROR))
    this.repr = firstCharacters(repr, LONGEST_ERROR)
    this.name = firstCharacters(name, LONGEST_ERROR)
    this.stack = firstCharacters(stack, LONGEST_ERROR)
  }
}

function failureTexts(error: unknown): { readonly summary: string; readonly logged: string } {
  const { name, message, stack = '' } = error instanceof Error ? error : new Error(String(error))
  if (name === 'JobTimeoutException') {
    // NetBox names the module of the exception in its last line.
    return failureOf(name, message, `Traceback (most recent call last):\n  …\nrq.timeouts.${name}: ${message}`)
  }
  if (error instanceof JobFailed) return { summary: message, logged: message }
  if (name === 'AbortScript') {
    const text = `Script aborted with error: ${message}`
    return { summary: text, logged: text }
  }
  return failureOf(name, message, stack)
}

const failureOf = (name: string, message: string, stack: string) => ({
  summary: `An exception occurred: \`${name}: ${message}\`\n\`\`\`\n${stack}\n\`\`\``,
  logged: `Exception raised during script execution: ${message}`,
})

/**
 * Further entries are dropped: a script that logs in a loop must not fill the database, and lists of jobs show whole
 * logs.
 */
const MOST_ENTRIES = 10_000
const MOST_CHARACTERS = 500_000
const MORE = `The script has logged more than ${MOST_ENTRIES} entries or ${MOST_CHARACTERS} characters; the others are not shown.`

/** The log of a script, in the form of its job's data. */
class ScriptLog {
  readonly #clock: Clock
  readonly #entries: Json[] = []
  /** Results of the script's test methods. */
  tests: Json = {}
  #characters = 0
  #isFull = false

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** `of`: the message of the script, which may name an object. */
  add(status: string, message: string, of?: LoggedObject): void {
    if (this.#isFull) return
    this.#characters += message.length + (of?.object?.length ?? 0) + (of?.url?.length ?? 0)
    this.#isFull = this.#entries.length === MOST_ENTRIES || this.#characters > MOST_CHARACTERS
    if (this.#isFull) this.#push('warning', MORE, undefined)
    else this.#push(status, message, of)
  }

  #push(status: string, message: string, of: LoggedObject | undefined): void {
    const time = new Date(this.#clock.now()).toISOString().replace('Z', '000+00:00')
    this.#entries.push({ time, status, message, obj: of?.object ?? null, url: of?.url ?? null })
  }

  /** As `add`, for the service's own final messages, which are never dropped. */
  conclude(status: string, message: string): void {
    this.#push(status, message, undefined)
  }

  /** The `data` of the job, with the script's result. */
  data(output: Json): Json {
    return { log: [...this.#entries], output, tests: this.tests }
  }
}
