import { type ApiRequest, lastValue } from '../../api/api-request.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import type { HttpResponse } from '../../api/response.ts'
import { type CookieRequest, readCookie, setCookie } from '../../api/sessions/cookies.ts'
import { localPath } from '../../api/sessions/local-path.ts'
import type { Authentication } from '../../identity/authenticate.ts'
import { LoginRefusal, reasonOf } from '../../identity/login-refusal.ts'
import type { PendingLogin } from '../../identity/oidc-provider.ts'
import type { ConfiguredOidc } from '../../identity/providers.ts'
import { isJsonObject } from '../../schema/json.ts'
import { completeLogin } from './complete-login.ts'
import { refusedLogin } from './login-page.ts'
import { seeOther } from './page-response.ts'

/** Redirect URI to register with the provider, in the reference's form. */
export const callbackOf = ({ config }: ConfiguredOidc): string => `/oauth/complete/${config.name}/`

/** GET /oauth/login/<provider>/: redirects the browser to the provider. */
export const oidcLogin = (authentication: Authentication, provider: ConfiguredOidc): Endpoint => ({
  name: 'Login by a provider',
  description: 'Sends the browser to the OpenID Connect provider.',
  isPublic: true,
  negotiates: true,
  methods: {
    GET: async (request) => {
      const { base, search, url, service } = request
      const next = localPath(lastValue(search, 'next'), url, service.settings.basePath)
      try {
        const { address, pending } = await provider.begin(`${base}${callbackOf(provider)}`)
        return seeOther(address.href, [pendingCookie(request, { ...pending, provider: provider.config.name, next })])
      } catch (error) {
        return refusedLogin(authentication, request, error, { next })
      }
    },
  },
})

/** GET /oauth/complete/<provider>/: completes the login after the provider's redirect. */
export const oidcCallback = (authentication: Authentication, provider: ConfiguredOidc): Endpoint => ({
  name: 'Return from a provider',
  description: 'Starts a session after a login at the OpenID Connect provider.',
  isPublic: true,
  negotiates: true,
  methods: {
    GET: async (request) => {
      const visit = pendingOf(request)
      const response = await comeBack(authentication, provider, request, visit)
      return { ...response, cookies: [...(response.cookies ?? []), noPendingCookie(request)] }
    },
  },
})

async function comeBack(
  authentication: Authentication,
  provider: ConfiguredOidc,
  request: ApiRequest,
  visit: PendingVisit | undefined,
): Promise<HttpResponse> {
  const { address } = request
  const { audit, externalUsers } = authentication
  const { config } = provider
  try {
    // The answer of one provider must not complete the login at another.
    if (visit?.provider !== config.name) throw new LoginRefusal('This login was not started here, or it has expired.')
    const person = await provider.complete(request.url, visit)
    const { id, username } = await externalUsers(person, { policy: config, requestId: request.id })
    audit({ event: 'login', user: username, way: 'oidc', provider: config.name, address })
    return await completeLogin(request, id, visit.next)
  } catch (error) {
    if (error instanceof LoginRefusal) {
      const reason = reasonOf(error)
      audit({ event: 'loginFailed', reason, user: undefined, provider: config.name, address })
    }
    return refusedLogin(authentication, request, error, { next: visit?.next })
  }
}

/** A login that has started at the provider, and its target. */
interface PendingVisit extends PendingLogin {
  /** Name of the provider. */
  readonly provider: string
  /** Not trusted: it comes from a cookie. */
  readonly next: string | undefined
}

const COOKIE = 'oidc_login'
/** Seconds that a person has for the provider's pages. */
const MAX_AGE = 600

/** Browsers drop cookies of more than 4,096 bytes, so a longer target is dropped instead. */
const LONGEST_NEXT = 2_000

/**
 * Header that stores the pending login in a cookie. An attacker who can read it could read the session cookie as
 * well.
 */
function pendingCookie(request: CookieRequest, { next = '', ...visit }: PendingVisit): string {
  const kept = next.length > LONGEST_NEXT ? visit : { ...visit, next }
  const value = Buffer.from(JSON.stringify(kept)).toString('base64url')
  return setCookie(request, COOKIE, value, { httpOnly: true, maxAge: MAX_AGE })
}

/** Header that deletes the cookie: it can be used once. */
const noPendingCookie = (request: CookieRequest): string =>
  setCookie(request, COOKIE, '', { httpOnly: true, maxAge: 0 })

/** The pending login of the browser; undefined where the cookie is absent or invalid. */
function pendingOf(request: CookieRequest): PendingVisit | undefined {
  const kept = parse(readCookie(request, COOKIE) ?? '')
  if (!isJsonObject(kept)) return undefined
  const { state, nonce, verifier, provider, next } = kept
  if (typeof state !== 'string' || typeof nonce !== 'string') return undefined
  if (typeof verifier !== 'string' || typeof provider !== 'string') return undefined
  return { state, nonce, verifier, provider, next: typeof next === 'string' ? next : undefined }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    return undefined
  }
}
