/** How far a long operation is. */
export interface Progress {
  /** Parts that are done, of `total`: bytes, tables or collections. */
  readonly done: number
  readonly total: number
  /** What is being done: an endpoint, a table, or the name of a step. */
  readonly stage: string
}

/** Called as an operation goes on. */
export type ProgressListener = (progress: Progress) => void
