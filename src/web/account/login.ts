import { type ApiRequest, lastValue } from '../../api/api-request.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import type { HttpResponse } from '../../api/response.ts'
import { csrfCookieOf } from '../../api/sessions/cookies.ts'
import { csrfFailed, requireCsrf } from '../../api/sessions/csrf.ts'
import type { FormValues } from '../../api/transport/body.ts'
import type { Authentication } from '../../identity/authenticate.ts'
import { signIn } from '../../identity/sign-in.ts'
import { inPageLanguage } from '../texts/page-language.ts'
import { completeLogin } from './complete-login.ts'
import { loginForm } from './login-form.ts'
import { refusedLogin } from './refused-login.ts'

/** /login/: GET shows the form, POST signs in. */
export const login = (authentication: Authentication): Endpoint => ({
  name: 'Login',
  description: 'Starts a session of the browser.',
  isPublic: true,
  negotiates: true,
  // A login does not change the inventory.
  reading: new Set(['POST']),
  methods: {
    GET: inPageLanguage(async (request) =>
      loginForm(request, { status: 200, next: lastValue(request.search, 'next') }),
    ),
    POST: inPageLanguage((request) => logIn(authentication, request)),
  },
})

async function logIn(authentication: Authentication, request: ApiRequest): Promise<HttpResponse> {
  const form = await request.body.form()
  const username = textOf(form, 'username')
  const next = textOf(form, 'next')
  try {
    await requireCsrf(request, tokenOfCookie(request))
    const password = textOf(form, 'password')
    const { id } = await signIn(authentication, { username, password, address: request.address })
    return await completeLogin(request, id, next)
  } catch (error) {
    return refusedLogin(request, error, { next, username })
  }
}

const textOf = (form: FormValues | undefined, name: string): string =>
  String(form?.get(name)?.at(-1) ?? '')

function tokenOfCookie(request: ApiRequest): string {
  const token = csrfCookieOf(request)
  if (token === undefined || token === '') throw csrfFailed('CSRF cookie not set.')
  return token
}
