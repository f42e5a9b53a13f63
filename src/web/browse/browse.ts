import { STATUS_CODES } from 'node:http'
import type { ApiRequest } from '../../api/api-request.ts'
import { allowedMethods, type Endpoint } from '../../api/endpoint.ts'
import { answerTo } from '../../api/errors.ts'
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
import type { Content } from '../components/html.ts'
import { queryOfForm } from '../forms/fields/filter-redirect.ts'
import { humanize } from '../forms/fields/humanize.ts'
import type { Crumb } from '../frame/page.ts'
import { browsePage, type Exchange } from './browse-page.ts'
import { hierarchyOf } from './hierarchy.ts'
import { listControls } from './list-view.ts'
import { rawForm } from './object-form.ts'
import { formOf, objectActions, objectAside } from './object-view.ts'
import { tabsOf, type View, viewAsked, viewsOf, withoutView } from './views.ts'

/**
 * Response as an HTML page: the API's response to the same request, with links and forms. Responses that are not JSON
 * (drawings, files) stay as they are.
 */
export async function browse(
  request: Unidentified,
  endpoint: Endpoint,
  identify: () => Promise<Sender>,
  answer: (sender: Sender, request: Unidentified) => Promise<HttpResponse>,
): Promise<HttpResponse> {
  const query = request.method === 'GET' ? queryOfForm(request.search) : undefined
  if (query !== undefined) return found(`${request.url.pathname}${query}`)
  const { sender, refusal } = await identified(identify)
  const asked: ApiRequest = withoutView({
    ...request,
    actor: sender.actor,
    csrfToken: sender.csrfToken,
  })
  const views = viewsOf(asked, endpoint)
  const view = viewAsked(request, views)
  const given = refusal ?? (await answerOf(view, asked, endpoint, () => answer(sender, asked)))
  if (given.type !== undefined) return given
  return {
    status: given.status,
    type: HTML_TYPE,
    body: await pageOf(asked, endpoint, { views, view, answer: given, query: request.url.search }),
    headers: {
      // The same URL serves JSON to programs; a cached page must not replace it.
      'Cache-Control': 'no-store',
      Vary: 'HX-Request, Accept-Language, Cookie, origin',
    },
    cookies: [...(sender.cookies ?? []), ...(given.cookies ?? [])],
  }
}

const found = (location: string): HttpResponse => ({ status: 302, headers: { Location: location } })

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

/** The API's response in this view. */
async function answerOf(
  view: View,
  request: ApiRequest,
  endpoint: Endpoint,
  answer: () => Promise<HttpResponse>,
): Promise<WholeResponse> {
  try {
    if (view === 'options') {
      return await wholeResponse(await options({ ...request, method: 'OPTIONS' }, endpoint))
    }
    if (view === 'new') return { status: 200 }
    return await wholeResponse(await answer())
  } catch (error) {
    return refusalOf(error)
  }
}

/** The response for an API error. Throws other errors again. */
function refusalOf(error: unknown): WholeResponse {
  const answer = error instanceof ApiError ? answerTo(error) : undefined
  if (!answer) throw error
  return answer
}

interface Outcome {
  readonly views: readonly View[]
  readonly view: View
  readonly answer: WholeResponse
  /** Query of the page's own address, with the name of the view. */
  readonly query: string
}

async function pageOf(
  request: ApiRequest,
  endpoint: Endpoint,
  { views, view, answer, query }: Outcome,
): Promise<string> {
  const { actor, csrfToken, url, service, parameters } = request
  const { basePath } = service.settings
  const { model, actions = [] } = endpoint
  const document = answer.body === undefined ? undefined : (JSON.parse(bodyText(answer)) as Json) // the JSON was produced by this process
  const isObject = model !== undefined && parameters.length > 0
  const name = isObject && isJsonObject(document) ? document.display : undefined
  const isRefused = answer.status >= 400
  // An endpoint without GET opens with the form for its first writing method.
  const isUnreadable = answer.status === 405 && request.method === 'GET'
  // A refused filter can be corrected in the form; without permission to view there is nothing to filter.
  const hasControls = !isRefused || isUnreadable || (!isObject && answer.status === 400)
  const path = url.pathname.slice(basePath.length)
  const last = typeof name === 'string' ? name : undefined
  const heading = last ?? headingOf(endpoint, request)
  const showsAnswer = (isRefused || isOfAnswer(view, request, endpoint)) && !isUnreadable
  return browsePage({
    title: heading,
    heading,
    description: endpoint.description,
    basePath,
    address: `${path}${query}`,
    viewer: actor.kind === 'user' ? { username: actor.username, csrfToken } : undefined,
    breadcrumbs: breadcrumbsOf(service.registry, path, last),
    tabs: tabsOf(url, views, view),
    asksForLogin: actor.kind === 'anonymous' && answer.status === 403,
    controls: hasControls ? await controlsOf(request, endpoint, view, document) : undefined,
    aside:
      isObject && view === 'read' && !isRefused
        ? objectAside(request, { model, actions }, document)
        : undefined,
    exchange: showsAnswer ? exchangeOf(request, endpoint, view, answer) : undefined,
  })
}

/** Whether the page is about the answer itself; objects have a view of their own for that, ten times as long as the page. */
const isOfAnswer = (view: View, { method }: ApiRequest, { model }: Endpoint): boolean =>
  view === 'json' ||
  view === 'options' ||
  (view === 'read' && (model === undefined || !isSafe(method)))

/** `Devices` for a collection, `Device: Render config` for an action, else the endpoint's own name. */
function headingOf({ model, name }: Endpoint, { url, parameters }: ApiRequest): string {
  if (model) return name.endsWith(' List') ? pluralTitleOf(model) : name
  const segment = url.pathname.split('/').at(-2) ?? ''
  return parameters.length > 0 ? `${name}: ${humanize(segment)}` : name
}

async function controlsOf(
  request: ApiRequest,
  endpoint: Endpoint,
  view: View,
  document: Json | undefined,
): Promise<Content> {
  const { model } = endpoint
  if (view === 'options' || view === 'json') return undefined
  if (!model) return hierarchyOf(request, document) ?? actionForm(request, endpoint)
  const { methods, actions = [] } = endpoint
  if (view !== 'read') return await formOf(request, { model, methods }, view, document)
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

function exchangeOf(
  { method, url }: ApiRequest,
  endpoint: Endpoint,
  view: View,
  answer: WholeResponse,
): Exchange {
  const plain = new URL(url)
  plain.searchParams.set('format', 'json')
  return {
    method: view === 'options' ? 'OPTIONS' : method,
    target: view === 'options' ? url.pathname : `${url.pathname}${decoded(url.search)}`,
    status: answer.status,
    statusText: STATUS_CODES[answer.status] ?? '',
    headers: [
      ['Allow', allowedMethods(endpoint).join(', ')],
      ['Content-Type', JSON_TYPE],
      ...Object.entries(answer.headers ?? {}),
    ],
    body: answer.body === undefined ? undefined : bodyText(answer),
    plain: view === 'options' ? url.pathname : `${plain.pathname}${plain.search}`,
  }
}

/** A query string with its escapes decoded, for display. */
function decoded(query: string): string {
  try {
    return decodeURIComponent(query)
  } catch {
    return query
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
