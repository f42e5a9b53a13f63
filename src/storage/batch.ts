import { serialize } from 'pg-protocol'
import type { Answer, RowForm } from './connection.ts'
import { skipped } from './failures.ts'
import { type Fields, fieldsOf, formed, NO_FIELDS, toldBy } from './fields.ts'

/** A statement on its way to the server. */
export interface Sent {
  readonly text: string
  /** Under which it is kept prepared; empty: it is not. */
  readonly name: string
  /** The server does not know it yet. */
  readonly isNew: boolean
  /** Names that the server shall forget before. */
  readonly obsolete: readonly string[]
  /** PostgreSQL's text forms. */
  readonly values: readonly (string | null)[]
  readonly form: RowForm
  /** What it brings, where that is known from before. */
  readonly fields: Fields | undefined
  resolve(answer: Answer, fields: Fields): void
  reject(failure: unknown): void
}

/** What the library knows of a query while it is under way. The messages are those of PostgreSQL's manual, "Message Formats". */
interface Connection {
  readonly stream: NodeJS.WritableStream
}

/**
 * Statements that go to the server in one piece and are answered in one piece: one sending, one waking up on either
 * side. Where one fails, none that follows it is carried out. The library calls the methods; it allows such queries of one's own where
 * its own pipelining is off.
 */
export class Batch {
  readonly #statements: readonly Sent[]
  readonly #ended: () => void
  /** Number of the statement that is being answered. */
  #at = 0
  #fields: Fields | undefined
  #rows: unknown[] = []
  #undecodable: unknown
  #settleLast = (): void => undefined

  /** `ended` is called when nothing more comes. */
  constructor(statements: readonly Sent[], ended: () => void) {
    this.#statements = statements
    this.#ended = ended
  }

  submit({ stream }: Connection): void {
    stream.write(Buffer.concat([...this.#statements.flatMap(messagesOf), serialize.sync()]))
  }

  handleRowDescription({ fields }: { readonly fields: Parameters<typeof fieldsOf>[0] }): void {
    this.#fields = fieldsOf(fields)
  }

  handleDataRow({ fields: texts }: { readonly fields: readonly (string | null)[] }): void {
    const sent = this.#statements[this.#at]
    const fields = this.#fields ?? sent?.fields
    if (!sent || !fields || this.#undecodable !== undefined) return
    try {
      const values = texts.map((each, index) =>
        each === null ? null : fields.decoders[index]?.(each),
      )
      this.#rows.push(formed(fields, values, sent.form))
    } catch (error) {
      this.#undecodable = error
    }
  }

  /** The answer to the last statement is held back until all is over: at its end the server may still refuse what is deferred. */
  handleCommandComplete({ text }: { readonly text: string }): void {
    const sent = this.#statements[this.#at]
    const [fields, rows, failure] = [this.#fields, this.#rows, this.#undecodable]
    const settle = (): void => {
      if (failure !== undefined) sent?.reject(failure)
      else sent?.resolve({ rows, ...toldBy(text) }, fields ?? sent.fields ?? NO_FIELDS)
    }
    if (this.#at === this.#statements.length - 1) this.#settleLast = settle
    else {
      settle()
      this.#next()
    }
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
    this.#settleLast()
    this.#ended()
  }

  #next(): void {
    this.#at += 1
    this.#fields = undefined
    this.#rows = []
    this.#undecodable = undefined
  }
}

/** Characters of values from which on an answer is not held back for those that follow: it will take long to read. */
const MUCH = 50_000

/** What says the statement to the server. It is described only where nobody knows what it brings. */
const messagesOf = ({ text, name, isNew, obsolete, values, fields }: Sent): Uint8Array[] => [
  ...obsolete.map((each) => serialize.close({ type: 'S', name: each })),
  ...(isNew ? [serialize.parse({ text, name })] : []),
  serialize.bind({ statement: name, values: [...values] }),
  ...(fields ? [] : [serialize.describe({ type: 'P' })]),
  serialize.execute(),
  ...(sum(values) < MUCH ? [] : [serialize.flush()]),
]

const sum = (values: readonly (string | null)[]): number =>
  values.reduce((characters, each) => characters + (each?.length ?? 0), 0)
