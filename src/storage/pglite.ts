import { existsSync, renameSync, rmSync } from 'node:fs'
import { PGlite } from '@electric-sql/pglite'
import { serialize } from 'pg-protocol'
import type { Connection, QueryResult, RowFormat } from './connection.ts'
import type { Database, WriteProblem } from './database.ts'
import { lockDirectory } from './directory-lock.ts'
import { DurableFiles } from './durable-files.ts'
import { encode } from './encode.ts'
import { databaseUnavailable, translateFailure } from './failures.ts'
import { diskProblem, freeSpaceOf } from './free-space.ts'
import { Lock } from './lock.ts'
import { databaseFiles } from './memory-files.ts'
import { BUFFERS, EXTENSIONS, preparedFiles, startInMemory } from './prepared-database.ts'
import { Received } from './received.ts'
import { rollBackOf } from './roll-back.ts'
import { readResult } from './server-messages.ts'
import { StatementCache } from './statement-cache.ts'
import { protocolMessagesOf, type WireStatement } from './statement-messages.ts'
import { queryableOver, refuseInsideTransaction, runTransaction } from './transaction.ts'
import { writeFiles } from './write-files.ts'

export interface PgliteOptions {
  /** Directory that belongs to this database alone, made when missing; undefined for memory. */
  readonly directory: string | undefined
  readonly beginning?: Beginning
}

/** Initial content of a new embedded database: the tables of the prepared one, which takes a fraction of the time, or nothing. */
export type Beginning = 'prepared' | 'empty'

/** The engine keeps a plan for each, some of a hundred kilobytes. */
const PREPARED = 300

const SESSION_SETTINGS = `
  set time zone 'UTC';
  set datestyle to 'ISO, YMD';
  set search_path to public;
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
  startEngine(): Promise<PGlite>
  /** Bytes that are free on their disk. */
  freeBytes(): number
}

/**
 * The database of an engine that runs already; closing it ends the engine, then `closed` is called. An engine that fails
 * for good is replaced by another one over the same files, which recovers what was committed.
 */
export async function databaseOver(
  engine: PGlite,
  closed: () => void,
  files?: EngineFiles,
): Promise<Database> {
  let session = await startSession(engine)
  const lock = new Lock()
  const writeProblem = (): WriteProblem | undefined => {
    const detail = files && diskProblem(files.freeBytes())
    return detail === undefined ? undefined : { kind: 'storageFull', detail }
  }

  const exclusively = async <T>(work: (session: Session) => Promise<T>): Promise<T> => {
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
    ...queryableOver({ run: (...call) => exclusively((session) => session.run(...call)) }),
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

async function startSession(engine: PGlite): Promise<Session> {
  const session = new Session(engine)
  await session.script(SESSION_SETTINGS)
  return session
}

/** A session with another engine over the files. Throws `unavailable` where none can be started. */
async function restarted(failed: Session, files: EngineFiles | undefined): Promise<Session> {
  try {
    if (!files) throw new Error('The database was in memory')
    return await startSession(await files.startEngine())
  } catch (error) {
    throw databaseUnavailable(new AggregateError([failed.failure, error]))
  }
}

async function startEngine(directory: string | undefined, beginning: Beginning): Promise<PGlite> {
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

const startOn = (directory: string): Promise<PGlite> =>
  PGlite.create({
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

/**
 * The conversation, in the wire protocol. PGlite's own query() asks four times per statement and
 * parses the text each time; here parse, bind, describe, execute and sync go out as one message, and
 * repeated texts are prepared.
 */
class Session implements Connection {
  isClosed = false
  /** With which the engine failed for good; it would never answer again. */
  failure: Error | undefined
  readonly #engine: PGlite
  readonly #prepared = new StatementCache(PREPARED)
  readonly #received = new Received()

  constructor(engine: PGlite) {
    this.#engine = engine
  }

  pipelineId(): object {
    return {}
  }

  get hasFailed(): boolean {
    return this.failure !== undefined
  }

  /** Ends the engine, unless it has failed: then it cannot even be ended, and its memory is left to the collector. */
  async close(): Promise<void> {
    this.isClosed = true
    if (!this.hasFailed) await this.#engine.close()
  }

  async run(text: string, values: readonly unknown[], format: RowFormat): Promise<QueryResult> {
    const { name = '', isNew, evicted } = this.#prepared.choose(text)
    const statement: WireStatement = {
      ...{ text, name, isNew, values: values.map(encode), fields: undefined },
      obsolete: evicted === undefined ? [] : [evicted],
    }
    const messages = [...protocolMessagesOf(statement), serialize.sync()]
    try {
      return await this.#exchange(messages, format)
    } catch (error) {
      this.#prepared.forget(text)
      if (name !== '' && !this.hasFailed)
        await this.#exchange([serialize.close({ type: 'S', name }), serialize.sync()], format)
      throw translateFailure(error, text)
    }
  }

  async script(text: string): Promise<void> {
    try {
      await this.#exchange([serialize.query(text)], 'arrays')
      // Plans of tables that the script has changed would fail.
      const deallocated = this.#exchange([serialize.query('deallocate all')], 'arrays')
      // Before anything is awaited: these names must not be used again.
      this.#prepared.clear()
      await deallocated
    } catch (error) {
      throw translateFailure(error, text)
    }
  }

  async command(text: string): Promise<string> {
    try {
      return (await this.#exchange([serialize.query(text)], 'arrays')).command
    } catch (error) {
      throw translateFailure(error, text)
    }
  }

  /**
   * Blocks until the engine has answered. Throws the server's first error. As a stream, which the engine neither parses
   * nor keeps: of what it is asked otherwise it gathers the parsed messages for ever.
   */
  async #exchange(messages: readonly Uint8Array[], format: RowFormat): Promise<QueryResult> {
    if (this.isClosed) throw databaseUnavailable(new Error('The database is closed'))
    if (this.failure) throw databaseUnavailable(this.failure)
    const carriedOut = this.#engine.execProtocolRawStream(Buffer.concat(messages), {
      syncToFs: false,
      onRawData: (part) => this.#received.add(part),
    })
    // Before anything is awaited: the next query's result overwrites this one.
    const [answer] = await Promise.all([this.#read(format), carriedOut])
    return answer
  }

  async #read(format: RowFormat): Promise<QueryResult> {
    try {
      return readResult(this.#received.bytes, format)
    } catch (error) {
      if (isPanic(error)) this.failure = error
      throw error
    } finally {
      this.#received.clear()
    }
  }
}

/** Whether PostgreSQL says that its process cannot go on. */
const isPanic = (error: unknown): error is Error =>
  error instanceof Error && 'severity' in error && error.severity === 'PANIC'
