import type { Endpoint } from '../../api/endpoint.ts'
import type { Authentication } from '../../identity/authenticate.ts'
import { login, logout } from './login.ts'
import { callbackOf, oidcCallback, oidcLogin } from './oidc.ts'
import { samlEndpoints } from './saml.ts'
import { SECOND_STEP, secondStep } from './second-step.ts'

/** Endpoints for login, logout and the pages that need a session, by path. */
export function sessionEndpoints(authentication: Authentication): ReadonlyMap<string, Endpoint> {
  return new Map([
    ['/login/', login(authentication)],
    [SECOND_STEP, secondStep(authentication)],
    ['/logout/', logout(authentication)],
    ...authentication.providers.oidc.flatMap(
      (provider) =>
        [
          [`/oauth/login/${provider.config.name}/`, oidcLogin(authentication, provider)],
          [callbackOf(provider), oidcCallback(authentication, provider)],
        ] as const,
    ),
    ...authentication.providers.saml.flatMap((provider) => samlEndpoints(authentication, provider)),
  ])
}
