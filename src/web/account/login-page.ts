import type { ApiRequest } from '../../api/api-request.ts'
import type { HttpResponse } from '../../api/response.ts'
import { csrfCookie, csrfCookieOf } from '../../api/sessions/cookies.ts'
import { localPath } from '../../api/sessions/local-path.ts'
import { ApiError } from '../../base/errors.ts'
import type { OidcConfig, SamlConfig } from '../../config/auth-providers.ts'
import type { Authentication } from '../../identity/authenticate.ts'
import { LoginRefusal } from '../../identity/login-refusal.ts'
import { labelOf } from '../../identity/providers.ts'
import { isSessionKey, newSessionKey } from '../../identity/session-key.ts'
import { csrfField } from '../components/csrf-field.ts'
import { productPicture } from '../components/product-picture.ts'
import { banner } from '../frame/banners.ts'
import { layout } from '../frame/layout.ts'
import { SESSION_ENDED } from '../frame/page.ts'
import { personalPage } from '../frame/page-response.ts'
import { type Content, html } from '../html.ts'
import { translate } from '../texts/translate.ts'

/** Values of a login form. */
interface LoginForm {
  readonly status: number
  /** As requested; not trusted. */
  readonly next: string | undefined
  readonly username?: string | undefined
  /** Why the last attempt failed. */
  readonly refusal?: string | undefined
}

/**
 * The login page. Its form repeats a random token that is also in a cookie: another site can neither read the cookie to
 * copy its value into a form nor set one.
 */
export function loginForm(
  { providers }: Pick<Authentication, 'providers'>,
  request: Pick<ApiRequest, 'service' | 'headers' | 'url'>,
  { status, next, username, refusal }: LoginForm,
): HttpResponse {
  const { bannerLogin, basePath, loginFormHidden } = request.service.settings
  // For superusers when the provider is not available.
  const isFormShown = !loginFormHidden || username !== undefined || request.url.searchParams.has('form')
  const former = csrfCookieOf(request)
  const isUsable = former !== undefined && isSessionKey(former)
  const csrfToken = isUsable ? former : newSessionKey()
  const target = localPath(next, request.url, basePath)
  const hasEnded = request.url.searchParams.has(SESSION_ENDED)
  const body = layout(
    {
      title: translate('Log in'),
      basePath,
      address: target.slice(basePath.length),
      viewer: undefined,
      ...(hasEnded && { scripts: ['login.client.ts'] }),
      styles: ['product-picture.css'],
      body: html`<div class="first-sight"><section class="card narrow" aria-labelledby="login">
<h1 id="login">${translate('Log in')}</h1>
${banner(bannerLogin)}
${refusal !== undefined && html`<p class="notice bad" role="alert">${refusal}</p>`}
${refusal === undefined && hasEnded && html`<p class="notice" role="status">${translate('Your session has ended. Log in to continue; what you have typed is kept in this tab.')}</p>`}
${
  isFormShown &&
  html`<form method="post" action="${basePath}/login/">
${csrfField(csrfToken)}
<input type="hidden" name="next" value="${target}">
<div class="fields">
<div class="field"><label for="username">${translate('User name')}</label>
<input id="username" name="username" value="${username}" autocomplete="username" autocapitalize="none" spellcheck="false" required autofocus></div>
<div class="field"><label for="password">${translate('Password')}</label>
<input id="password" name="password" type="password" autocomplete="current-password" required></div>
</div>
<div class="buttons"><button>${translate('Log in')}</button></div>
</form>`
}
${[...providers.oidc, ...providers.saml].map(({ config }) => providerLink(basePath, target, config))}
</section><div><p class="motto">${translate('The record of your network')}</p>${productPicture()}</div></div>`,
    },
    request,
  )
  const response = personalPage(status, body)
  return isUsable ? response : { ...response, cookies: [csrfCookie(request, csrfToken)] }
}

/** A link, not a form: it leads to another host, which the pages' policy forbids for forms. */
const providerLink = (basePath: string, next: string, config: OidcConfig | SamlConfig): Content =>
  html`<p class="buttons"><a class="button quiet" href="${basePath}/${config.type === 'oidc' ? 'oauth' : 'saml'}/login/${config.name}/?next=${encodeURIComponent(next)}">${translate('Log in with {provider}', { provider: labelOf(config) })}</a></p>`

/** The login page with the reason of the refusal; rethrows other errors. */
export function refusedLogin(
  authentication: Pick<Authentication, 'providers'>,
  request: ApiRequest,
  error: unknown,
  form: Pick<LoginForm, 'next' | 'username'>,
): HttpResponse {
  const refusal = refusalOf(error)
  if (!refusal) throw error
  const { status, text, headers } = refusal
  const page = loginForm(authentication, request, { ...form, status, refusal: text })
  return { ...page, headers: { ...page.headers, ...headers } }
}

interface Refusal {
  readonly status: number
  readonly text: string
  readonly headers?: Readonly<Record<string, string>>
}

/** The refusal of a login in the form for pages; undefined for other errors. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof LoginRefusal) return { status: 403, text: error.message }
  if (!(error instanceof ApiError)) return undefined
  const { reason } = error
  if (reason.kind === 'forbidden') return { status: 403, text: reason.detail }
  if (reason.kind === 'unavailable') return { status: 503, text: reason.detail }
  if (reason.kind !== 'throttled') return undefined
  const seconds = String(reason.retryAfterSeconds)
  return {
    status: 429,
    text: translate(
      'Too many attempts. Try again in {count} second.|Too many attempts. Try again in {count} seconds.',
      { count: reason.retryAfterSeconds },
    ),
    headers: { 'Retry-After': seconds },
  }
}
