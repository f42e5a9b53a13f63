import { existsSync, fsyncSync, readdirSync, renameSync, rmSync, statfsSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { type MemoryFS, PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import type { Database, WriteProblem } from './database.ts'
import { lockDirectory } from './directory-lock.ts'
import { databaseUnavailable } from './failures.ts'
import { PgliteEngine } from './pglite-engine.ts'
import { type Engine, PgliteSession } from './pglite-session.ts'
import { rollBackOf } from './roll-back.ts'
import { sessionQueries } from './session-queries.ts'
import { stackDepthFor } from './stack-depth.ts'
import { refuseInsideTransaction, runTransaction } from './transaction.ts'

/** Extensions that a database may enable. */
const EXTENSIONS = { pg_trgm }

/** A restore drops and creates all tables, indexes and views in one transaction, and each of them is a lock until its end. */
const LOCKS = 512

/** The default takes 160 MB of this process for each engine; the operating system caches the files of one on disk anyway. */
const SERVER_MEMORY = ['-c', 'shared_buffers=32MB', '-c', `max_locks_per_transaction=${LOCKS}`] as const

/** Number of files that are flushed at the same time; as many as Node.js has threads for files. */
const FLUSHED_AT_A_TIME = 4

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
 *
 * `directory` belongs to this database alone and is created, with an empty database, if it is missing; undefined for
 * memory.
 */
export async function openPglite(directory: string | undefined): Promise<Database> {
  if (directory === undefined) return await databaseOver(await startInMemory(), () => undefined)
  const unlock = lockDirectory(directory)
  try {
    if (!existsSync(directory)) await makeDirectory(directory)
    const engine = await startOn(directory)
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
  /** Free bytes on their disk. */
  freeBytes(): number
}

/**
 * The database of a running engine; closing it ends the engine and then calls `closed`. An engine that fails for good
 * is replaced by another one over the same files, which recovers everything committed.
 */
export async function databaseOver(engine: Engine, closed: () => void, files?: EngineFiles): Promise<Database> {
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
    // This process owns the data directory: no other process changes anything.
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

/** A session with another engine over the files. Throws `unavailable` if none can be started. */
async function restarted(failed: PgliteSession, files: EngineFiles | undefined): Promise<PgliteSession> {
  try {
    if (!files) throw new Error('The database was in memory')
    return await startSession(await files.startEngine())
  } catch (error) {
    throw databaseUnavailable(new AggregateError([failed.failure, error]))
  }
}

/** Created under another name first, so that an interrupted start leaves nothing half-finished behind. */
async function makeDirectory(directory: string): Promise<void> {
  const unfinished = `${directory}.new`
  rmSync(unfinished, { recursive: true, force: true })
  await (await startOn(unfinished)).close()
  await flushFiles(unfinished)
  renameSync(unfinished, directory)
}

/**
 * PGlite creates a database without waiting until its files are on disk, and later flushes only the files that it
 * changes.
 */
async function flushFiles(directory: string): Promise<void> {
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' })
  const paths = [...names.map((name) => join(directory, name)), directory].values()
  const flushEach = async () => {
    for (const path of paths) {
      const file = await open(path)
      await file.sync()
      await file.close()
    }
  }
  await Promise.all(Array.from({ length: FLUSHED_AT_A_TIME }, flushEach))
}

/** Starts PGlite in memory, over `files` or over an empty database, which takes seconds. */
export const startInMemory = (files?: MemoryFS): Promise<PgliteEngine> =>
  PgliteEngine.start({
    extensions: EXTENSIONS,
    startParams: [...PGlite.defaultStartParams, ...SERVER_MEMORY],
    ...(files && { fs: files }),
  })

const startOn = (directory: string): Promise<Engine> =>
  PgliteEngine.start({
    fs: new DurableFiles(directory),
    extensions: EXTENSIONS,
    // The defaults switch fsync off: an acknowledged write would not survive a power cut. The usual
    // method, fdatasync, does nothing here.
    startParams: [
      ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
      ...['-c', 'wal_sync_method=fsync'],
      ...SERVER_MEMORY,
    ],
  })

/**
 * The directory as PGlite's file system, with the one call that PGlite's version lacks: fsync. Without it, a commit
 * would only be in the operating system's memory.
 */
class DurableFiles extends NodeFS {
  override async init(...[engine, options]: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const made = await super.init(engine, options)
    const preRun = [...(made.emscriptenOpts.preRun ?? [])]
    preRun.push(({ NODEFS }) => {
      const files: unknown = NODEFS
      if (hasStreams(files)) files.stream_ops.fsync = ({ nfd }) => flush(nfd)
    })
    return { emscriptenOpts: { ...made.emscriptenOpts, preRun } }
  }
}

/** The part of Emscripten's file systems that its types leave out. */
interface Streams {
  stream_ops: { fsync?: (stream: { nfd: number }) => number }
}

const hasStreams = (files: unknown): files is Streams =>
  typeof files === 'object' && files !== null && 'stream_ops' in files

function flush(descriptor: number): number {
  fsyncSync(descriptor)
  return 0
}

/** Milliseconds for which a measurement of a disk stays valid. */
const MEASURED_FOR = 100

/** Returns the bytes that are free on the disk of the directory, measured at most ten times a second. */
function freeSpaceOf(directory: string): () => number {
  let measured = { at: Number.NEGATIVE_INFINITY, free: 0 }
  return () => {
    const at = performance.now()
    if (at - measured.at > MEASURED_FOR) {
      const { bavail, bsize } = statfsSync(directory)
      measured = { at, free: bavail * bsize }
    }
    return measured.free
  }
}

const MEBIBYTE = 1024 ** 2

/**
 * Bytes that the embedded database leaves free. Its engine fails for good if it finds no room for its log, which grows
 * by files of 16 MiB, so writes are refused before that happens.
 */
const RESERVE = 64 * MEBIBYTE

/** One sentence that says why nothing can be written with so few free bytes; undefined if there is room. */
const diskProblem = (free: number): string | undefined =>
  free < RESERVE
    ? `The disk with the data is full: ${Math.floor(free / MEBIBYTE)} MiB are free, and writes require ${RESERVE / MEBIBYTE}.`
    : undefined

/** Runs one piece of work at a time, in the order of arrival. */
class Lock {
  #tail: Promise<void> = Promise.resolve()

  /** Resolves when it is the caller's turn, with the function that ends it. */
  async acquire(): Promise<() => void> {
    const before = this.#tail
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#tail = promise
    await before
    return resolve
  }
}
