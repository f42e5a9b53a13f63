import { readDashboard, storeDashboard } from '../../api/actions/extras/stored-dashboard.ts'
import type { ApiRequest } from '../../api/api-request.ts'
import type { MenuSection } from '../../schema/menu.ts'
import { storedForm, widgetsIn } from './dashboard-layout.ts'
import { defaultWidgets } from './default-dashboard.ts'
import type { Widget } from './widget.ts'

/** The widgets of the sender's start page: the stored ones, or the default. */
export async function ownWidgets(
  { actor, service }: ApiRequest,
  menu: readonly MenuSection[],
): Promise<readonly Widget[]> {
  const stored = actor.kind === 'user' ? await readDashboard(service.database, actor.id) : undefined
  return stored ? widgetsIn(stored) : defaultWidgets(menu)
}

/** Stores the widgets as the sender's start page, which needs no permission: it is the user's own. */
export async function storeOwnWidgets(
  { actor, service }: ApiRequest,
  widgets: readonly Widget[],
): Promise<void> {
  if (actor.kind === 'user') await storeDashboard(service.database, actor.id, storedForm(widgets))
}
