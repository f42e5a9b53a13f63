import type { ApiRequest } from '../../api/api-request.ts'
import type { HttpResponse } from '../../api/response.ts'
import { csrfCookieOf, sessionCookies, sessionKeyOf } from '../../api/sessions/cookies.ts'
import { csrfFailed } from '../../api/sessions/csrf.ts'
import { localPath } from '../../api/sessions/local-path.ts'
import { startSession } from '../../identity/session.ts'
import { seeOther } from '../frame/page-response.ts'

/** CSRF token of the forms before a session. Throws `forbidden`. */
export function tokenOfCookie(request: ApiRequest): string {
  const token = csrfCookieOf(request)
  if (token === undefined || token === '') throw csrfFailed('CSRF cookie not set.')
  return token
}

/** The browser of a request, for its new session. */
export const sessionOrigin = (request: ApiRequest) => ({
  formerKey: sessionKeyOf(request),
  browser: request.headers['user-agent'] ?? '',
  address: request.address ?? '',
})

/** Starts the session of an authenticated user and redirects to `next`, which is not trusted. */
export async function completeLogin(
  request: ApiRequest,
  userId: number,
  next: string | undefined,
): Promise<HttpResponse> {
  const { service, url } = request
  const key = await startSession(service, userId, sessionOrigin(request))
  const path = localPath(next, url, service.settings.basePath)
  return seeOther(path, sessionCookies(request, key))
}
