import type { JsonObject } from '../../schema/json.ts'
import type { Content } from '../html.ts'
import type { DisplayOptions } from './value.ts'

/** Cells in the row of an object in addition to those of its fields. */
interface FurtherCells {
  readonly cells: readonly Content[]
  /** Links at the end of the row. */
  readonly actions?: Content
}

/** Columns of a table that are computed from several fields or from other objects. */
export interface FurtherColumns {
  /** Fields of the objects that they need. */
  readonly fields: readonly string[]
  readonly headings: readonly string[]
  /** The column that they follow; absent: all. */
  readonly after?: string
  /** Reads what all rows need at once. Returns a function that creates the cells of one row. */
  readonly load: (
    objects: readonly JsonObject[],
  ) => Promise<(object: JsonObject, options: DisplayOptions) => FurtherCells>
}
