import type { ApiRequest } from '../../api/api-request.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import { mayAct } from '../../identity/permitted-rows.ts'
import { lastValue } from '../../read/query/last-value.ts'
import type { Tab } from './browse-page.ts'

/** What a page shows of an endpoint: `read` shows objects, `json` the response that a program gets. */
export type Mode = 'read' | 'json' | 'new' | 'change' | 'delete' | 'options'

/** Query parameter that selects the mode; it is not part of the API. */
export const MODE = '_view'

const LABELS: Readonly<Record<Mode, string>> = {
  read: 'Read',
  json: 'JSON',
  new: 'New',
  change: 'Change',
  delete: 'Delete',
  options: 'Options',
}

/** Modes that the endpoint has and the sender may use. */
export function modesOf(request: ApiRequest, endpoint: Endpoint): readonly Mode[] {
  const { methods, model } = endpoint
  const { actor, service, parameters } = request
  const isObject = parameters.length > 0
  const may = (action: string): boolean =>
    model !== undefined && actor.kind === 'user' && actor.writeEnabled && mayAct(actor, action, model, service.settings)
  return [
    ...(methods.GET ? (['read'] as const) : []),
    // Pages of other endpoints show only the response.
    ...(methods.GET && model !== undefined ? (['json'] as const) : []),
    ...(methods.POST && !isObject && may('add') ? (['new'] as const) : []),
    ...(methods.PATCH && isObject && may('change') ? (['change'] as const) : []),
    ...(methods.DELETE && isObject && may('delete') ? (['delete'] as const) : []),
    ...(actor.kind === 'user' ? (['options'] as const) : []),
  ]
}

/** The requested mode. Without a valid one: `read`, or the form of an endpoint that can only be written to. */
export function requestedMode(request: Pick<ApiRequest, 'search' | 'method'>, modes: readonly Mode[]): Mode {
  const requested = lastValue(request.search, MODE)
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  if (!isRead) return 'read'
  const usual = modes.includes('new') && !modes.includes('read') ? 'new' : 'read'
  return modes.find((mode) => mode === requested) ?? usual
}

/** Modes of the same response, which keep its query. */
const OF_THE_RESPONSE: ReadonlySet<Mode> = new Set(['read', 'json'])

/** Tabs for the modes of a page. `url` is the page's address without the name of a mode. */
export const tabsOf = (url: URL, modes: readonly Mode[], current: Mode): readonly Tab[] =>
  modes.map((mode) => ({
    label: LABELS[mode],
    href: `${url.pathname}${queryOf(mode, url)}`,
    isCurrent: mode === current,
  }))

function queryOf(mode: Mode, { searchParams }: URL): string {
  const query = new URLSearchParams(OF_THE_RESPONSE.has(mode) ? searchParams : undefined)
  if (mode !== 'read') query.set(MODE, mode)
  return query.size === 0 ? '' : `?${query}`
}

/** The request without the name of a mode, which is not a parameter of the API. */
export function withoutMode<Request extends Pick<ApiRequest, 'url' | 'search'>>(request: Request): Request {
  if (!request.search.has(MODE)) return request
  const url = new URL(request.url)
  url.searchParams.delete(MODE)
  return { ...request, url, search: url.searchParams }
}
