/**
 * One difference between a response and its recording. `cause` is short and free of ids, so that cases which fail for
 * the same reason share it; `expected` and `actual` show this case's values, truncated to a line.
 */
export interface Difference {
  readonly cause: string
  readonly expected?: string
  readonly actual?: string
}
