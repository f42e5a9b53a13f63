import { parseCookie, stringifySetCookie } from 'cookie'
import { csrfTokenOf } from '../../auth/session-key.ts'
import type { ApiRequest } from '../api-request.ts'

/** What cookies are read from, and what they depend on. */
export type CookieRequest = Pick<ApiRequest, 'service' | 'headers' | 'url'>

/** Read by scripts of the pages, which send it back in a header. The name is the one that clients know. */
const CSRF_COOKIE = 'csrftoken'

/** Undefined where the browser has sent none of the name. */
export const readCookie = ({ headers }: CookieRequest, name: string): string | undefined =>
  headers.cookie === undefined ? undefined : parseCookie(headers.cookie)[name]

/** What the browser offers as the key of its session. */
export const sessionKeyOf = (request: CookieRequest): string | undefined =>
  readCookie(request, request.service.settings.sessionCookieName)

export const csrfCookieOf = (request: CookieRequest): string | undefined =>
  readCookie(request, CSRF_COOKIE)

/** Headers that hand a session over to the browser. */
export function sessionCookies(request: CookieRequest, key: string): readonly string[] {
  const { loginTimeout, sessionCookieName } = request.service.settings
  return [
    setCookie(request, sessionCookieName, key, { httpOnly: true, maxAge: loginTimeout }),
    csrfCookie(request, csrfTokenOf(key), loginTimeout),
  ]
}

/** Header that hands over the token of forms; `maxAge` is in seconds, absent: until the browser closes. */
export const csrfCookie = (request: CookieRequest, token: string, maxAge?: number): string =>
  setCookie(request, CSRF_COOKIE, token, maxAge === undefined ? {} : { maxAge })

/** Headers that take both away. */
export const noCookies = (request: CookieRequest): readonly string[] => [
  setCookie(request, request.service.settings.sessionCookieName, '', { httpOnly: true, maxAge: 0 }),
  csrfCookie(request, '', 0),
]

interface Attributes {
  readonly httpOnly?: boolean
  /** Seconds. */
  readonly maxAge?: number
}

/** Lax: links from elsewhere lead into the session, requests that change something do not take it along. */
export const setCookie = (
  { service: { settings }, url }: CookieRequest,
  name: string,
  value: string,
  attributes: Attributes,
): string =>
  stringifySetCookie({
    name,
    value,
    path: settings.basePath === '' ? '/' : settings.basePath,
    sameSite: 'lax',
    secure: settings.sessionCookieSecure || url.protocol === 'https:',
    ...attributes,
  })
