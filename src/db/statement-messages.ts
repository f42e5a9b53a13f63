import { serialize } from 'pg-protocol'
import type { ResultColumns } from './fields.ts'

/** A statement in the form in which it is sent to a server. */
export interface WireStatement {
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

/**
 * Result size, in characters, above which a result is no longer held back for the following ones, because it takes long
 * to read.
 */
const MUCH = 50_000

/** Protocol messages of a statement, without the final `Sync`. It is described only if its result columns are unknown. */
export const protocolMessagesOf = ({ text, name, isNew, obsolete, values, fields }: WireStatement): Uint8Array[] => [
  ...obsolete.map((each) => serialize.close({ type: 'S', name: each })),
  ...(isNew ? [serialize.parse({ text, name })] : []),
  serialize.bind({ statement: name, values: [...values] }),
  ...(fields ? [] : [serialize.describe({ type: 'P' })]),
  serialize.execute(),
  ...(sum(values) < MUCH ? [] : [serialize.flush()]),
]

const sum = (values: readonly (string | null)[]): number =>
  values.reduce((characters, each) => characters + (each?.length ?? 0), 0)
