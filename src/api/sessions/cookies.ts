import { parseCookie, stringifySetCookie } from 'cookie'
import { csrfTokenOf } from '../../identity/session-key.ts'
import type { Service } from '../../service.ts'
import type { ApiRequest } from '../api-request.ts'

/** The parts of a request that cookies depend on. */
type CookieRequest = Pick<ApiRequest, 'service' | 'headers' | 'url'>

/** Read by the scripts of the pages, which send it back in a header. Clients rely on the name. */
const CSRF_COOKIE = 'csrftoken'

/** Value of a cookie; undefined if the browser has not sent it. */
export const readCookie = ({ headers }: Pick<CookieRequest, 'headers'>, name: string): string | undefined =>
  headers.cookie === undefined ? undefined : parseCookie(headers.cookie)[name]

/** Session key in the browser's cookie. */
export const sessionKeyOf = (
  request: Pick<CookieRequest, 'headers'> & { readonly service: Pick<Service, 'settings'> },
): string | undefined => readCookie(request, request.service.settings.sessionCookieName)

export const csrfCookieOf = (request: CookieRequest): string | undefined => readCookie(request, CSRF_COOKIE)

/** Headers that set the cookies of a session. */
export function sessionCookies(request: CookieRequest, key: string): readonly string[] {
  const { loginTimeout, sessionCookieName } = request.service.settings
  return [
    setCookie(request, sessionCookieName, key, { httpOnly: true, maxAge: loginTimeout }),
    csrfCookie(request, csrfTokenOf(key), loginTimeout),
  ]
}

/** Header that sets the cookie with the CSRF token; `maxAge` is in seconds, absent: until the browser closes. */
export const csrfCookie = (request: CookieRequest, token: string, maxAge?: number): string =>
  setCookie(request, CSRF_COOKIE, token, maxAge === undefined ? {} : { maxAge })

/** Headers that delete both cookies. */
export const noCookies = (request: CookieRequest): readonly string[] => [
  setCookie(request, request.service.settings.sessionCookieName, '', { httpOnly: true, maxAge: 0 }),
  csrfCookie(request, '', 0),
]

interface Attributes {
  readonly httpOnly?: boolean
  /** Seconds. */
  readonly maxAge?: number
  /** Browsers send it even with a form of another site, such as the response of a login provider. */
  readonly isCrossSite?: boolean
}

/**
 * SameSite=Lax: links from other sites open within the session, but requests that change something are sent without
 * the cookie.
 */
export const setCookie = (
  { service: { settings }, url }: CookieRequest,
  name: string,
  value: string,
  { isCrossSite = false, ...attributes }: Attributes,
): string => {
  const secure = settings.sessionCookieSecure || url.protocol === 'https:'
  return stringifySetCookie({
    name,
    value,
    path: settings.basePath === '' ? '/' : settings.basePath,
    // Browsers refuse "none" without TLS. Without the attribute, they send the cookie with such a form for two minutes.
    ...(isCrossSite ? secure && { sameSite: 'none' } : { sameSite: 'lax' }),
    secure,
    ...attributes,
  })
}
