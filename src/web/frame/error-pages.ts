import { HTML_TYPE, type HttpResponse, jsonResponse } from '../../api/response.ts'
import { acceptsPage, prefersPage } from '../../api/transport/negotiate.ts'
import { html } from '../components/html.ts'
import { translate } from '../texts/translate.ts'
import { layout } from './layout.ts'

/** 404 as a page, for mistyped URLs. */
const pageNotFound = (basePath: string): HttpResponse =>
  page(404, basePath, 'Not found', 'There is no page at this address.')

/** 404 for a path without a route: JSON, or a page for clients that ask for one, outside the API for all that accept one. */
export const nothingAt = (path: string, accept: string | undefined, basePath: string): HttpResponse =>
  (path.startsWith('/api/') ? prefersPage(accept, undefined) : acceptsPage(accept))
    ? pageNotFound(basePath)
    : jsonResponse(404, { detail: 'Not found.' })

/** Redirect to the same path with a trailing slash. `path` is below the base path, with its query. */
export const redirectTo = (basePath: string, path: string): HttpResponse => ({
  ...page(302, basePath, 'Moved', 'The address of a resource ends with a slash.'),
  headers: { Location: `${basePath}${path}`, Vary: 'Accept-Language, Cookie, origin' },
})

const page = (status: number, basePath: string, title: string, text: string): HttpResponse => ({
  status,
  type: HTML_TYPE,
  body: messagePage(basePath, title, text),
})

/** A page with a single message. */
const messagePage = (basePath: string, title: string, text: string): string =>
  layout({
    title,
    basePath,
    address: '/',
    viewer: undefined,
    isUnseen: true,
    body: html`<h1>${title}</h1><p>${text}</p><p><a href="${basePath}/">${translate('Start page')}</a></p>`,
  })
