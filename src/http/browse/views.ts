import { mayAct } from '../../auth/restrict.ts'
import type { Tab } from '../../pages/browse-page.ts'
import type { ApiRequest } from '../api-request.ts'
import type { Endpoint } from '../endpoint.ts'

/** Ways of looking at an endpoint; the plain one shows the answer to GET. */
export type View = 'read' | 'new' | 'change' | 'delete' | 'options'

/** Parameter that names the view; not one of the API's. */
export const VIEW = '_view'

const LABELS: Readonly<Record<View, string>> = {
  read: 'Read',
  new: 'New',
  change: 'Change',
  delete: 'Delete',
  options: 'Options',
}

/** Those that the endpoint has and the sender may use. */
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

/**
 * The view that a request asks for. Where it asks for none that there is: the plain one, or the form
 * of what can only be created.
 */
export function viewAsked(request: ApiRequest, views: readonly View[]): View {
  const asked = request.search.get(VIEW)
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  if (!isRead) return 'read'
  const usual = views.includes('new') && !views.includes('read') ? 'new' : 'read'
  return views.find((view) => view === asked) ?? usual
}

/** The views as tabs above a page. */
export const tabsOf = (path: string, views: readonly View[], current: View): readonly Tab[] =>
  views.map((view) => ({
    label: LABELS[view],
    href: view === 'read' ? path : `${path}?${VIEW}=${view}`,
    isCurrent: view === current,
  }))
