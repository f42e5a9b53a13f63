import type { ApiRequest } from '../../api/api-request.ts'
import type { JsonObject } from '../../schema/json.ts'
import type { Control } from '../components/control.ts'
import type { Content } from '../html.ts'
import type { Text } from '../texts/translate.ts'
import type { StaticName } from './static-files.ts'

/** A part of a user's start page. */
export interface Widget {
  /** UUID within the dashboard. */
  readonly id: string
  /** Name of its kind, as the reference stores it: `extras.NoteWidget`. */
  readonly kind: string
  /** Empty: the label of the kind. */
  readonly title: string
  /** Name of a color; undefined: none. */
  readonly color: string | undefined
  /** Columns of twelve that it fills. */
  readonly width: number
  /** Rows of the reference's grid; stored for other clients, while pages give a widget the height that it needs. */
  readonly height: number
  readonly config: JsonObject
}

/** A kind of widget: its options, and what it displays. */
export interface WidgetKind {
  readonly label: Text
  /** Purpose, shown to users who choose a kind. */
  readonly help: Text
  /** Columns of twelve of a new widget. */
  readonly width: number
  /** Styles that its content needs besides those of every widget. */
  readonly styles?: readonly StaticName[]
  /** Controls of its options. */
  controls(request: ApiRequest, config: JsonObject): readonly Control[]
  /** The options of a submitted form, from the texts of each control. */
  configOf(texts: (name: string) => readonly string[]): JsonObject
  /** Content of the widget; undefined if the viewer may see nothing of it. */
  content(request: ApiRequest, config: JsonObject): Promise<Content | undefined>
}

/** Columns of the grid. */
export const GRID_COLUMNS = 12
/** A narrower widget would be unreadable. */
export const NARROWEST = 3

/** A whole number of a widget's options within limits; otherwise the default. */
export const numberInOption = (value: unknown, fallback: number, most: number): number => {
  const number = Number(value)
  return Number.isSafeInteger(number) && number > 0 ? Math.min(number, most) : fallback
}
