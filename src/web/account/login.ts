import type { ApiRequest } from '../../api/api-request.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import type { HttpResponse } from '../../api/response.ts'
import { noCookies, sessionKeyOf } from '../../api/sessions/cookies.ts'
import { requireCsrf } from '../../api/sessions/csrf.ts'
import type { Authentication } from '../../identity/authenticate.ts'
import { personOfHeaders } from '../../identity/proxy-header.ts'
import { factorState } from '../../identity/second-factor.ts'
import { endSession } from '../../identity/session.ts'
import { auditLogin, verifyPassword } from '../../identity/sign-in.ts'
import { lastValue } from '../../read/query/last-value.ts'
import { textIn } from '../forms/form-texts.ts'
import { seeOther } from '../frame/page-response.ts'
import { inPageLanguage } from '../texts/page-language.ts'
import { completeLogin, tokenOfCookie } from './complete-login.ts'
import { loginForm, refusedLogin } from './login-page.ts'
import { logInByProvider } from './provider-login.ts'
import { toSecondFactor } from './second-step.ts'

/** /login/: GET shows the form, POST signs in. */
export const login = (authentication: Authentication): Endpoint => ({
  name: 'Login',
  description: 'Starts a session of the browser.',
  access: 'public',
  kind: 'other',
  methods: {
    GET: {
      handle: inPageLanguage(async (request) => {
        const next = lastValue(request.search, 'next')
        return (
          (await logInByHeader(authentication, request, next)) ??
          loginForm(authentication, request, { status: 200, next })
        )
      }),
    },
    POST: {
      handle: inPageLanguage((request) => logIn(authentication, request)),
      // Signing in changes nothing in the inventory.
      isReading: true,
    },
  },
})

async function logIn(authentication: Authentication, request: ApiRequest): Promise<HttpResponse> {
  const form = await request.body.form()
  const username = textIn(form, 'username')
  const next = textIn(form, 'next')
  try {
    await requireCsrf(request, tokenOfCookie(request))
    const password = textIn(form, 'password')
    const { address, id: requestId } = request
    const user = await verifyPassword(authentication, { username, password, address, requestId })
    if ((await factorState(authentication, user)) !== 'none') return toSecondFactor(authentication, request, user, next)
    auditLogin(authentication, user, address)
    return await completeLogin(request, user.id, next)
  } catch (error) {
    return refusedLogin(authentication, request, error, { next, username })
  }
}

/** Starts the session of a person whom a trusted proxy names; undefined if there is none. */
async function logInByHeader(
  authentication: Authentication,
  request: ApiRequest,
  next: string | undefined,
): Promise<HttpResponse | undefined> {
  const { service, providers } = authentication
  const proxied = personOfHeaders(providers.headers, service.settings, request)
  if (!proxied) return undefined
  const { config, person } = proxied
  return await logInByProvider(authentication, request, { config, way: 'header', next, person: () => person })
}

/** POST /logout/: ends the browser's session, on the server too. */
export const logout = ({ audit }: Authentication): Endpoint => ({
  name: 'Logout',
  description: 'Ends the session of the browser.',
  access: 'open',
  kind: 'other',
  methods: {
    POST: {
      handle: async (request) => {
        const { service, actor, csrfToken, address } = request
        const key = sessionKeyOf(request)
        // Only when the session authenticated the request: with a token, its cookie has not been checked.
        if (actor.kind === 'user' && csrfToken !== undefined && key !== undefined) {
          await endSession(service, key)
          audit({ event: 'logout', user: actor.username, address })
        }
        return seeOther(`${service.settings.basePath}/`, noCookies(request))
      },
      // Signing out changes nothing in the inventory.
      isReading: true,
      takesReadingTokens: true,
    },
  },
})
