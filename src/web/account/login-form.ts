import type { ApiRequest } from '../../api/api-request.ts'
import type { HttpResponse } from '../../api/response.ts'
import { csrfCookie, csrfCookieOf } from '../../api/sessions/cookies.ts'
import { localPath } from '../../api/sessions/local-path.ts'
import { isSessionKey, newSessionKey } from '../../identity/session-key.ts'
import { loginPage } from './login-page.ts'
import { personalPage } from './page-answer.ts'

/** Values of a login form. */
export interface LoginForm {
  readonly status: number
  /** As requested; not trusted. */
  readonly next: string | undefined
  readonly username?: string | undefined
  /** Why the last attempt failed. */
  readonly refusal?: string | undefined
}

/**
 * The login page. Its form repeats a random token that is also in a cookie: another site can neither read the cookie
 * to put its value in a form nor set a cookie.
 */
export function loginForm(
  request: Pick<ApiRequest, 'service' | 'headers' | 'url'>,
  { status, next, username, refusal }: LoginForm,
): HttpResponse {
  const { basePath, oidcIssuer } = request.service.settings
  const former = csrfCookieOf(request)
  const isUsable = former !== undefined && isSessionKey(former)
  const csrfToken = isUsable ? former : newSessionKey()
  const body = loginPage({
    basePath,
    next: localPath(next, request.url, basePath),
    csrfToken,
    username,
    refusal,
    provider: oidcIssuer === undefined ? undefined : new URL(oidcIssuer).hostname,
  })
  const answer = personalPage(status, body)
  return isUsable ? answer : { ...answer, cookies: [csrfCookie(request, csrfToken)] }
}
