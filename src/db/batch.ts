import { serialize } from 'pg-protocol'
import type { QueryResult, RowFormat } from './connection.ts'
import { skipped } from './failures.ts'
import { formattedRow, NO_COLUMNS, parseCommandTag, type ResultColumns, resultColumnsOf } from './fields.ts'

/** A statement in the form in which it is sent to a server. */
interface WireStatement {
  readonly text: string
  /** Name under which it is kept prepared; empty if it is not. */
  readonly name: string
  /** The server does not know the statement yet. */
  readonly isNew: boolean
  /** Names of prepared statements to be closed before. */
  readonly obsolete: readonly string[]
  /** PostgreSQL's text forms. */
  readonly values: readonly (string | null)[]
  /** Its result columns, if they are known from an earlier execution. */
  readonly fields: ResultColumns | undefined
}

/** A statement that is being sent. */
export interface Sent extends WireStatement {
  readonly format: RowFormat
  resolve(result: QueryResult, fields: ResultColumns): void
  reject(failure: unknown): void
}

/**
 * The part of the library's connection that a query uses. The messages are described in PostgreSQL's manual, "Message
 * Formats".
 */
interface Connection {
  readonly stream: NodeJS.WritableStream
}

/**
 * Statements that are sent to the server in one message with one `Sync`, which saves system calls on both sides. If one
 * fails, the server skips those that follow. The library calls these methods for any custom query; it accepts custom
 * queries only while its own pipelining is off.
 */
export class Batch {
  readonly #statements: readonly Sent[]
  readonly #ended: () => void
  /** Number of the statement that is being answered. */
  #at = 0
  #fields: ResultColumns | undefined
  #rows: unknown[] = []
  #undecodable: unknown
  /** The command tag of the statement, as soon as it is executed. */
  #tag: string | undefined

  /** `ended` is called when nothing more will arrive. */
  constructor(statements: readonly Sent[], ended: () => void) {
    this.#statements = statements
    this.#ended = ended
  }

  submit({ stream }: Connection): void {
    stream.write(Buffer.concat([...this.#statements.flatMap(protocolMessagesOf), serialize.sync()]))
  }

  handleRowDescription({ fields }: { readonly fields: Parameters<typeof resultColumnsOf>[0] }): void {
    this.#fields = resultColumnsOf(fields)
  }

  handleDataRow({ fields: values }: { readonly fields: readonly (string | null)[] }): void {
    const sent = this.#statements[this.#at]
    const fields = this.#fields ?? sent?.fields
    if (!sent || !fields || this.#undecodable !== undefined) return
    try {
      this.#rows.push(formattedRow(values, fields, sent.format))
    } catch (error) {
      this.#undecodable = error
    }
  }

  /** The response to the last statement is held back until the end: deferred constraints may still fail there. */
  handleCommandComplete({ text }: { readonly text: string }): void {
    this.#tag = text
    if (this.#at < this.#statements.length - 1) this.#settle()
  }

  /** A statement without words. */
  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: '' })
  }

  handleError(error: unknown): void {
    this.#statements[this.#at]?.reject(error)
    for (const sent of this.#statements.slice(this.#at + 1)) sent.reject(skipped())
    this.#ended()
  }

  handleReadyForQuery(): void {
    this.#settle()
    this.#ended()
  }

  /** Resolves the completed statement and continues with the next. */
  #settle(): void {
    const sent = this.#statements[this.#at]
    if (this.#tag === undefined || !sent) return
    if (this.#undecodable !== undefined) sent.reject(this.#undecodable)
    else {
      const fields = this.#fields ?? sent.fields ?? NO_COLUMNS
      sent.resolve({ rows: this.#rows, ...parseCommandTag(this.#tag) }, fields)
    }
    this.#at += 1
    this.#fields = undefined
    this.#rows = []
    this.#undecodable = undefined
    this.#tag = undefined
  }
}

/**
 * Result size, in characters, above which a result is no longer held back for the following ones, because it takes long
 * to read.
 */
const MUCH = 50_000

/** Protocol messages of a statement, without the final `Sync`. It is described only if its result columns are unknown. */
const protocolMessagesOf = ({ text, name, isNew, obsolete, values, fields }: WireStatement): Uint8Array[] => [
  ...obsolete.map((statementName) => serialize.close({ type: 'S', name: statementName })),
  ...(isNew ? [serialize.parse({ text, name })] : []),
  serialize.bind({ statement: name, values: [...values] }),
  ...(fields ? [] : [serialize.describe({ type: 'P' })]),
  serialize.execute(),
  ...(charactersOf(values) < MUCH ? [] : [serialize.flush()]),
]

function charactersOf(values: readonly (string | null)[]): number {
  let characters = 0
  for (const value of values) characters += value?.length ?? 0
  return characters
}
