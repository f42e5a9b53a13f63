import type { ApiRequest } from '../../api/api-request.ts'
import { ApiError } from '../../base/errors.ts'
import { mayAct } from '../../identity/permitted-rows.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import { CHARTS } from '../charts/charts.ts'
import { sentenceOf } from '../frame/page-frame.ts'
import { type Content, html } from '../html.ts'
import { siteMap } from '../site-map/site-map.ts'
import { SITE, siteMapPath } from '../site-map/site-map-link.ts'
import { sitesOnMap } from '../site-map/sites-on-map.ts'
import { translate } from '../texts/translate.ts'
import { ATTENTION_LIST } from './attention.ts'
import type { ShownWidget } from './dashboard.ts'
import { OBJECT_COUNTS, OBJECT_LIST } from './object-widgets.ts'
import { BOOKMARK_LIST, FEED, NOTE } from './text-widgets.ts'
import { UTILIZATION } from './utilization-widget.ts'
import type { Widget, WidgetKind } from './widget.ts'

/** The sites that the viewer may see, on a small map. */
const SITES_ON_MAP: WidgetKind = {
  label: 'Map of sites',
  help: 'The sites with coordinates on a map of the world or of their region',
  width: 6,
  controls: () => [],
  configOf: () => ({}),
  content: async (request) => {
    const { registry, settings } = request.service
    if (!mayAct(request.actor, 'view', registry.model(SITE), settings)) return undefined
    const { placed } = await sitesOnMap(request, new URLSearchParams())
    if (placed.length === 0) return undefined
    const map = await siteMap(request, placed, ['narrow'])
    return html`${map}<p class="all"><a href="${siteMapPath(settings.basePath, new URLSearchParams())}">${translate('Show the map')}</a></p>`
  },
}

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

/**
 * The widgets with what they display to the sender. Widgets with nothing to display are left out, except while they are
 * being arranged.
 */
export async function shownWidgets(
  request: ApiRequest,
  widgets: readonly Widget[],
  { arranging }: { readonly arranging: boolean },
): Promise<readonly ShownWidget[]> {
  const loaded = await Promise.all(
    widgets.map(async (widget) => {
      const content = await contentOf(request, widget)
      return { ...widget, title: titleOfWidget(widget), content }
    }),
  )
  return loaded.flatMap((widget) => {
    if (widget.content === undefined && !arranging) return []
    const content = widget.content ?? html`<p class="muted">${translate('There is nothing to show.')}</p>`
    return [{ ...widget, content }]
  })
}

/** Its own title, or the label of its kind. */
function titleOfWidget({ title, kind }: Widget): string {
  if (title !== '') return title
  const label = WIDGET_KINDS.get(kind)?.label
  return label === undefined ? kind : translate(label)
}

async function contentOf(request: ApiRequest, widget: Widget): Promise<Content | undefined> {
  const kind = WIDGET_KINDS.get(widget.kind)
  if (!kind) return html`<p class="muted">${translate('This kind of widget is not available.')}</p>`
  try {
    return await kind.content(request, widget.config)
  } catch (error) {
    // Options may come from other clients: errors of one widget are shown in its place.
    if (!(error instanceof ApiError)) throw error
    return html`<p class="notice bad">${sentenceOf(error)}</p>`
  }
}

/** The kinds of widgets by the names that the reference stores. */
export const WIDGET_KINDS: ReadonlyMap<string, WidgetKind> = new Map([
  ['extras.ObjectCountsWidget', OBJECT_COUNTS],
  ['extras.ObjectListWidget', OBJECT_LIST],
  ['extras.BookmarksWidget', BOOKMARK_LIST],
  ['extras.NoteWidget', NOTE],
  ['extras.RSSFeedWidget', FEED],
  // Additions to the reference's kinds.
  ['cadastre.UtilizationWidget', UTILIZATION],
  ['cadastre.AttentionWidget', ATTENTION_LIST],
  ['cadastre.ChartWidget', CHART],
  ['cadastre.SiteMapWidget', SITES_ON_MAP],
])
