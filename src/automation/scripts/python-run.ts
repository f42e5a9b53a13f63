import { basename, dirname } from 'node:path'
import { SERVICE_ACTOR, type User } from '../../identity/actor.ts'
import { isJsonObject, type Json, type JsonObject } from '../../schema/json.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { Service } from '../../service.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import type { PythonProcess } from '../python/host/process.ts'
import { oneTransaction } from './one-transaction.ts'
import { startScriptProcess, takeScriptProcess } from './python-process.ts'
import { pythonText } from './python-text.ts'
import { ScriptQuestions, type ScriptScope } from './script-questions.ts'

/** A run has the limit of its job, which aborts the signal. */
const NO_LIMITS = { processor: Number.POSITIVE_INFINITY, clock: Number.POSITIVE_INFINITY }

/** Limits for loading a file: on a busy machine it takes long. */
const LOADING = { processor: 60_000, clock: 300_000 }

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

/** The error that ended a run: its class, its text, the traceback, and the exception as Python writes it. */
export interface PythonFailure {
  readonly name: string
  readonly message: string
  readonly stack: string
  readonly repr: string
}

/** How a run ended; `tests` are the results of its test methods. `isReverted`: the script wants its changes undone. */
type PythonEnd = { readonly tests: Json } & (
  | { readonly kind: 'finished'; readonly output: Json; readonly isReverted: boolean }
  | ({ readonly kind: 'failed' } & PythonFailure)
)

/** The object of an entry in the log of a script. */
export type LoggedObject = Parameters<ScriptScope['log']>[2]

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
    const { id, base } = scope.request
    const job: JsonObject = {
      ...{ job: 'run', className, variables, data, commit },
      file: await sourceOf(file),
      request: await requestOf(service, scope.person, { id, path: '/api/extras/scripts/', host: new URL(base).host }),
    }
    return endOf(await process.run(job, (question) => questions.answer(question), NO_LIMITS, signal))
  } finally {
    process.kill()
  }
}

function endOf(result: JsonObject): PythonEnd {
  const { error, output = null, tests = {} } = result
  if (!isJsonObject(error)) return { kind: 'finished', output, tests, isReverted: result.isReverted === true }
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

/** The request of a person, as `host.py` shows it to scripts and validators. */
export async function requestOf(
  { database }: Service,
  { id, username, isSuperuser }: User,
  request: { readonly id: string; readonly path: string; readonly host: string },
): Promise<JsonObject> {
  const [row] = await database.query<{ first_name: string; last_name: string; email: string }>(sql`
    select first_name, last_name, email from ${table(SYSTEM.user)} where id = ${id}::bigint`)
  const names = { first_name: '', last_name: '', email: '', ...row }
  return {
    ...{ ...request, method: 'POST' },
    user: { ...names, id, username, is_superuser: isSuperuser, is_active: true },
  }
}

const sourceOf = async (file: string): Promise<JsonObject> => ({
  name: basename(file),
  source: await pythonText(file),
})

/**
 * Describes files one after the other in one interpreter, which is started for the first one and ends with `close`. A
 * file may read the inventory, but not write.
 */
export class PythonDescriber {
  readonly #service: Service
  #process: PythonProcess | undefined

  constructor(service: Service) {
    this.#service = service
  }

  /** The scripts in a file, as `describe.py` lists them. Throws an Error with the reason if it cannot be loaded. */
  async describe(file: string): Promise<Json> {
    const service = this.#service
    const signal = AbortSignal.timeout(LOADING.clock)
    const transaction = oneTransaction(service)
    const questions = new ScriptQuestions({
      ...{
        open: transaction.open,
        actor: SERVICE_ACTOR,
        person: SERVICE_ACTOR,
        branch: undefined,
        log: () => undefined,
      },
      root: dirname(file),
      request: { id: '', base: '', signal },
      respond: async () => ({ status: 503, body: '{"detail":"The script is only being loaded."}' }),
    })
    const result = await this.#run({ job: 'describe', file: await sourceOf(file) }, questions, signal).finally(() =>
      transaction.end('rollback'),
    )
    if (isJsonObject(result.error)) throw new Error(String(result.error.text))
    return result.described ?? null
  }

  async #run(job: JsonObject, questions: ScriptQuestions, signal: AbortSignal): Promise<JsonObject> {
    if (!this.#process?.isUsable) this.#process = await startScriptProcess(this.#service, signal)
    return await this.#process.run(job, (question) => questions.answer(question), LOADING, signal)
  }

  close(): void {
    this.#process?.kill()
  }
}
