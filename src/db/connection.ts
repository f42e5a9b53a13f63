import type { Row } from '../sql/queryable.ts'

/** Result of a statement. Rows are in the requested format. */
export interface QueryResult {
  readonly rows: unknown[]
  /** First word of the command tag: SELECT, INSERT, COMMIT, … */
  readonly command: string
  /** Rows returned or touched. */
  readonly count: number
}

/** `column`: the first value of each row. */
export type RowFormat = 'objects' | 'arrays' | 'column'

/** One connection to a server, which executes one statement after the other. Throws the program's own errors. */
export interface Connection {
  run(text: string, values: readonly unknown[], format: RowFormat): Promise<QueryResult>
  script(text: string): Promise<void>
  /**
   * Id of the current pipeline batch: statements issued under the same id are sent in one message, and if one fails,
   * the server skips the rest.
   */
  pipelineId(): object
  /** Begin, commit and the like. Returns the first word of the (last) command tag. */
  command(text: string): Promise<string>
}

/** The rows of a result, if objects were requested. */
export const asObjects = <T extends Row>(result: QueryResult): T[] => result.rows as T[] // the caller of query() states what its select list returns

/** The rows of a result, if arrays were requested. */
export const asArrays = (result: QueryResult): unknown[][] => result.rows as unknown[][]
