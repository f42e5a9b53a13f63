import type { Endpoint } from '../../api/endpoint.ts'
import type { Routes } from '../../api/routes.ts'
import { internalApi } from '../../api/sessions/internal-request.ts'
import type { Authentication } from '../../identity/authenticate.ts'
import { oidcProvider } from '../../identity/oidc-provider.ts'
import { login, logout } from './login.ts'
import { CALLBACK, oidcCallback, oidcLogin } from './oidc.ts'
import { tokenPages } from './token-pages.ts'

/** Endpoints for login, logout and the pages that need a session, by path. Throws ConfigurationError. */
export function sessionEndpoints(
  authentication: Authentication,
  routes: Pick<Routes, 'find'>,
): ReadonlyMap<string, Endpoint> {
  const provider = oidcProvider(authentication.service.settings)
  return new Map([
    ['/login/', login(authentication)],
    ['/logout/', logout(authentication)],
    ...tokenPages(internalApi(routes)),
    ...(provider
      ? ([
          ['/oauth/login/oidc/', oidcLogin(provider)],
          [CALLBACK, oidcCallback(authentication, provider)],
        ] as const)
      : []),
  ])
}
