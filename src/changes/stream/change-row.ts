import type { Json } from '../../schema/json.ts'
import { parseJson } from '../../schema/json.ts'

/** A change record with its position in the stream. */
export interface ChangeRow extends Record<string, unknown> {
  readonly position: number
  readonly id: number
  readonly time: string
  readonly user_id: number | null
  readonly user_name: string
  readonly request_id: string
  readonly action: 'create' | 'update' | 'delete'
  readonly type: string
  readonly object_id: number
  readonly object_repr: string
  readonly message: string
  /** JSON text. */
  readonly before: string | null
  /** JSON text. */
  readonly after: string | null
}

/** The columns of a record that decide who may see it. */
export type RecordedVersions = Pick<ChangeRow, 'position' | 'type' | 'object_id' | 'before' | 'after'>

/** The parts of a record that a reader may see. */
export interface VisibleParts {
  /** The object before the change. */
  readonly before: boolean
  /** The object after the change. */
  readonly after: boolean
}

export const ALL_PARTS: VisibleParts = { before: true, after: true }
export const NO_PARTS: VisibleParts = { before: false, after: false }

/** Text of the data before a creation and after a deletion. */
const EMPTY = '{}'

/** The object's data as JSON text; undefined if the object did not exist. */
export const dataOf = (text: string | null): string | undefined => (text === null || text === EMPTY ? undefined : text)

/** The object's data as values by name. */
export const parseData = (text: string): Readonly<Record<string, Json>> =>
  parseJson(text) as Readonly<Record<string, Json>> // snapshots are objects
