import { Socket } from 'node:net'
import type pg from 'pg'
import { ApiError } from '../base/errors.ts'
import { Batch, type Sent } from './batch.ts'
import type { Connection, QueryResult, RowFormat } from './connection.ts'
import { encode } from './encode.ts'
import { databaseUnavailable, isSkipped, StatementFailed, tooManyValues, translateFailure } from './failures.ts'
import { StatementCache } from './statement-cache.ts'

const PREPARED_PER_CONNECTION = 300
// A table changed under a prepared statement, or the statement was deallocated: prepare it again next time.
const STALE: ReadonlySet<string> = new Set(['0A000', '26000'])

/** One connection of the pool and what it has prepared. */
export class PostgresSession implements Connection {
  isLost = false
  /** Number of the server's process; undefined if a pooler shares connections to the server. */
  pid: number | undefined
  readonly #client: pg.PoolClient
  readonly #prepared: StatementCache
  /** Names of statements that are no longer used, to be closed on the server. */
  readonly #obsolete: string[] = []
  /** Statements issued since the last batch was sent. */
  #gathered: Sent[] = []
  #isGathering = false
  #isUnderWay = false
  /** Scripts under way. */
  #scripts = 0
  #sent = 0

  /** `prepares`: whether statements may be prepared under names, which poolers in transaction mode mix up. */
  constructor(client: pg.PoolClient, prepares: boolean) {
    this.#client = client
    this.#prepared = new StatementCache(prepares ? PREPARED_PER_CONNECTION : 0)
    // Without a listener, a connection that breaks between two statements would end the process.
    client.on('error', () => {
      this.isLost = true
    })
  }

  /** Statements are collected until a result is needed and then sent in one message, since each message costs time. */
  pipelineId(): object {
    return this.#gathered
  }

  run(text: string, values: readonly unknown[], format: RowFormat): Promise<QueryResult> {
    const refused = tooManyValues(values)
    if (refused) return Promise.reject(translateFailure(refused, text))
    return new Promise((resolve, reject) => {
      const encoded = values.map(encode)
      const { name = '', isNew, fields, evicted } = this.#prepared.choose(text)
      if (evicted !== undefined) this.#obsolete.push(evicted)
      this.#put({
        ...{ text, name, isNew, values: encoded, format, fields },
        obsolete: this.#obsolete.splice(0),
        resolve: (answer, described) => {
          if (!fields) this.#prepared.describe(text, name, described)
          resolve(answer)
        },
        reject: (error) => reject(this.#failureOf(text, { name, isNew }, error)),
      })
    })
  }

  /** The reason why the statement failed; it is then prepared again if that may be necessary. */
  #failureOf(
    text: string,
    { name, isNew }: { readonly name: string; readonly isNew: boolean },
    error: unknown,
  ): unknown {
    const failure = this.#translate(error, text)
    // It is unknown whether the server prepared a new statement before the failure.
    if (name !== '' && (isNew || isStale(failure))) {
      this.#prepared.forget(text)
      this.#obsolete.push(name)
    }
    return failure
  }

  async script(text: string): Promise<void> {
    // The library preserves the order.
    this.#send()
    this.#scripts += 1
    this.#sent += 1
    try {
      await this.#client.query(text)
    } catch (error) {
      throw this.#translate(error, text)
    } finally {
      this.#scripts -= 1
    }
  }

  /** Changes whenever something was sent or received; undefined while no answer is awaited. */
  get progress(): string | undefined {
    const { stream } = this.#client.connection
    const received = stream instanceof Socket ? stream.bytesRead : 0
    return this.#isUnderWay || this.#scripts > 0 ? `${this.#sent} ${received}` : undefined
  }

  /** Closes the connection: statements that wait on it, and later ones, fail as `unavailable`. */
  end(): void {
    this.#client.end().catch(() => undefined)
  }

  command(text: string): Promise<string> {
    return this.run(text, [], 'arrays').then(
      ({ command }) => command,
      (error) => {
        // The state of the transaction is unknown: the pool must not reuse this connection.
        if (!isSkipped(error)) this.isLost = true
        throw error
      },
    )
  }

  #put(sent: Sent): void {
    this.#gathered.push(sent)
    if (this.#isGathering || this.#isUnderWay) return
    this.#isGathering = true
    process.nextTick(() => {
      this.#isGathering = false
      this.#send()
    })
  }

  #send(): void {
    const statements = this.#gathered
    if (statements.length === 0) return
    this.#gathered = []
    this.#isUnderWay = true
    this.#sent += 1
    const batch = new Batch(statements, () => {
      this.#isUnderWay = false
      this.#send()
    })
    this.#client.query(batch)
  }

  #translate(error: unknown, text: string): unknown {
    if (this.isLost) return databaseUnavailable(error)
    const failure = translateFailure(error, text)
    this.isLost = isUnavailable(failure)
    return failure
  }
}

const isStale = (failure: unknown): boolean => failure instanceof StatementFailed && STALE.has(failure.code)

const isUnavailable = (failure: unknown): boolean =>
  failure instanceof ApiError && failure.reason.kind === 'unavailable'
