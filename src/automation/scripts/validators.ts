import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isJsonObject, type Json, type JsonObject, objectsIn } from '../../schema/json.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { type AnyRow, NotReady, type Refusal } from '../../schema/rule.ts'
import type { Service } from '../../service.ts'
import type { WriteContext } from '../../write/context.ts'
import type { Validators } from '../../write/validate/validators.ts'
import { LimitExceeded } from '../python/host/limits.ts'
import type { PythonProcess } from '../python/host/process.ts'
import { visibleColumns } from '../python/questions/model-descriptions.ts'
import { serviceWithin } from './one-transaction.ts'
import { startScriptProcess } from './python-process.ts'
import { actorOf, requestOf } from './python-run.ts'
import { ScriptQuestions } from './script-questions.ts'
import { scriptsDirectory } from './scripts-root.ts'

/** Milliseconds that the validators of one write may take. */
const LIMITS = { processor: 10_000, clock: 30_000 }
/** Milliseconds in which their interpreter has to start. */
const LONGEST_START = 120_000

/** The process of a registry's validators. It takes one job at a time. */
interface Running {
  process?: PythonProcess | undefined
  version?: string
  last: Promise<unknown>
  /** The models have been replaced: the process ends after each job. */
  isRetired?: true
}
const running = new WeakMap<Registry, Running>()

/**
 * What validators in Python refuse. They run in one process that stays: it is started by the first write that needs it,
 * and again when a file of theirs has changed. They read what the write may read, within its transaction, and write
 * nothing.
 */
export const pythonRefusals: Validators = async (context, names, objects) => {
  const { service } = context
  const state = running.get(service.registry) ?? { last: Promise.resolve() }
  running.set(service.registry, state)
  const version = versionOf(service, names)
  const { process } = state
  // A write must not keep its transaction open while an interpreter starts.
  if (!process?.isUsable || state.version !== version) {
    throw new NotReady(inTurn(state, () => restart(state, service, version)))
  }
  return await inTurn(state, async () => {
    try {
      return await judged(process, context, names, objects)
    } finally {
      if (state.isRetired) process.kill()
    }
  })
}

/** Ends the process. All services of a registry share it. */
export const closeValidators = (registry: Registry): void => running.get(registry)?.process?.kill()

/** For models that have been replaced: the process ends as soon as it has judged the writes that wait for it. */
export function retireValidators(registry: Registry): void {
  const state = running.get(registry)
  if (!state) return
  state.isRetired = true
  void inTurn(state, async () => state.process?.kill())
}

function inTurn<T>(state: Running, work: () => Promise<T>): Promise<T> {
  const turn = state.last.then(work, work)
  state.last = turn
  return turn
}

async function restart(state: Running, service: Service, version: string): Promise<void> {
  if (state.process?.isUsable && state.version === version) return
  state.process?.kill()
  state.process = await startScriptProcess(service, AbortSignal.timeout(LONGEST_START))
  state.process.hold(false)
  state.version = version
}

async function judged(
  process: PythonProcess,
  { service, transaction, actor, requestId }: WriteContext,
  names: readonly string[],
  objects: Parameters<Validators>[2],
): Promise<readonly Refusal[]> {
  const inTransaction = serviceWithin(service, transaction)
  const signal = AbortSignal.timeout(LIMITS.clock)
  const questions = new ScriptQuestions({
    ...{
      open: async () => inTransaction,
      actor: actorOf(service, actor),
      person: actor,
      branch: undefined,
      log: () => undefined,
    },
    root: scriptsDirectory(service.settings),
    request: { id: requestId, base: '', signal },
    respond: async () => ({ status: 403, body: '{"detail":"A validator cannot write."}' }),
  })
  const origin = { id: requestId, path: '/api/', host: '' }
  const job: JsonObject = {
    job: 'validate',
    request: actor.id === 0 ? null : await requestOf(inTransaction, actor, origin),
    objects: objects.map(({ model, row, isNew }) => ({
      ...{ model: model.name, validators: [...names] },
      row: { ...plainRow(model, row), id: isNew ? null : Number(row.id) },
    })),
  }
  process.hold(true)
  try {
    const result = await process.run(job, (question) => questions.answer(question), LIMITS)
    if (typeof result.failed === 'string') return objects.map(() => ({ __all__: String(result.failed) }))
    return objectsIn(result.errors ?? null).map((errors) => errors as Refusal) // lists of texts by field
  } catch (error) {
    if (!(error instanceof LimitExceeded)) throw error
    return objects.map(() => ({ __all__: 'The validators in CUSTOM_VALIDATORS took too long.' }))
  } finally {
    process.hold(false)
  }
}

/** The values of a row that scripts may read. */
const plainRow = (model: Model, row: AnyRow): JsonObject =>
  Object.fromEntries(
    visibleColumns(model).flatMap(({ key }) => {
      const value = row[key]
      const isFile = typeof value === 'object' && value !== null && !Array.isArray(value) && !isJsonObject(value)
      return value === undefined || isFile ? [] : [[key, value as Json]]
    }),
  )

/** Changes when a file of the classes is written. */
const versionOf = ({ settings }: Service, names: readonly string[]): string =>
  names
    .map((name) => join(scriptsDirectory(settings), `${name.split('.').slice(0, -1).join('/')}.py`))
    .map((path) => (existsSync(path) ? `${path} ${statSync(path).mtimeMs}` : path))
    .join(' ')
