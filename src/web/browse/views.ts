import type { ApiRequest } from '../../api/api-request.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import { mayAct } from '../../identity/permitted-rows.ts'
import type { Tab } from './browse-page.ts'

/** Views of an endpoint; `read` shows objects, `json` the response that a program gets. */
export type View = 'read' | 'json' | 'new' | 'change' | 'delete' | 'options'

/** Query parameter that selects the view; it is not part of the API. */
export const VIEW = '_view'

const LABELS: Readonly<Record<View, string>> = {
  read: 'Read',
  json: 'JSON',
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
    // Pages of other endpoints show nothing but the response.
    ...(methods.GET && model !== undefined ? (['json'] as const) : []),
    ...(methods.POST && !isObject && may('add') ? (['new'] as const) : []),
    ...(methods.PATCH && isObject && may('change') ? (['change'] as const) : []),
    ...(methods.DELETE && isObject && may('delete') ? (['delete'] as const) : []),
    ...(actor.kind === 'user' ? (['options'] as const) : []),
  ]
}

/** The requested view. Without a valid one: `read`, or the form of an endpoint that can only be written to. */
export function viewAsked(
  request: Pick<ApiRequest, 'search' | 'method'>,
  views: readonly View[],
): View {
  const asked = request.search.get(VIEW)
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  if (!isRead) return 'read'
  const usual = views.includes('new') && !views.includes('read') ? 'new' : 'read'
  return views.find((view) => view === asked) ?? usual
}

/** Views of the same response, which keep its query. */
const OF_THE_RESPONSE: ReadonlySet<View> = new Set(['read', 'json'])

/** Tabs for the views of a page. `url` is the page's address without the name of a view. */
export const tabsOf = (url: URL, views: readonly View[], current: View): readonly Tab[] =>
  views.map((view) => ({
    label: LABELS[view],
    href: `${url.pathname}${queryOf(view, url)}`,
    isCurrent: view === current,
  }))

function queryOf(view: View, { searchParams }: URL): string {
  const query = new URLSearchParams(OF_THE_RESPONSE.has(view) ? searchParams : undefined)
  if (view !== 'read') query.set(VIEW, view)
  return query.size === 0 ? '' : `?${query}`
}

/** The request without the name of a view, which is not a parameter of the API. */
export function withoutView<Request extends Pick<ApiRequest, 'url' | 'search'>>(
  request: Request,
): Request {
  if (!request.search.has(VIEW)) return request
  const url = new URL(request.url)
  url.searchParams.delete(VIEW)
  return { ...request, url, search: url.searchParams }
}
