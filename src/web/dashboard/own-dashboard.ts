import { readDashboard, storeDashboard } from '../../api/actions/extras/stored-dashboard.ts'
import type { ApiRequest } from '../../api/api-request.ts'
import type { MenuSection } from '../../schema/menu.ts'
import type { Widget } from '../frame/widget.ts'
import { sentenceCase, type Text, translate } from '../texts/translate.ts'
import { ATTENTION, type AttentionName } from './attention.ts'
import { newWidget, storedForm, widgetsIn } from './dashboard-layout.ts'

/** The widgets of the sender's start page: the stored ones, or the default. */
export async function ownWidgets(
  { actor, service }: ApiRequest,
  menu: readonly MenuSection[],
): Promise<readonly Widget[]> {
  const stored = actor.kind === 'user' ? await readDashboard(service.database, actor.id) : undefined
  return stored ? widgetsIn(stored) : defaultWidgets(menu)
}

/** Stores the widgets as the sender's start page, which needs no permission: it is the user's own. */
export async function storeOwnWidgets({ actor, service }: ApiRequest, widgets: readonly Widget[]): Promise<void> {
  if (actor.kind === 'user') await storeDashboard(service.database, actor.id, storedForm(widgets))
}

/** Groups of a subject whose counts are shown; later groups contain parts of objects. */
const GROUPS = 2

const chart = (name: string, label: Text, width = 4): Widget =>
  newWidget('cadastre.ChartWidget', { id: `chart-${name}`, title: translate(label), width, config: { chart: name } })

const attention = (name: AttentionName, width = 4): Widget =>
  newWidget('cadastre.AttentionWidget', {
    ...{ id: `attention-${name}`, title: translate(ATTENTION[name].label), width, config: { list: name } },
  })

/**
 * The start page of users who have not arranged their own: what needs them, the latest changes, bookmarks, charts,
 * numbers by subject of the menu. Parts with nothing to show are left out.
 */
const defaultWidgets = (menu: readonly MenuSection[]): readonly Widget[] => [
  attention('reviews'),
  attention('branches'),
  attention('failures'),
  attention('endings'),
  attention('findings'),
  attention('people', 8),
  newWidget('extras.BookmarksWidget', {
    // The same for each request, because buttons refer to widgets before they are stored.
    id: 'bookmarks',
    width: 4,
    config: { max_items: 8, order_by: 'newest' },
  }),
  chart('device-status', 'Devices by status'),
  chart('device-role', 'Devices by role'),
  chart('rack-space', 'Rack space by site'),
  chart('changes', 'Changes per day', 8),
  newWidget('cadastre.UtilizationWidget', {
    id: 'prefixes',
    title: translate('Fullest prefixes'),
    config: { of: 'prefixes', max_items: 8 },
  }),
  chart('feeds', 'Power feeds by load'),
  chart('circuit-ends', 'Circuits that end soon'),
  ...menu.map(({ label, groups }, index) =>
    newWidget('extras.ObjectCountsWidget', {
      id: `subject-${index}`,
      title: sentenceCase(label),
      width: 3,
      config: {
        models: groups.slice(0, GROUPS).flatMap(({ models }) => models),
        hide_empty: true,
      },
    }),
  ),
]
