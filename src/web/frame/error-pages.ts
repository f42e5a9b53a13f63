import { HTML_TYPE, type HttpResponse, jsonResponse } from '../../api/response.ts'
import { sessionKeyOf } from '../../api/sessions/cookies.ts'
import { acceptsPage, prefersPage } from '../../api/transport/negotiate.ts'
import { translate } from '../texts/translate.ts'
import { layout } from './layout.ts'
import type { PageRequest } from './page.ts'
import type { PageRow } from './page-endpoint.ts'
import { messageOf } from './page-frame.ts'

/** 404 as a page, for mistyped URLs. */
const pageNotFound = (request: PageRequest): HttpResponse => page(404, request, ...notFoundTexts())

const notFoundTexts = (): readonly [title: string, text: string] => [
  translate('Page not found'),
  translate('There is no page at this address.'),
]

const NOT_FOUND = '/page-not-found/'

/** The same for people with a session: with the menu. */
export const notFoundPage: PageRow = [
  NOT_FOUND,
  'GET',
  async ({ service }) => {
    const [title, text] = notFoundTexts()
    return { title, status: 404, body: messageOf(title, text, service.settings.basePath) }
  },
  { isShared: true },
]

/** Path of the page for a mistyped URL that a browser with a session opens; undefined for other requests. */
export function notFoundPath(request: PageRequest, method: string, path: string): string | undefined {
  const isForPage = method === 'GET' && !path.startsWith('/api/') && acceptsPage(request.headers.accept)
  return isForPage && sessionKeyOf(request) !== undefined ? NOT_FOUND : undefined
}

/** 404 for a path without a route: JSON with the detail, or a page for clients that ask for one, outside the API for all that accept one. */
export const nothingAt = (request: PageRequest, path: string, detail = 'Not found.'): HttpResponse =>
  (path.startsWith('/api/') ? prefersPage(request.headers.accept, undefined) : acceptsPage(request.headers.accept))
    ? pageNotFound(request)
    : jsonResponse(404, { detail })

/** The page for a failure of the service outside the API, for clients that prefer pages; otherwise undefined. */
export function failurePage(request: PageRequest, path: string, failure: HttpResponse): HttpResponse | undefined {
  const { status, body } = failure
  const isOfPage = !path.startsWith('/api/') && prefersPage(request.headers.accept, undefined)
  if (!isOfPage || status < 500 || typeof body !== 'string') return undefined
  const { detail } = JSON.parse(body) as { readonly detail?: string } // produced by this process
  const title = status === 503 ? translate('The service is not available now') : translate('Something went wrong')
  return { ...page(status, request, title, detail ?? ''), ...(failure.headers && { headers: failure.headers }) }
}

/** Redirect to the same path with a trailing slash. `path` is below the base path, with its query. */
export const redirectTo = (request: PageRequest, path: string): HttpResponse => ({
  ...page(302, request, 'Moved', 'The address of a resource ends with a slash.'),
  headers: { Location: `${request.service.settings.basePath}${path}`, Vary: 'Accept-Language, Cookie, origin' },
})

/** A page with a single message. */
function page(status: number, request: PageRequest, title: string, text: string): HttpResponse {
  const { basePath } = request.service.settings
  const content = messageOf(title, text, basePath)
  const body = layout({ title, basePath, address: '/', viewer: undefined, isUnseen: true, body: content }, request)
  return { status, type: HTML_TYPE, body }
}
