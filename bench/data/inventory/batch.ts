/** A row by row key, ids of many to many fields included; what is not named gets its default. */
export type GeneratedRow = Record<string, unknown> & { id: number }

/** Rows of one model, to be inserted before those of the batches that follow. */
export interface Batch {
  /** `app.model`. */
  readonly model: string
  readonly rows: Iterable<GeneratedRow>
}
