import { STATUS_CODES } from 'node:http'
import type { ApiRequest } from '../../api/api-request.ts'
import { allowedMethods, type Endpoint } from '../../api/endpoint.ts'
import { errorResponse } from '../../api/errors.ts'
import {
  bodyText,
  HTML_TYPE,
  type HttpResponse,
  JSON_TYPE,
  type WholeResponse,
  wholeResponse,
} from '../../api/response.ts'
import { NOBODY, type Sender, type Unidentified } from '../../api/transport/sender.ts'
import { ApiError } from '../../base/errors.ts'
import { parseWindow } from '../../read/query/window.ts'
import { appTitleOf, pluralTitleOf } from '../../schema/class-name.ts'
import { isJsonObject, type Json, type JsonObject } from '../../schema/json.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Registry } from '../../schema/registry.ts'
import { rootPathOf } from '../../schema/root-path.ts'
import { unescaped } from '../../schema/unescaped.ts'
import { humanize } from '../components/humanize.ts'
import { pager } from '../components/pager.ts'
import { layout } from '../frame/layout.ts'
import { type Crumb, loginPath, viewerOf } from '../frame/page.ts'
import { type Content, type Html, html } from '../html.ts'
import { numeral } from '../texts/translate.ts'
import { jsonMarkup } from './json-markup.ts'

/**
 * The API's response to a browser as an HTML page: the JSON that a program gets, with links. Responses that are not
 * JSON (drawings, files) are left unchanged.
 */
export async function browse(
  request: Unidentified,
  endpoint: Endpoint,
  identify: () => Promise<Sender>,
  respond: (sender: Sender) => Promise<HttpResponse>,
): Promise<HttpResponse> {
  const { sender, refusal } = await identified(identify)
  const response = refusal ?? (await refusing(() => respond(sender)))
  if (response.type !== undefined) return response
  const { actor, csrfToken } = sender
  return {
    status: response.status,
    type: HTML_TYPE,
    body: pageOf({ ...request, actor, csrfToken }, endpoint, response),
    headers: {
      // The same URL serves JSON to programs; a cached page must not replace it.
      'Cache-Control': 'no-store',
      Vary: 'HX-Request, Accept-Language, Cookie, origin',
    },
    cookies: [...(sender.cookies ?? []), ...(response.cookies ?? [])],
  }
}

/** The sender. One whose credentials are refused is anonymous, and the page shows the reason. */
async function identified(
  identify: () => Promise<Sender>,
): Promise<{ readonly sender: Sender; readonly refusal?: WholeResponse }> {
  try {
    return { sender: await identify() }
  } catch (error) {
    return { sender: NOBODY, refusal: refusalOf(error) }
  }
}

async function refusing(respond: () => Promise<HttpResponse>): Promise<WholeResponse> {
  try {
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

function pageOf(request: ApiRequest, endpoint: Endpoint, response: WholeResponse): string {
  const { actor, csrfToken, url, service } = request
  const { basePath } = service.settings
  const document = response.body === undefined ? undefined : (JSON.parse(bodyText(response)) as Json) // the JSON was produced by this process
  const path = url.pathname.slice(basePath.length)
  const address = `${path}${url.search}`
  const object = isJsonObject(document) && request.parameters.length > 0 ? document : undefined
  const name = endpoint.model && typeof object?.display === 'string' ? object.display : undefined
  const heading = name ?? headingOf(endpoint, request)
  const asksForLogin = actor.kind === 'anonymous' && response.status === 403
  return layout(
    {
      title: heading,
      basePath,
      address,
      viewer: actor.kind === 'user' ? viewerOf(actor, csrfToken) : undefined,
      breadcrumbs: breadcrumbsOf(service.registry, path, name),
      styles: ['browse.css'],
      body: html`<div class="heading"><h1>${heading}</h1>${endpoint.description !== '' && html`<p class="muted">${endpoint.description}</p>`}</div>
${asksForLogin && html`<div class="notice warn"><p>You have not signed in, or not as somebody who may see this. <a href="${loginPath(basePath, address)}">Log in</a> to continue.</p></div>`}
${response.status < 400 && html`<p>${pageLink(request, endpoint, object)}<a href="${basePath}/api/schema/swagger-ui/">Documentation</a></p>${endpoint.model && pagerOf(request, document)}`}
${exchange(request, endpoint, response)}`,
    },
    request,
  )
}

/** `Devices` for a collection, `Device: Render config` for an action, otherwise the endpoint's own name. */
function headingOf({ model, name }: Endpoint, { url, parameters }: ApiRequest): string {
  if (model) return name.endsWith(' List') ? pluralTitleOf(model) : name
  const segment = url.pathname.split('/').at(-2) ?? ''
  return parameters.length > 0 ? `${name}: ${humanize(segment)}` : name
}

/** Link to the page of the object, or of the model's list. */
function pageLink({ service }: ApiRequest, { model }: Endpoint, object: JsonObject | undefined): Content {
  const list = model && pagePathOf(model)
  if (list === undefined) return
  const path = `${service.settings.basePath}${list}`
  return object
    ? html`<a href="${path}${String(object.id)}/">Page of this object</a> · `
    : html`<a href="${path}">Page of this list</a> · `
}

/** Links to the adjacent pages of a list; nothing for other responses. */
function pagerOf({ search, service }: ApiRequest, document: Json | undefined): Content {
  if (!isJsonObject(document) || !Array.isArray(document.results)) return
  const { count, previous, next, results } = document
  return pager({
    count: typeof count === 'number' ? count : null,
    offset: parseWindow(search, service.settings).offset,
    length: results.length,
    previous: typeof previous === 'string' ? previous : undefined,
    next: typeof next === 'string' ? next : undefined,
  })
}

/** The request and the response. */
function exchange({ method, url }: ApiRequest, endpoint: Endpoint, response: WholeResponse): Html {
  const { status } = response
  const headers = { Allow: allowedMethods(endpoint).join(', '), 'Content-Type': JSON_TYPE, ...response.headers }
  const plain = new URL(url)
  plain.searchParams.set('format', 'json')
  const address = `${plain.pathname}${plain.search}`
  return html`<section class="exchange" aria-label="Request and response">
<div class="request-line"><span class="method">${method}</span> <code>${url.pathname}${unescaped(url.search)}</code><a class="plain" href="${address}">JSON</a></div>
<div class="answer-line"><span class="status${status >= 400 && ' bad'}">${status} ${STATUS_CODES[status] ?? ''}</span>
<dl>${Object.entries(headers).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl></div>
${responseBody(response.body === undefined ? undefined : bodyText(response), address)}
</section>`
}

/** Maximum length of a response that a page shows: longer ones make browsers slow. */
const MOST_SHOWN = 1_000_000

function responseBody(body: string | undefined, address: string): Html {
  if (body === undefined) return html`<p class="body muted">No body.</p>`
  if (body.length <= MOST_SHOWN) return jsonMarkup(body)
  return html`<p class="body">The response has ${numeral(body.length)} characters. <a href="${address}">Open it separately</a>.</p>`
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
