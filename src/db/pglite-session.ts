import type { PGlite } from '@electric-sql/pglite'
import { DatabaseError, serialize } from 'pg-protocol'
import { CommandCompleteMessage, DataRowMessage, RowDescriptionMessage } from 'pg-protocol/dist/messages'
import { Parser } from 'pg-protocol/dist/parser'
import type { Connection, QueryResult, RowFormat } from './connection.ts'
import { encode } from './encode.ts'
import { databaseUnavailable, translateFailure } from './failures.ts'
import { formattedRow, NO_COLUMNS, parseCommandTag, type ResultColumns, resultColumnsOf } from './fields.ts'
import { EngineFault } from './pglite-engine.ts'
import { StatementCache } from './statement-cache.ts'
import { protocolMessagesOf, type WireStatement } from './statement-messages.ts'

/** The engine keeps a plan for each, some of a hundred kilobytes. */
const PREPARED = 300

/** The part of PGlite that a session uses. */
export interface Engine extends Pick<PGlite, 'execProtocolRawStream' | 'close'> {
  /** Why the engine must no longer be used. */
  readonly fault?: EngineFault | undefined
}

/**
 * The conversation, in the wire protocol. PGlite's own query() asks four times per statement and
 * parses the text each time; here parse, bind, describe, execute and sync go out as one message, and
 * repeated texts are prepared.
 */
export class PgliteSession implements Connection {
  isClosed = false
  /** The error with which the engine failed for good; it would never respond again. */
  failure: Error | undefined
  readonly #engine: Engine
  readonly #prepared = new StatementCache(PREPARED)

  constructor(engine: Engine) {
    this.#engine = engine
  }

  pipelineId(): object {
    return {}
  }

  get hasFailed(): boolean {
    return this.failure !== undefined
  }

  /**
   * Ends the engine, unless it has failed: it cannot be ended then, and its memory is left to the garbage collector.
   */
  async close(): Promise<void> {
    this.isClosed = true
    if (!this.hasFailed) await this.#engine.close()
  }

  async run(text: string, values: readonly unknown[], format: RowFormat): Promise<QueryResult> {
    const { name = '', isNew, fields, evicted } = this.#prepared.choose(text)
    const statement: WireStatement = {
      ...{ text, name, isNew, values: values.map(encode), fields },
      obsolete: evicted === undefined ? [] : [evicted],
    }
    const messages = [...protocolMessagesOf(statement), serialize.sync()]
    try {
      const result = await this.#exchange(messages, format, fields)
      if (!fields) this.#prepared.describe(text, name, result.fields)
      return result
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
   * nor keeps; in its other modes it collects the parsed messages forever.
   */
  async #exchange(messages: readonly Uint8Array[], format: RowFormat, fields?: ResultColumns): Promise<ReadResult> {
    if (this.isClosed) throw databaseUnavailable(new Error('The database is closed'))
    if (this.failure) throw databaseUnavailable(this.failure)
    const reader = new ResultReader(format, fields)
    const carriedOut = this.#engine.execProtocolRawStream(Buffer.concat(messages), {
      syncToFs: false,
      onRawData: (part) => reader.add(part),
    })
    // Before anything is awaited: no other statement may reach an engine that has failed.
    const [result] = await Promise.all([this.#resultOf(reader), carriedOut])
    return result
  }

  async #resultOf(reader: ResultReader): Promise<ReadResult> {
    try {
      if (this.#engine.fault) throw this.#engine.fault
      return reader.result
    } catch (error) {
      if (error instanceof EngineFault || isPanic(error)) this.failure = error
      throw error
    }
  }
}

/** Whether PostgreSQL says that its process cannot continue. */
const isPanic = (error: unknown): error is Error =>
  error instanceof Error && 'severity' in error && error.severity === 'PANIC'

/** A result, and its columns. */
interface ReadResult extends QueryResult {
  readonly fields: ResultColumns
}

/**
 * Reads the embedded server's response to one statement or script, in parts of any length. With the parser of `pg`,
 * which takes a tenth of the time of PGlite's.
 */
class ResultReader {
  readonly #format: RowFormat
  readonly #parser = new Parser()
  readonly #rows: unknown[] = []
  #fields: ResultColumns
  #tag = ''
  /** The first error, the server's or one of decoding. */
  #failure: unknown

  /** `known`: the columns of a statement that is not described again. */
  constructor(format: RowFormat, known: ResultColumns = NO_COLUMNS) {
    this.#format = format
    this.#fields = known
  }

  /** `bytes` lie in the engine's memory, which changes; the parser keeps the beginning of a message until the rest comes. */
  add(bytes: Uint8Array): void {
    this.#parser.parse(Buffer.from(bytes), (message) => {
      if (message instanceof DataRowMessage) this.#addRow(message.fields)
      else if (message instanceof RowDescriptionMessage) this.#fields = resultColumnsOf(message.fields)
      else if (message instanceof CommandCompleteMessage) this.#tag = message.text
      else if (message instanceof DatabaseError) this.#failure ??= message
    })
  }

  #addRow(values: readonly (string | null)[]): void {
    try {
      this.#rows.push(formattedRow(values, this.#fields, this.#format))
    } catch (error) {
      this.#failure ??= error
    }
  }

  /** The result, when everything has arrived. Throws the first error. */
  get result(): ReadResult {
    if (this.#failure !== undefined) throw this.#failure
    return { rows: this.#rows, fields: this.#fields, ...parseCommandTag(this.#tag) }
  }
}
