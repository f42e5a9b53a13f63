import type { QueryResult, RowFormat } from './connection.ts'
import { type Decoder, decoderOf } from './decode.ts'

/** The columns of a result. */
export interface ResultColumns {
  readonly names: readonly string[]
  readonly decoders: readonly Decoder[]
}

/** For statements that return no rows. */
export const NO_COLUMNS: ResultColumns = { names: [], decoders: [] }

/** The columns as the server describes them, each with the number of its type. */
export const resultColumnsOf = (
  described: readonly { readonly name: string; readonly dataTypeID: number }[],
): ResultColumns => ({
  names: described.map(({ name }) => name),
  decoders: described.map(({ dataTypeID }) => decoderOf(dataTypeID)),
})

/** A row in the format, from the text forms of its values. */
export function formattedRow(
  texts: readonly (string | null)[],
  { names, decoders }: ResultColumns,
  format: RowFormat,
): unknown {
  const values: unknown[] = []
  // Loops by index: they run for each value that the program reads.
  for (let index = 0; index < texts.length; index++) {
    const text = texts[index] ?? null
    values.push(text === null ? null : decoders[index]?.(text))
  }
  if (format === 'column') return values[0] ?? null
  if (format === 'arrays') return values
  const row: Record<string, unknown> = {}
  for (let index = 0; index < names.length; index++) row[names[index] ?? ''] = values[index]
  return row
}

/** The server's command tag: "INSERT 0 5", "UPDATE 5", "SELECT 5", "COMMIT". The number, if any, is last. */
export function parseCommandTag(tag: string): Pick<QueryResult, 'command' | 'count'> {
  const words = tag.split(' ')
  return { command: words[0] ?? '', count: words.length > 1 ? Number(words.at(-1)) : 0 }
}
