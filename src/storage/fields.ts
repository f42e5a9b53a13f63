import type { QueryResult, RowFormat } from './connection.ts'
import { type Decoder, decoderOf } from './decode.ts'
import { type RowBytes, readFirst, readRow } from './row-bytes.ts'

/** The columns of an answer. */
export interface ResultColumns {
  readonly names: readonly string[]
  readonly decoders: readonly Decoder[]
}

/** Of statements that bring no rows. */
export const NO_COLUMNS: ResultColumns = { names: [], decoders: [] }

/** The columns as the server describes them, each with the number of its type. */
export const resultColumnsOf = (
  described: readonly { readonly name: string; readonly dataTypeID: number }[],
): ResultColumns => ({
  names: described.map(({ name }) => name),
  decoders: described.map(({ dataTypeID }) => decoderOf(dataTypeID)),
})

/** A row in the format. It begins at the position. */
export function formattedRow(
  bytes: RowBytes,
  start: number,
  { names, decoders }: ResultColumns,
  format: RowFormat,
): unknown {
  if (format === 'column') return readFirst(bytes, start, decoders)
  const values = readRow(bytes, start, decoders)
  if (format === 'arrays') return values
  const row: Record<string, unknown> = {}
  for (const [index, name] of names.entries()) row[name] = values[index]
  return row
}

/** The server's word for what it has done: "INSERT 0 5", "UPDATE 5", "SELECT 5", "COMMIT". The number, if any, stands last. */
export function parseCommandTag(tag: string): Pick<QueryResult, 'command' | 'count'> {
  const words = tag.split(' ')
  return { command: words[0] ?? '', count: words.length > 1 ? Number(words.at(-1)) : 0 }
}
