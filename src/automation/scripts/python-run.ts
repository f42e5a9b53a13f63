import { readFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { SERVICE_ACTOR, type User } from '../../identity/actor.ts'
import { isJsonObject, type Json, type JsonObject } from '../../schema/json.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { Service } from '../../service.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { LimitExceeded } from '../templates/limits.ts'
import type { FromRunner } from './messages.ts'
import { startScriptProcess, takeScriptProcess } from './python-process.ts'
import { ScriptQuestions, type ScriptScope } from './script-questions.ts'

/** Milliseconds of processor time for a run that has no limit of its own; jobs have limits of wall-clock time. */
const NO_LIMIT = 2 ** 31 - 1

/** Maximum milliseconds for loading a file. */
const LONGEST_LOAD = 60_000

/** A run of a class in a file. */
interface PythonOrder {
  /** Absolute path. */
  readonly file: string
  readonly className: string
  readonly variables: JsonObject
  readonly data: Json
  readonly commit: boolean
}

/** What a run may do: the permissions follow from the person and the settings. */
export type PythonScope = Omit<ScriptScope, 'actor'>

/** The last message of a run; `tests` are the results of its test methods. */
type PythonEnd = Extract<FromRunner, { kind: 'finished' | 'failed' }> & { readonly tests: Json }

/** Runs a script in Python. Throws the reason of the signal, or an Error if its process ends early. */
export async function runPython(
  service: Service,
  { file, className, variables, data, commit }: PythonOrder,
  scope: PythonScope,
): Promise<PythonEnd> {
  const { signal } = scope.request
  const questions = new ScriptQuestions({ ...scope, actor: actorOf(service, scope.person) })
  const process = await takeScriptProcess(service, signal)
  try {
    const job: JsonObject = {
      ...{ job: 'run', className, variables, data, commit },
      file: { name: basename(file), source: await readFile(file, 'utf8') },
      request: {
        id: scope.request.id,
        method: 'POST',
        path: '/api/extras/scripts/',
        host: new URL(scope.request.base).host,
      },
    }
    const user = await userValues(service, scope.person)
    const request = { ...(job.request as JsonObject), user } // as just made
    const limits = { processor: NO_LIMIT, clock: NO_LIMIT }
    const result = await process.run({ ...job, request }, (question) => questions.answer(question), limits, signal)
    return endOf(result)
  } catch (error) {
    throw error instanceof LimitExceeded ? signal.reason : error
  } finally {
    process.kill()
  }
}

function endOf(result: JsonObject): PythonEnd {
  const { error, output = null, tests = {} } = result
  if (!isJsonObject(error)) return { kind: 'finished', output, tests }
  const text = (name: string) => String(error[name] ?? '')
  return {
    kind: 'failed',
    name: text('name'),
    message: text('text'),
    stack: text('traceback'),
    repr: text('repr'),
    tests,
  }
}

/** Whose permissions decide what the script may do. */
export const actorOf = ({ settings }: Service, person: User): User =>
  settings.scriptsAllPermissions ? { ...person, isSuperuser: true, grants: SERVICE_ACTOR.grants } : person

/** The person as an object of the model. */
export async function userValues({ database }: Service, { id, username, isSuperuser }: User): Promise<JsonObject> {
  const [row] = await database.query<{ first_name: string; last_name: string; email: string }>(sql`
    select first_name, last_name, email from ${table(SYSTEM.user)} where id = ${id}::bigint`)
  return { first_name: '', last_name: '', email: '', ...row, id, username, is_superuser: isSuperuser, is_active: true }
}

/**
 * The description of the scripts in a file, as `describe.py` makes it. Throws an Error with the reason if the file
 * cannot be loaded. It may read the inventory, but not write.
 */
export async function describePython(service: Service, file: string): Promise<Json> {
  const signal = AbortSignal.timeout(LONGEST_LOAD)
  const questions = new ScriptQuestions({
    ...{
      open: async () => service,
      actor: SERVICE_ACTOR,
      person: SERVICE_ACTOR,
      branch: undefined,
      log: () => undefined,
    },
    root: dirname(file),
    request: { id: '', base: '', signal },
    respond: async () => ({ status: 503, body: '{"detail":"The script is only being loaded."}' }),
  })
  const process = await startScriptProcess(service, signal)
  try {
    const job = { job: 'describe', file: { name: basename(file), source: await readFile(file, 'utf8') } }
    const limits = { processor: LONGEST_LOAD, clock: LONGEST_LOAD }
    const result = await process.run(job, (question) => questions.answer(question), limits, signal)
    if (isJsonObject(result.error)) throw new Error(String(result.error.text))
    return result.described ?? null
  } finally {
    process.kill()
  }
}
