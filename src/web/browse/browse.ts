import { STATUS_CODES } from 'node:http'
import type { ApiRequest } from '../../api/api-request.ts'
import { allowedMethods, type Endpoint } from '../../api/endpoint.ts'
import { errorResponse } from '../../api/errors.ts'
import { options } from '../../api/options/options.ts'
import {
  bodyText,
  HTML_TYPE,
  type HttpResponse,
  JSON_TYPE,
  type WholeResponse,
  wholeResponse,
} from '../../api/response.ts'
import { isSafe } from '../../api/transport/safe-methods.ts'
import { NOBODY, type Sender, type Unidentified } from '../../api/transport/sender.ts'
import { ApiError } from '../../errors.ts'
import { appTitleOf, pluralTitleOf } from '../../schema/class-name.ts'
import { isJsonObject, type Json } from '../../schema/json.ts'
import type { Registry } from '../../schema/registry.ts'
import { rootPathOf } from '../../schema/root-path.ts'
import { unescaped } from '../../schema/unescaped.ts'
import type { Content } from '../components/html.ts'
import { queryOfForm } from '../forms/fields/filter-redirect.ts'
import { humanize } from '../forms/fields/humanize.ts'
import type { Crumb } from '../frame/page.ts'
import { browsePage, type Exchange } from './browse-page.ts'
import { hierarchyOf } from './hierarchy.ts'
import { listControls } from './list-controls.ts'
import { type Mode, modesOf, requestedMode, tabsOf, withoutMode } from './modes.ts'
import { formOf, objectActions, objectAside } from './object-controls.ts'
import { rawForm } from './object-form.ts'

/**
 * Response as an HTML page: the API's response to the same request, with links and forms. Responses that are not JSON
 * (drawings, files) are left unchanged.
 */
export async function browse(
  request: Unidentified,
  endpoint: Endpoint,
  identify: () => Promise<Sender>,
  respondTo: (request: Unidentified, endpoint: Endpoint, sender: Sender) => Promise<HttpResponse>,
): Promise<HttpResponse> {
  const query = request.method === 'GET' ? queryOfForm(request.search) : undefined
  if (query !== undefined) return redirectTo(`${request.url.pathname}${query}`)
  const { sender, refusal } = await identified(identify)
  const inner: ApiRequest = withoutMode({
    ...request,
    actor: sender.actor,
    csrfToken: sender.csrfToken,
  })
  const modes = modesOf(inner, endpoint)
  const mode = requestedMode(request, modes)
  const response = refusal ?? (await responseIn(mode, inner, endpoint, () => respondTo(inner, endpoint, sender)))
  if (response.type !== undefined) return response
  return {
    status: response.status,
    type: HTML_TYPE,
    body: await pageOf(inner, endpoint, { modes, mode, response, query: request.url.search }),
    headers: {
      // The same URL serves JSON to programs; a cached page must not replace it.
      'Cache-Control': 'no-store',
      Vary: 'HX-Request, Accept-Language, Cookie, origin',
    },
    cookies: [...(sender.cookies ?? []), ...(response.cookies ?? [])],
  }
}

const redirectTo = (location: string): HttpResponse => ({
  status: 302,
  headers: { Location: location },
})

/** The request with its actor. A sender whose credentials are refused is anonymous, and the page shows the reason. */
async function identified(
  identify: () => Promise<Sender>,
): Promise<{ readonly sender: Sender; readonly refusal?: WholeResponse }> {
  try {
    return { sender: await identify() }
  } catch (error) {
    return { sender: NOBODY, refusal: refusalOf(error) }
  }
}

/** The API's response in this mode. */
async function responseIn(
  mode: Mode,
  request: ApiRequest,
  endpoint: Endpoint,
  respond: () => Promise<HttpResponse>,
): Promise<WholeResponse> {
  try {
    if (mode === 'options') {
      return await wholeResponse(await options({ ...request, method: 'OPTIONS' }, endpoint))
    }
    if (mode === 'new') return { status: 200 }
    return await wholeResponse(await respond())
  } catch (error) {
    return refusalOf(error)
  }
}

/** The response for an API error. Throws other errors again. */
function refusalOf(error: unknown): WholeResponse {
  const response = error instanceof ApiError ? errorResponse(error) : undefined
  if (!response) throw error
  return response
}

interface Outcome {
  readonly modes: readonly Mode[]
  readonly mode: Mode
  readonly response: WholeResponse
  /** Query of the page's own address, with the name of the mode. */
  readonly query: string
}

