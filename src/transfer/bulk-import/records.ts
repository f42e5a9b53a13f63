/** An error of an import, with its place. */
export interface Problem {
  /** Number of the record, from 1; absent for the whole text or its header. */
  readonly row?: number | undefined
  /** Name of the column in the header; absent for an error of the whole record. */
  readonly column?: string | undefined
  readonly message: string
}

/** One record: values by column, as in the text. */
export interface SourceRecord {
  /** From 1, without the header. */
  readonly row: number
  readonly cells: Readonly<Record<string, unknown>>
  /** Columns whose cells repeat the present values of the object: they narrow other columns, but change nothing. */
  readonly unchanged?: ReadonlySet<string>
}

export const FORMATS = ['csv', 'json', 'yaml'] as const
export type ImportFormat = (typeof FORMATS)[number]

/** The records of a text. */
export interface Records {
  readonly format: ImportFormat
  /** Names of all columns, in the order in which they first occur. */
  readonly columns: readonly string[]
  readonly records: readonly SourceRecord[]
  readonly problems: readonly Problem[]
}
