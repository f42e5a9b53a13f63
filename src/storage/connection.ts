import type { Row } from '../sql/queryable.ts'

/** What a statement brought. Rows are objects or arrays, as asked for. */
export interface QueryResult {
  readonly rows: unknown[]
  /** First word of the command tag: SELECT, INSERT, COMMIT, … */
  readonly command: string
  /** Rows returned or touched. */
  readonly count: number
}

export type RowFormat = 'objects' | 'arrays'

/**
 * One conversation with a server, statements one after the other. What the two adapters have to
 * provide; transactions are built upon it once for both. Throws errors as the program sees them.
 */
export interface Connection {
  run(text: string, values: readonly unknown[], format: RowFormat): Promise<QueryResult>
  script(text: string): Promise<void>
  /**
   * What is put while this stays the same goes out in one piece: where a part of it fails, none that follows is
   * carried out. Where each statement goes by itself it is never the same.
   */
  pipelineId(): object
  /** Begin, commit and their like. Answers the first word of the (last) command tag. */
  command(text: string): Promise<string>
}

/** The rows of an answer to a question for objects. */
export const asObjects = <T extends Row>(answer: QueryResult): T[] => answer.rows as T[] // the caller of query() states what its select list brings

/** The rows of an answer to a question for arrays. */
export const asArrays = (answer: QueryResult): unknown[][] => answer.rows as unknown[][]
