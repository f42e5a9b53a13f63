import type { ApiRequest } from '../../api/api-request.ts'
import type { HttpResponse } from '../../api/response.ts'
import { ApiError } from '../../errors.ts'
import { OidcRefusal } from '../../identity/oidc-refusal.ts'
import { translate } from '../texts/translate.ts'
import { type LoginForm, loginForm } from './login-form.ts'

/** The login page with the reason of the refusal; throws other errors again. */
export function refusedLogin(
  request: ApiRequest,
  error: unknown,
  form: Pick<LoginForm, 'next' | 'username'>,
): HttpResponse {
  const refusal = refusalOf(error)
  if (!refusal) throw error
  const { status, text, headers } = refusal
  const page = loginForm(request, { ...form, status, refusal: text })
  return { ...page, headers: { ...page.headers, ...headers } }
}

interface Refusal {
  readonly status: number
  readonly text: string
  readonly headers?: Readonly<Record<string, string>>
}

function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof OidcRefusal) return { status: 403, text: error.message }
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
