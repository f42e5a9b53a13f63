import type { RowValue } from '../../db/cache/cached-rows.ts'
import type { ValueRow } from './plan.ts'

/** A row, and the JSON text of what it shows, with the base of its reader. */
export interface Written extends Pick<RowValue<string>, 'parts'> {
  readonly row: ValueRow
  readonly text: string
}
