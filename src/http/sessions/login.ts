import type { Authentication } from '../../auth/authenticate.ts'
import { startSession } from '../../auth/session.ts'
import { signIn } from '../../auth/sign-in.ts'
import { ApiError } from '../../errors.ts'
import type { Answer } from '../answer.ts'
import { type ApiRequest, lastValue } from '../api-request.ts'
import type { FormValues } from '../body.ts'
import type { Endpoint } from '../endpoint.ts'
import { csrfCookieOf, sessionCookies, sessionKeyOf } from './cookies.ts'
import { csrfFailed, requireCsrf } from './csrf.ts'
import { loginForm } from './login-form.ts'
import { ownPath } from './own-path.ts'
import { seeOther } from './page-answer.ts'

/** /login/: the form, and what it is sent to. */
export const login = (authentication: Authentication): Endpoint => ({
  name: 'Login',
  description: 'Starts a session of the browser.',
  isPublic: true,
  negotiates: true,
  // Nothing of the inventory changes.
  reading: new Set(['POST']),
  methods: {
    GET: async (request) =>
      loginForm(request, { status: 200, next: lastValue(request.search, 'next') }),
    POST: (request) => logIn(authentication, request),
  },
})

async function logIn(authentication: Authentication, request: ApiRequest): Promise<Answer> {
  const form = await request.body.form()
  const username = textOf(form, 'username')
  const next = textOf(form, 'next')
  try {
    await requireCsrf(request, tokenOfCookie(request))
    const password = textOf(form, 'password')
    const { id } = await signIn(authentication, { username, password, address: request.address })
    return await enter(request, id, next)
  } catch (error) {
    const refusal = error instanceof ApiError ? refusalOf(error) : undefined
    if (!refusal) throw error
    const page = loginForm(request, { ...refusal, next, username })
    return { ...page, headers: { ...page.headers, ...refusal.headers } }
  }
}

/** Starts the session of a user who has proved to be one, and leads on. `next` is not to be trusted. */
export async function enter(
  request: ApiRequest,
  userId: number,
  next: string | undefined,
): Promise<Answer> {
  const { service, url } = request
  const key = await startSession(service, userId, sessionKeyOf(request))
  const path = ownPath(next, url, service.settings.basePath)
  return seeOther(path, sessionCookies(request, key))
}

const textOf = (form: FormValues | undefined, name: string): string =>
  String(form?.get(name)?.at(-1) ?? '')

function tokenOfCookie(request: ApiRequest): string {
  const token = csrfCookieOf(request)
  if (token === undefined || token === '') throw csrfFailed('CSRF cookie not set.')
  return token
}

interface Refusal {
  readonly status: number
  readonly refusal: string
  readonly headers?: Readonly<Record<string, string>>
}

/** What the form says of a refusal; undefined where trying again would not help. */
function refusalOf({ reason }: ApiError): Refusal | undefined {
  if (reason.kind === 'forbidden') return { status: 403, refusal: reason.detail }
  if (reason.kind !== 'throttled') return undefined
  const seconds = String(reason.retryAfterSeconds)
  return {
    status: 429,
    refusal: `Too many attempts. Try again in ${seconds} seconds.`,
    headers: { 'Retry-After': seconds },
  }
}
