import { protocol } from '@electric-sql/pglite'
import type { Answer, RowForm } from './connection.ts'
import { type Decoder, decoderOf } from './decode.ts'

const DATA_ROW = 'D'.charCodeAt(0)
/** A byte of type, then four of length, which count themselves but not the type. */
const HEADER = 5

interface Fields {
  readonly names: readonly string[]
  readonly decoders: readonly Decoder[]
}

/**
 * Reads what the server sent in answer to one statement or script. Throws the first error in it.
 * PostgreSQL's manual, "Message Formats"; rows are read here because they are what takes the time, the
 * few other messages by PGlite's parser.
 */
export function readAnswer(bytes: Uint8Array, form: RowForm): Answer {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const rows: unknown[] = []
  let fields: Fields = { names: [], decoders: [] }
  let tag = ''
  let failure: unknown
  const parser = new protocol.Parser()

  for (let start = 0; start < buffer.length; ) {
    const end = start + 1 + buffer.readUInt32BE(start + 1)
    if (buffer[start] === DATA_ROW) {
      const row = readRow(buffer, start + HEADER, fields.decoders)
      rows.push(form === 'arrays' ? row : toObject(fields.names, row))
    } else {
      parser.parse(buffer.subarray(start, end), (message) => {
        if (message instanceof protocol.messages.RowDescriptionMessage) {
          fields = {
            names: message.fields.map(({ name }) => name),
            decoders: message.fields.map(({ dataTypeID }) => decoderOf(dataTypeID)),
          }
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
  // "INSERT 0 5", "UPDATE 5", "SELECT 5", "COMMIT": the number, if any, stands last.
  const words = tag.split(' ')
  return { rows, command: words[0] ?? '', count: words.length > 1 ? Number(words.at(-1)) : 0 }
}

/** Values of a row: two bytes for their number, then for each its length, -1 for null, and its text. */
function readRow(buffer: Buffer, start: number, decoders: readonly Decoder[]): unknown[] {
  const row: unknown[] = []
  let position = start + 2
  for (const decode of decoders) {
    const length = buffer.readInt32BE(position)
    position += 4
    if (length === -1) {
      row.push(null)
    } else {
      row.push(decode(buffer.toString('utf8', position, position + length)))
      position += length
    }
  }
  return row
}

function toObject(names: readonly string[], values: readonly unknown[]): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  for (const [index, name] of names.entries()) row[name] = values[index]
  return row
}
