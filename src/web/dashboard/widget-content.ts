import type { ApiRequest } from '../../api/api-request.ts'
import { ApiError } from '../../base/errors.ts'
import { mayAct } from '../../identity/permitted-rows.ts'
import type { MenuSection } from '../../schema/menu.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import { CHARTS } from '../charts/charts.ts'
import { sentenceOf } from '../frame/page-frame.ts'
import type { StaticName } from '../frame/static-files.ts'
import type { Widget, WidgetKind } from '../frame/widget.ts'
import { type Content, html } from '../html.ts'
import { translate } from '../texts/translate.ts'
import { ATTENTION_LIST } from './attention.ts'
import type { ShownWidget } from './dashboard.ts'
import { OBJECT_COUNTS, OBJECT_LIST } from './object-widgets.ts'
import { BOOKMARK_LIST, FEED, NOTE } from './text-widgets.ts'
import { UTILIZATION } from './utilization-widget.ts'

/** A chart of the inventory, drawn by the service. */
const CHART: WidgetKind = {
  label: 'Chart',
  help: 'Devices, rack space, changes, circuits, power or failures at a glance',
  width: 4,
  controls: (_request, { chart }) => [
    {
      name: 'chart',
      label: translate('Chart'),
      isRequired: true,
      input: {
        kind: 'select',
        options: Object.entries(CHARTS).map(([value, { label }]) => ({ value, label: translate(label) })),
        chosen: [String(chart ?? '')],
      },
    },
  ],
  configOf: (texts) => ({ chart: texts('chart').at(-1) ?? '' }),
  content: async (request, { chart }) => {
    const { registry, settings } = request.service
    const chosen = CHARTS[String(chart)]
    const model = chosen && registry.models.get(chosen.model)
    if (!model) return undefined
    const models = [model, ...(chosen.names ?? []).map((name) => registry.model(name))]
    if (!models.every((chartModel) => mayAct(request.actor, 'view', chartModel, settings))) return undefined
    return (await chosen.content(request, `${settings.basePath}${pagePathOf(model)}`)) || undefined
  },
}

/** Styles of pages with widgets. */
export const widgetStyles = (kinds: WidgetKinds): readonly StaticName[] => [
  'objects.css',
  'dashboard.css',
  ...[...kinds.values()].flatMap(({ styles = [] }) => styles),
]

/**
 * The widgets with what they display to the sender. Widgets with nothing to display are left out, except while they are
 * being arranged.
 */
export async function shownWidgets(
  request: ApiRequest,
  widgets: readonly Widget[],
  { kinds, arranging }: { readonly kinds: WidgetKinds; readonly arranging: boolean },
): Promise<readonly ShownWidget[]> {
  const loaded = await Promise.all(
    widgets.map(async (widget) => {
      const kind = kinds.get(widget.kind)
      return { ...widget, title: titleOfWidget(widget, kind), content: await contentOf(request, widget, kind) }
    }),
  )
  return loaded.flatMap((widget) => {
    if (widget.content === undefined && !arranging) return []
    const content = widget.content ?? html`<p class="muted">${translate('There is nothing to show.')}</p>`
    return [{ ...widget, content }]
  })
}

/** Its own title, or the label of its kind. */
function titleOfWidget({ title, kind: name }: Widget, kind: WidgetKind | undefined): string {
  if (title !== '') return title
  return kind ? translate(kind.label) : name
}

async function contentOf(
  request: ApiRequest,
  widget: Widget,
  kind: WidgetKind | undefined,
): Promise<Content | undefined> {
  if (!kind) return html`<p class="muted">${translate('This kind of widget is not available.')}</p>`
  try {
    return await kind.content(request, widget.config)
  } catch (error) {
    // Options may come from other clients: errors of one widget are shown in its place.
    if (!(error instanceof ApiError)) throw error
    return html`<p class="notice bad">${sentenceOf(error)}</p>`
  }
}

/** Kinds of widgets by the names that the reference stores. */
export type WidgetKinds = ReadonlyMap<string, WidgetKind>

/** What start pages can consist of. */
export interface Dashboards {
  readonly menu: readonly MenuSection[]
  readonly kinds: WidgetKinds
}

/** The kinds of widgets, with those of plugins. */
export const widgetKinds = (added: Readonly<Record<string, WidgetKind>>): WidgetKinds =>
  new Map([...WIDGET_KINDS, ...Object.entries(added)])

const WIDGET_KINDS: WidgetKinds = new Map([
  ['extras.ObjectCountsWidget', OBJECT_COUNTS],
  ['extras.ObjectListWidget', OBJECT_LIST],
  ['extras.BookmarksWidget', BOOKMARK_LIST],
  ['extras.NoteWidget', NOTE],
  ['extras.RSSFeedWidget', FEED],
  // Additions to the reference's kinds.
  ['cadastre.UtilizationWidget', UTILIZATION],
  ['cadastre.AttentionWidget', ATTENTION_LIST],
  ['cadastre.ChartWidget', CHART],
])
