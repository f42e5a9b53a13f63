import type { Authentication } from '../../auth/authenticate.ts'
import { oidcProvider } from '../../auth/oidc-provider.ts'
import type { Endpoint } from '../endpoint.ts'
import { login } from './login.ts'
import { logout } from './logout.ts'
import { CALLBACK, oidcCallback, oidcLogin } from './oidc.ts'

/** What browsers sign in and out with, by path. Throws ConfigurationError. */
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