async function pageOf(
  request: ApiRequest,
  endpoint: Endpoint,
  { modes, mode, response, query }: Outcome,
): Promise<string> {
  const { actor, csrfToken, url, service, parameters } = request
  const { basePath } = service.settings
  const { model, actions = [] } = endpoint
  const document = response.body === undefined ? undefined : (JSON.parse(bodyText(response)) as Json) // the JSON was produced by this process
  const isObject = model !== undefined && parameters.length > 0
  const name = isObject && isJsonObject(document) ? document.display : undefined
  const isRefused = response.status >= 400
  // An endpoint without GET opens with the form for its first writing method.
  const isUnreadable = response.status === 405 && request.method === 'GET'
  // A refused filter can be corrected in the form; without permission to view there is nothing to filter.
  const hasControls = !isRefused || isUnreadable || (!isObject && response.status === 400)
  const path = url.pathname.slice(basePath.length)
  const last = typeof name === 'string' ? name : undefined
  const heading = last ?? headingOf(endpoint, request)
  const showsResponse = (isRefused || isAboutResponse(mode, request, endpoint)) && !isUnreadable
  return browsePage({
    title: heading,
    heading,
    description: endpoint.description,
    basePath,
    address: `${path}${query}`,
    viewer: actor.kind === 'user' ? { username: actor.username, csrfToken } : undefined,
    breadcrumbs: breadcrumbsOf(service.registry, path, last),
    tabs: tabsOf(url, modes, mode),
    asksForLogin: actor.kind === 'anonymous' && response.status === 403,
    controls: hasControls ? await controlsOf(request, endpoint, mode, document) : undefined,
    aside: isObject && mode === 'read' && !isRefused ? objectAside(request, { model, actions }, document) : undefined,
    exchange: showsResponse ? exchangeOf(request, endpoint, mode, response) : undefined,
  })
}

/**
 * Whether the page is about the response itself; for objects this is a separate mode, whose page is ten times as long.
 */
const isAboutResponse = (mode: Mode, { method }: ApiRequest, { model }: Endpoint): boolean =>
  mode === 'json' || mode === 'options' || (mode === 'read' && (model === undefined || !isSafe(method)))

/** `Devices` for a collection, `Device: Render config` for an action, otherwise the endpoint's own name. */
function headingOf({ model, name }: Endpoint, { url, parameters }: ApiRequest): string {
  if (model) return name.endsWith(' List') ? pluralTitleOf(model) : name
  const segment = url.pathname.split('/').at(-2) ?? ''
  return parameters.length > 0 ? `${name}: ${humanize(segment)}` : name
}

async function controlsOf(
  request: ApiRequest,
  endpoint: Endpoint,
  mode: Mode,
  document: Json | undefined,
): Promise<Content> {
  const { model } = endpoint
  if (mode === 'options' || mode === 'json') return undefined
  if (!model) return hierarchyOf(request, document) ?? actionForm(request, endpoint)
  const { methods, actions = [] } = endpoint
  if (mode !== 'read') return await formOf(request, { model, methods }, mode, document)
  return request.parameters.length > 0
    ? objectActions(request, { model, actions }, document)
    : await listControls(request, model, document)
}

/** JSON editor for the body of an action; only for users who have signed in. */
function actionForm({ actor, url }: ApiRequest, { methods }: Endpoint): Content {
  const unsafe = Object.keys(methods).filter((method) => method !== 'GET')
  if (unsafe.length === 0 || actor.kind === 'anonymous') return undefined
  return rawForm({ action: url.pathname, methods: unsafe, text: '{}', leadsTo: 'answer' })
}

function exchangeOf({ method, url }: ApiRequest, endpoint: Endpoint, mode: Mode, response: WholeResponse): Exchange {
  const plain = new URL(url)
  plain.searchParams.set('format', 'json')
  return {
    method: mode === 'options' ? 'OPTIONS' : method,
    target: mode === 'options' ? url.pathname : `${url.pathname}${unescaped(url.search)}`,
    status: response.status,
    statusText: STATUS_CODES[response.status] ?? '',
    headers: [
      ['Allow', allowedMethods(endpoint).join(', ')],
      ['Content-Type', JSON_TYPE],
      ...Object.entries(response.headers ?? {}),
    ],
    body: response.body === undefined ? undefined : bodyText(response),
    plain: mode === 'options' ? url.pathname : `${plain.pathname}${plain.search}`,
  }
}

/**
 * Links to the ancestors of a path below the base path, one per segment. `last` is the label of the last one, if
 * known.
 */
function breadcrumbsOf(registry: Registry, path: string, last: string | undefined): Crumb[] {
  const segments = path.split('/').filter((segment) => segment !== '')
  return segments.map((segment, index) => {
    const here = `/${segments.slice(0, index + 1).join('/')}/`
    const isLast = index === segments.length - 1
    return { path: here, label: (isLast ? last : undefined) ?? labelOf(registry, here, segment) }
  })
}

function labelOf(registry: Registry, path: string, segment: string): string {
  if (path === '/api/') return 'API'
  for (const model of registry.models.values()) {
    if (model.path === '') continue
    if (path === `/api/${model.path}/`) return pluralTitleOf(model)
    if (path === `/api/${rootPathOf(model)}/`) return appTitleOf(model)
  }
  return /^\d+$/.test(segment) ? `#${segment}` : humanize(segment)
}
