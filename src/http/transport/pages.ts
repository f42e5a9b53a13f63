import { messagePage } from '../../pages/message.ts'
import { HTML_TYPE, type HttpResponse, jsonResponse } from '../response.ts'
import { acceptsPage } from './negotiate.ts'

/** A path at which nothing answers: a page for people, since a mistyped address is a person's. */
export const pageNotFound = (basePath: string): HttpResponse =>
  page(404, basePath, 'Not found', 'Nothing is at this address.')

/** HttpResponse for a path that leads nowhere: a page, or JSON to clients outside the API that accept no page. */
export const nothingAt = (
  path: string,
  accept: string | undefined,
  basePath: string,
): HttpResponse =>
  path.startsWith('/api/') || acceptsPage(accept)
    ? pageNotFound(basePath)
    : jsonResponse(404, { detail: 'Not found.' })

/** To the same path with a slash at the end. `path` is below the base path, query and all. */
export const redirectTo = (basePath: string, path: string): HttpResponse => ({
  ...page(302, basePath, 'Moved', 'The address of a resource ends with a slash.'),
  headers: { Location: `${basePath}${path}`, Vary: 'Accept-Language, Cookie, origin' },
})

const page = (status: number, basePath: string, title: string, text: string): HttpResponse => ({
  status,
  type: HTML_TYPE,
  body: messagePage(basePath, title, text),
})
