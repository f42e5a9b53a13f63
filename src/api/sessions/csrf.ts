import { ApiError } from '../../base/errors.ts'
import { isSameSecret } from '../../identity/session-key.ts'
import type { ApiRequest } from '../api-request.ts'
import { CSRF_FIELD } from '../transport/form-body.ts'

type Guarded = Pick<ApiRequest, 'service' | 'headers' | 'url' | 'body'>

/**
 * Throws `forbidden` unless the request comes from a page of this service or of a trusted origin: its origin must
 * match, and the token must be in a header or a form field. Browsers attach cookies to requests that other sites
 * trigger, but other sites do not know the token.
 */
export async function requireCsrf(request: Guarded, expected: string): Promise<void> {
  requireOwnOrigin(request)
  const token = request.headers['x-csrftoken'] ?? (await tokenOfForm(request))
  if (token === undefined || token === '') throw csrfFailed('CSRF token missing.')
  if (!isSameSecret(token, expected)) throw csrfFailed('CSRF token incorrect.')
}

export const csrfFailed = (why: string): ApiError => new ApiError({ kind: 'forbidden', detail: `CSRF Failed: ${why}` })

async function tokenOfForm({ body }: Guarded): Promise<string | undefined> {
  const token = (await body.form())?.get(CSRF_FIELD)?.at(-1)
  return typeof token === 'string' ? token : undefined
}

function requireOwnOrigin({ headers, url, service }: Guarded): void {
  const source = headers.origin ?? originOf(headers.referer)
  if (source === undefined) {
    // Over HTTPS every browser sends one of the two headers, unless a page has disabled that.
    if (url.protocol === 'https:') throw csrfFailed('Origin checking failed - no Origin or Referer.')
    return
  }
  if (source === url.origin || isTrustedOrigin(service, source)) return
  throw csrfFailed(`Origin checking failed - ${source} does not match any trusted origins.`)
}

/** Whether the configuration trusts the origin. */
export const isTrustedOrigin = ({ settings }: Guarded['service'], origin: string): boolean =>
  settings.csrfTrustedOrigins.some((trusted) => matches(trusted, origin))

/** Origin of a URL; a text that is not a URL is returned unchanged and matches nothing. */
function originOf(referer: string | undefined): string | undefined {
  if (referer === undefined) return undefined
  return URL.canParse(referer) ? new URL(referer).origin : referer
}

/** `trusted` may start with `scheme://*.`, which matches every host below the one that follows. */
function matches(trusted: string, origin: string): boolean {
  const [scheme, host = ''] = trusted.split('*')
  if (!trusted.includes('*')) return origin === trusted
  return origin.startsWith(`${scheme}`) && origin.endsWith(host) && !origin.endsWith(`/${host}`)
}
