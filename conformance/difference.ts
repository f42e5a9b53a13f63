/**
 * One way in which an answer is not what was recorded. `cause` is short and free of ids, so that cases which
 * fail for the same reason share it; `expected` and `actual` show this case's values, cut to a line.
 */
export interface Difference {
  readonly cause: string
  readonly expected?: string
  readonly actual?: string
}
