import type { Authentication } from '../../auth/authenticate.ts'
import { signIn } from '../../auth/sign-in.ts'
import { type ApiRequest, lastValue } from '../api-request.ts'
import type { Endpoint } from '../endpoint.ts'
import { inPageLanguage } from '../page-language.ts'
import type { HttpResponse } from '../response.ts'
import type { FormValues } from '../transport/body.ts'
import { completeLogin } from './complete-login.ts'
import { csrfCookieOf } from './cookies.ts'
import { csrfFailed, requireCsrf } from './csrf.ts'
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
