import { isSessionKey, newSessionKey } from '../../auth/session-key.ts'
import { loginPage } from '../../pages/login.ts'
import type { ApiRequest } from '../api-request.ts'
import type { HttpResponse } from '../response.ts'
import { csrfCookie, csrfCookieOf } from './cookies.ts'
import { localPath } from './local-path.ts'
import { personalPage } from './page-answer.ts'

/** What a login form is shown with. */
export interface LoginForm {
  readonly status: number
  /** As it was asked for; not to be trusted. */
  readonly next: string | undefined
  readonly username?: string | undefined
  /** Why the last attempt came to nothing. */
  readonly refusal?: string | undefined
}

/**
 * The login page. Its form sends back a random token that a cookie holds too: another site can make a
 * browser send neither the cookie's value in a form nor a cookie of its own choice.
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
