import type { Endpoint } from '../../api/endpoint.ts'
import type { Authentication } from '../../identity/authenticate.ts'
import { oidcProvider } from '../../identity/oidc-provider.ts'
import { login, logout } from './login.ts'
import { CALLBACK, oidcCallback, oidcLogin } from './oidc.ts'

/** Endpoints for login, logout and the pages that need a session, by path. Throws ConfigurationError. */
export function sessionEndpoints(authentication: Authentication): ReadonlyMap<string, Endpoint> {
  const provider = oidcProvider(authentication.service.settings)
  return new Map([
    ['/login/', login(authentication)],
    ['/logout/', logout(authentication)],
    ...(provider
      ? ([
          ['/oauth/login/oidc/', oidcLogin(provider)],
          [CALLBACK, oidcCallback(authentication, provider)],
        ] as const)
      : []),
  ])
}
