import type { JsonObject } from '../../schema/json.ts'
import type { Content } from '../components/html.ts'
import type { DisplayOptions } from '../components/value.ts'

/** Cells in the row of an object beside those of its fields. */
export interface FurtherCells {
  readonly cells: readonly Content[]
  /** Links at the end of the row. */
  readonly actions?: Content
}

/** Columns of a table that several fields, or other objects, make up. */
export interface FurtherColumns {
  /** Fields of the objects that they need. */
  readonly fields: readonly string[]
  readonly headings: readonly string[]
  /** The column of a field behind which they stand; absent: behind all. */
  readonly behind?: string
  /** Reads what all rows need at once. Answers what makes the cells of one. */
  readonly load: (
    objects: readonly JsonObject[],
  ) => Promise<(object: JsonObject, around: DisplayOptions) => FurtherCells>
}
