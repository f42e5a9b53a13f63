import { randomUUID } from 'node:crypto'
import type { StoredDashboard } from '../../api/actions/extras/stored-dashboard.ts'
import { isJsonObject, type Json, type JsonObject } from '../../schema/json.ts'
import { GRID_COLUMNS, NARROWEST, type Widget } from '../frame/widget.ts'

const HEIGHT = 3

/**
 * The widgets of a stored dashboard in reading order: from the top, then from the left. Widgets that cannot be read are
 * left out.
 */
export function widgetsIn(stored: StoredDashboard): readonly Widget[] {
  const layout = JSON.parse(stored.layout) as Json // a JSON column
  const config = JSON.parse(stored.config) as Json // a JSON column
  if (!Array.isArray(layout) || !isJsonObject(config)) return []
  return layout
    .filter((entry) => isJsonObject(entry))
    .toSorted((left, right) => place(left.y) - place(right.y) || place(left.x) - place(right.x))
    .flatMap((entry) => {
      const settings = config[String(entry.id)]
      return isJsonObject(settings) ? [widgetOf(entry, settings)] : []
    })
}

const place = (value: Json | undefined): number => (typeof value === 'number' ? value : 0)

function widgetOf(entry: JsonObject, settings: JsonObject): Widget {
  return {
    id: String(entry.id),
    kind: String(settings.class ?? ''),
    title: typeof settings.title === 'string' ? settings.title : '',
    color: typeof settings.color === 'string' && settings.color !== '' ? settings.color : undefined,
    width: clamped(place(entry.w), NARROWEST, GRID_COLUMNS),
    height: Math.max(place(entry.h), 1),
    config: isJsonObject(settings.config) ? settings.config : {},
  }
}

const clamped = (value: number, least: number, most: number): number =>
  Math.min(Math.max(Math.trunc(value), least), most)

/** Layout and configuration in the form in which clients of the API read and write them. */
export function storedForm(widgets: readonly Widget[]): {
  readonly layout: Json
  readonly config: JsonObject
} {
  const layout: JsonObject[] = []
  let [x, y, rowHeight] = [0, 0, 0]
  for (const { id, width, height } of widgets) {
    if (x + width > GRID_COLUMNS) [x, y, rowHeight] = [0, y + rowHeight, 0]
    layout.push({ id, x, y, w: width, h: height })
    x += width
    rowHeight = Math.max(rowHeight, height)
  }
  const config = Object.fromEntries(
    widgets.map(({ id, kind, title, color = null, config: settings }) => [
      id,
      { class: kind, title, color, config: settings },
    ]),
  )
  return { layout, config }
}

/** A new widget. */
export const newWidget = (
  kind: string,
  parts: Partial<Pick<Widget, 'id' | 'title' | 'color' | 'width' | 'config'>>,
): Widget => ({
  ...{ id: randomUUID(), kind, title: '', color: undefined, width: 4, height: HEIGHT, config: {} },
  ...parts,
})

/** A change to the order or the widths made by a button. */
export type Rearrangement = 'earlier' | 'later' | 'narrower' | 'wider' | 'remove'

/** The widgets, with the width of one of them changed to this many columns. */
export const withWidth = (widgets: readonly Widget[], id: string, width: number): readonly Widget[] =>
  widgets.map((widget) => (widget.id === id ? resized(widget, width - widget.width) : widget))

/** The widgets after a button of one of them was pressed. */
export function rearranged(widgets: readonly Widget[], id: string, change: Rearrangement): readonly Widget[] {
  const index = widgets.findIndex((widget) => widget.id === id)
  const widget = widgets[index]
  if (!widget) return widgets
  switch (change) {
    case 'remove':
      return widgets.toSpliced(index, 1)
    case 'earlier':
      return moved(widgets, index, index - 1)
    case 'later':
      return moved(widgets, index, index + 1)
    case 'narrower':
      return widgets.with(index, resized(widget, -1))
    case 'wider':
      return widgets.with(index, resized(widget, 1))
  }
}

const resized = (widget: Widget, by: number): Widget => ({
  ...widget,
  width: clamped(widget.width + by, NARROWEST, GRID_COLUMNS),
})

function moved(widgets: readonly Widget[], from: number, to: number): readonly Widget[] {
  const widget = widgets[from]
  if (!widget || to < 0 || to >= widgets.length) return widgets
  return widgets.toSpliced(from, 1).toSpliced(to, 0, widget)
}

/** The widgets in the order of these ids; those that it does not name follow. */
export const ordered = (widgets: readonly Widget[], ids: readonly string[]): readonly Widget[] => {
  const rank = new Map(ids.map((id, index) => [id, index]))
  const rankOf = ({ id }: Widget): number => rank.get(id) ?? ids.length
  return widgets.toSorted((left, right) => rankOf(left) - rankOf(right))
}
