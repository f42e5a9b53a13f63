import { mayAct } from '../../auth/permitted-rows.ts'
import type { Tab } from '../../pages/browse-page.ts'
import type { ApiRequest } from '../api-request.ts'
import type { Endpoint } from '../endpoint.ts'

/** Views of an endpoint; `read` shows the response to GET. */
export type View = 'read' | 'new' | 'change' | 'delete' | 'options'

/** Query parameter that selects the view; it is not part of the API. */
export const VIEW = '_view'

const LABELS: Readonly<Record<View, string>> = {
  read: 'Read',
  new: 'New',
  change: 'Change',
  delete: 'Delete',
  options: 'Options',
}

/** Views that the endpoint has and the sender may use. */
export function viewsOf(request: ApiRequest, endpoint: Endpoint): readonly View[] {
  const { methods, model } = endpoint
  const { actor, service, parameters } = request
  const isObject = parameters.length > 0
  const may = (action: string): boolean =>
    model !== undefined &&
    actor.kind === 'user' &&
    actor.writeEnabled &&
    mayAct(actor, action, model, service.settings)
  return [
    ...(methods.GET ? (['read'] as const) : []),
    ...(methods.POST && !isObject && may('add') ? (['new'] as const) : []),
    ...(methods.PATCH && isObject && may('change') ? (['change'] as const) : []),
    ...(methods.DELETE && isObject && may('delete') ? (['delete'] as const) : []),
    ...(actor.kind === 'user' ? (['options'] as const) : []),
  ]
}

/** The requested view. Without a valid one: `read`, or the form of an endpoint that can only be written to. */
export function viewAsked(request: ApiRequest, views: readonly View[]): View {
  const asked = request.search.get(VIEW)
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  if (!isRead) return 'read'
  const usual = views.includes('new') && !views.includes('read') ? 'new' : 'read'
  return views.find((view) => view === asked) ?? usual
}

/** Tabs for the views of a page. */
export const tabsOf = (path: string, views: readonly View[], current: View): readonly Tab[] =>
  views.map((view) => ({
    label: LABELS[view],
    href: view === 'read' ? path : `${path}?${VIEW}=${view}`,
    isCurrent: view === current,
  }))
