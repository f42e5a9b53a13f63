import type { RowValue } from '../../db/cache/cached-rows.ts'
import type { ValueRow } from './plan.ts'

/** A row and its JSON text, with the reader's base URL. */
export interface RenderedRow extends Pick<RowValue<string>, 'parts'> {
  readonly row: ValueRow
  readonly text: string
}
