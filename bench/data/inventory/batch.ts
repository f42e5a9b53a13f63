/** A row by row key, including ids of many-to-many fields; absent keys get their defaults. */
export type GeneratedRow = Record<string, unknown> & { id: number }

/** Rows of one model. They are inserted before those of later batches. */
export interface Batch {
  /** `app.model`. */
  readonly model: string
  readonly rows: Iterable<GeneratedRow>
}
