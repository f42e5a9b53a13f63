import { protocol } from '@electric-sql/pglite'
import type { QueryResult, RowFormat } from './connection.ts'
import {
  formatRow,
  NO_COLUMNS,
  parseCommandTag,
  type ResultColumns,
  resultColumnsOf,
} from './fields.ts'
import { RowBytes, readRow } from './row-bytes.ts'

const DATA_ROW = 'D'.charCodeAt(0)
/** A byte of type, then four of length, which count themselves but not the type. */
const HEADER = 5

/**
 * Reads what the server sent in answer to one statement or script. Throws the first error in it.
 * PostgreSQL's manual, "Message Formats"; rows are read here because they are what takes the time, the
 * few other messages by PGlite's parser.
 */
export function readResult(bytes: Uint8Array, format: RowFormat): QueryResult {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const bytesOfRows = new RowBytes(buffer, format === 'arrays')
  const rows: unknown[] = []
  let fields: ResultColumns = NO_COLUMNS
  let tag = ''
  let failure: unknown
  const parser = new protocol.Parser()

  for (let start = 0; start < buffer.length; ) {
    const end = start + 1 + buffer.readUInt32BE(start + 1)
    if (buffer[start] === DATA_ROW) {
      rows.push(formatRow(fields, readRow(bytesOfRows, start + HEADER, fields.decoders), format))
    } else {
      parser.parse(buffer.subarray(start, end), (message) => {
        if (message instanceof protocol.messages.RowDescriptionMessage) {
          fields = resultColumnsOf(message.fields)
        } else if (message instanceof protocol.messages.CommandCompleteMessage) {
          tag = message.text
        } else if (message instanceof protocol.messages.DatabaseError) {
          failure ??= message
        }
      })
    }
    start = end
  }
  if (failure !== undefined) throw failure
  return { rows, ...parseCommandTag(tag) }
}
