/** How far a long operation is. */
export interface Progress {
  /** Parts that are done, of `total`: bytes, tables or collections. */
  readonly done: number
  readonly total: number
  /** The current part: the path of an endpoint, the name of a table or of a step. */
  readonly stage: string
}

/** Called as an operation goes on. */
export type ProgressListener = (progress: Progress) => void
