import { type ApiRequest, lastValue } from '../../api/api-request.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import type { HttpResponse } from '../../api/response.ts'
import { localPath } from '../../api/sessions/local-path.ts'
import type { Authentication } from '../../identity/authenticate.ts'
import type { OidcProvider } from '../../identity/oidc-provider.ts'
import { OidcRefusal } from '../../identity/oidc-refusal.ts'
import { completeLogin } from './complete-login.ts'
import { userOfClaims } from './oidc-user.ts'
import { seeOther } from './page-answer.ts'
import { noPendingCookie, type PendingVisit, pendingCookie, pendingOf } from './pending-login.ts'
import { refusedLogin } from './refused-login.ts'

/** Redirect URI to register with providers, as in the reference. */
export const CALLBACK = '/oauth/complete/oidc/'

/** GET /oauth/login/oidc/: redirects the browser to the provider. */
export const oidcLogin = (provider: OidcProvider): Endpoint => ({
  name: 'Login by a provider',
  description: 'Sends the browser to the OpenID Connect provider.',
  isPublic: true,
  negotiates: true,
  methods: {
    GET: async (request) => {
      const { base, search, url, service } = request
      const next = localPath(lastValue(search, 'next'), url, service.settings.basePath)
      try {
        const { address, pending } = await provider.begin(`${base}${CALLBACK}`)
        return seeOther(address.href, [pendingCookie(request, { ...pending, next })])
      } catch (error) {
        return refusedLogin(request, error, { next })
      }
    },
  },
})

/** GET /oauth/complete/oidc/: completes the login after the provider's redirect. */
export const oidcCallback = (authentication: Authentication, provider: OidcProvider): Endpoint => ({
  name: 'Return from a provider',
  description: 'Starts a session after a login at the OpenID Connect provider.',
  isPublic: true,
  negotiates: true,
  methods: {
    GET: async (request) => {
      const visit = pendingOf(request)
      const answer = await comeBack(authentication, provider, request, visit)
      return { ...answer, cookies: [...(answer.cookies ?? []), noPendingCookie(request)] }
    },
  },
})

async function comeBack(
  { service, audit }: Authentication,
  provider: OidcProvider,
  request: ApiRequest,
  visit: PendingVisit | undefined,
): Promise<HttpResponse> {
  const { address } = request
  try {
    if (!visit) throw new OidcRefusal('This login was not started here, or it has expired.')
    const claims = await provider.complete(request.url, visit)
    const { id, username } = await userOfClaims(service, claims, request.id, audit)
    audit({ event: 'login', user: username, way: 'oidc', address })
    return await completeLogin(request, id, visit.next)
  } catch (error) {
    if (error instanceof OidcRefusal) {
      audit({ event: 'loginFailed', reason: reasonOf(error), user: undefined, address })
    }
    return refusedLogin(request, error, { next: visit?.next })
  }
}

/** The message that the person sees, with its cause. */
const reasonOf = ({ message, cause }: OidcRefusal): string =>
  cause instanceof Error ? `${message} (${cause.message})` : message
