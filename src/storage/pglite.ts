import { existsSync, renameSync, rmSync } from 'node:fs'
import { PGlite } from '@electric-sql/pglite'
import type { Database, WriteProblem } from './database.ts'
import { lockDirectory } from './directory-lock.ts'
import { DurableFiles } from './durable-files.ts'
import { databaseUnavailable } from './failures.ts'
import { diskProblem, freeSpaceOf } from './free-space.ts'
import { Lock } from './lock.ts'
import { databaseFiles } from './memory-files.ts'
import { PgliteEngine } from './pglite-engine.ts'
import { type Engine, PgliteSession } from './pglite-session.ts'
import { BUFFERS, EXTENSIONS, preparedFiles, startInMemory } from './prepared-database.ts'
import { rollBackOf } from './roll-back.ts'
import { sessionQueries } from './session-queries.ts'
import { stackDepthFor } from './stack-depth.ts'
import { refuseInsideTransaction, runTransaction } from './transaction.ts'
import { writeFiles } from './write-files.ts'

export interface PgliteOptions {
  /** Directory that belongs to this database alone, made when missing; undefined for memory. */
  readonly directory: string | undefined
  readonly beginning?: Beginning
}

/** Initial content of a new embedded database: the tables of the prepared one, which takes a fraction of the time, or nothing. */
export type Beginning = 'prepared' | 'empty'

const SESSION_SETTINGS = `
  set time zone 'UTC';
  set datestyle to 'ISO, YMD';
  set search_path to public;
  set max_stack_depth to '${stackDepthFor(process.execArgv)}kB';
  set jit to off`

/**
 * PostgreSQL compiled to WebAssembly, inside this process. It has one connection, which all requests
 * share: a query waits while a transaction is open. Throws ConfigurationError when another process
 * has the directory open.
 */
export async function openPglite({
  directory,
  beginning = 'prepared',
}: PgliteOptions): Promise<Database> {
  const unlock = directory === undefined ? () => undefined : lockDirectory(directory)
  try {
    const engine = await startEngine(directory, beginning)
    if (directory === undefined) return await databaseOver(engine, unlock)
    const files = { startEngine: () => startOn(directory), freeBytes: freeSpaceOf(directory) }
    return await databaseOver(engine, unlock, files)
  } catch (error) {
    unlock()
    throw error
  }
}

/** Files of an embedded database that is not in memory. */
export interface EngineFiles {
  /** Starts another engine over the files. */
  startEngine(): Promise<Engine>
  /** Bytes that are free on their disk. */
  freeBytes(): number
}

/**
 * The database of an engine that runs already; closing it ends the engine, then `closed` is called. An engine that fails
 * for good is replaced by another one over the same files, which recovers what was committed.
 */
export async function databaseOver(
  engine: Engine,
  closed: () => void,
  files?: EngineFiles,
): Promise<Database> {
  let session = await startSession(engine)
  const lock = new Lock()
  const writeProblem = (): WriteProblem | undefined => {
    const detail = files && diskProblem(files.freeBytes())
    return detail === undefined ? undefined : { kind: 'storageFull', detail }
  }

  const exclusively = async <T>(work: (session: PgliteSession) => Promise<T>): Promise<T> => {
    refuseInsideTransaction(lock)
    const release = await lock.acquire()
    try {
      if (session.hasFailed && !session.isClosed) session = await restarted(session, files)
      return await work(session)
    } finally {
      release()
    }
  }

  const transaction: Database['transaction'] = (work) =>
    exclusively((session) => runTransaction(lock, session, undefined, work))

  return {
    kind: 'pglite',
    ...sessionQueries(exclusively, () => refuseInsideTransaction(lock)),
    transaction,
    rollBack: rollBackOf(transaction),
    script: (text) => exclusively((session) => session.script(text)),
    writeProblem,
    // The data directory is this process's own: no other process changes anything.
    subscribe: async () => undefined,
    close: () =>
      exclusively(async (session) => {
        if (session.isClosed) return
        await session.close()
        closed()
      }),
  }
}

async function startSession(engine: Engine): Promise<PgliteSession> {
  const session = new PgliteSession(engine)
  await session.script(SESSION_SETTINGS)
  return session
}

/** A session with another engine over the files. Throws `unavailable` where none can be started. */
async function restarted(
  failed: PgliteSession,
  files: EngineFiles | undefined,
): Promise<PgliteSession> {
  try {
    if (!files) throw new Error('The database was in memory')
    return await startSession(await files.startEngine())
  } catch (error) {
    throw databaseUnavailable(new AggregateError([failed.failure, error]))
  }
}

async function startEngine(directory: string | undefined, beginning: Beginning): Promise<Engine> {
  const files = async () => (beginning === 'prepared' ? await preparedFiles() : undefined)
  if (directory === undefined) {
    const archive = await files()
    return await startInMemory(archive && (await databaseFiles(archive)))
  }
  if (!existsSync(directory)) await makeDirectory(directory, await files())
  return await startOn(directory)
}

/** Under another name first: a start that is interrupted leaves nothing half made behind. */
async function makeDirectory(directory: string, files: Uint8Array | undefined): Promise<void> {
  const unfinished = `${directory}.new`
  rmSync(unfinished, { recursive: true, force: true })
  if (files) await writeFiles(files, unfinished)
  else await (await startOn(unfinished)).close()
  renameSync(unfinished, directory)
}

const startOn = (directory: string): Promise<Engine> =>
  PgliteEngine.start({
    fs: new DurableFiles(directory),
    extensions: EXTENSIONS,
    // The defaults switch fsync off: an acknowledged write would not survive a power cut. The usual
    // method, fdatasync, does nothing here.
    startParams: [
      ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
      ...['-c', 'wal_sync_method=fsync'],
      ...BUFFERS,
    ],
  })
