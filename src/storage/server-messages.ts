import { protocol } from '@electric-sql/pglite'
import type { QueryResult, RowFormat } from './connection.ts'
import {
  formattedRow,
  NO_COLUMNS,
  parseCommandTag,
  type ResultColumns,
  resultColumnsOf,
} from './fields.ts'
import { RowBytes } from './row-bytes.ts'

const typeOf = (letter: string): number => letter.charCodeAt(0)
const DATA_ROW = typeOf('D')
const COMMAND_COMPLETE = typeOf('C')
const ROW_DESCRIPTION = typeOf('T')
const ERROR = typeOf('E')
/** A byte of type, then four of length, which count themselves but not the type. */
const HEADER = 5

/** A result, and its columns. */
export interface ReadResult extends QueryResult {
  readonly fields: ResultColumns
}

/**
 * Reads what the server sent in answer to one statement or script. Throws the first error in it. `known`: the columns of a statement
 * that was not to be described again. PostgreSQL's manual, "Message Formats"; the messages of every statement are read here because they
 * are what takes the time, descriptions and errors by PGlite's parser.
 */
export function readResult(
  bytes: Uint8Array,
  format: RowFormat,
  known: ResultColumns = NO_COLUMNS,
): ReadResult {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const bytesOfRows = new RowBytes(buffer, format === 'arrays')
  const rows: unknown[] = []
  let fields = known
  let tag = ''
  let failure: unknown

  for (let start = 0; start < buffer.length; ) {
    const end = start + 1 + buffer.readUInt32BE(start + 1)
    const type = buffer[start]
    if (type === DATA_ROW) {
      rows.push(formattedRow(bytesOfRows, start + HEADER, fields, format))
    } else if (type === COMMAND_COMPLETE) {
      // Ends with a zero byte.
      tag = buffer.toString('latin1', start + HEADER, end - 1)
    } else if (type === ROW_DESCRIPTION || type === ERROR) {
      new protocol.Parser().parse(buffer.subarray(start, end), (message) => {
        if (message instanceof protocol.messages.RowDescriptionMessage) {
          fields = resultColumnsOf(message.fields)
        } else if (message instanceof protocol.messages.DatabaseError) {
          failure ??= message
        }
      })
    }
    start = end
  }
  if (failure !== undefined) throw failure
  return { rows, fields, ...parseCommandTag(tag) }
}
