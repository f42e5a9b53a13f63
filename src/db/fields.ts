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
  values: readonly (string | null)[],
  { names, decoders }: ResultColumns,
  format: RowFormat,
): unknown {
  const decoded = (index: number): unknown => {
    const value = values[index]
    return value === null || value === undefined ? null : decoders[index]?.(value)
  }
  if (format === 'column') return decoded(0)
  if (format === 'arrays') return values.map((_, index) => decoded(index))
  return Object.fromEntries(names.map((name, index) => [name, decoded(index)]))
}

/** The server's command tag: "INSERT 0 5", "UPDATE 5", "SELECT 5", "COMMIT". The number, if any, is last. */
export function parseCommandTag(tag: string): Pick<QueryResult, 'command' | 'count'> {
  const words = tag.split(' ')
  return { command: words[0] ?? '', count: words.length > 1 ? Number(words.at(-1)) : 0 }
}
