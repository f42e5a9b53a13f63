import { OBJECT_COUNTS, OBJECT_LIST } from './object-widgets.ts'
import { BOOKMARK_LIST, FEED, NOTE } from './text-widgets.ts'
import { UTILIZATION } from './utilization-widget.ts'
import type { WidgetKind } from './widget.ts'

/** The kinds of widgets by the names that the reference stores. */
export const WIDGET_KINDS: ReadonlyMap<string, WidgetKind> = new Map([
  ['extras.ObjectCountsWidget', OBJECT_COUNTS],
  ['extras.ObjectListWidget', OBJECT_LIST],
  ['extras.BookmarksWidget', BOOKMARK_LIST],
  ['extras.NoteWidget', NOTE],
  ['extras.RSSFeedWidget', FEED],
  // An addition to the reference's kinds.
  ['cadastre.UtilizationWidget', UTILIZATION],
])
