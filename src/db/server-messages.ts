import { protocol } from '@electric-sql/pglite'
import type { QueryResult, RowFormat } from './connection.ts'
import {
  formattedRow,
  NO_COLUMNS,
  parseCommandTag,
  type ResultColumns,
  resultColumnsOf,
} from './fields.ts'

/** A result, and its columns. */
export interface ReadResult extends QueryResult {
  readonly fields: ResultColumns
}

const { CommandCompleteMessage, DatabaseError, DataRowMessage, RowDescriptionMessage } =
  protocol.messages

/** Reads what the embedded server sends in response to one statement or script, in parts of any length. */
export class ResultReader {
  readonly #format: RowFormat
  readonly #parser = new protocol.Parser()
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

  add(bytes: Uint8Array): void {
    this.#parser.parse(bytes, (message) => {
      if (message instanceof DataRowMessage) this.#addRow(message.fields)
      else if (message instanceof RowDescriptionMessage)
        this.#fields = resultColumnsOf(message.fields)
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
