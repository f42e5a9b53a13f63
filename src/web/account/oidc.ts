import type { Endpoint } from '../../api/endpoint.ts'
import type { Authentication } from '../../identity/authenticate.ts'
import type { ConfiguredOidc } from '../../identity/providers.ts'
import { finishLogin, type ProviderVisit, startLogin } from './provider-login.ts'

/** Redirect URI to register with the provider, in the reference's form. */
export const callbackOf = ({ config }: ConfiguredOidc): string => `/oauth/complete/${config.name}/`

const visitTo = ({ config }: ConfiguredOidc): ProviderVisit<'state' | 'nonce' | 'verifier'> => ({
  ...{ config, way: 'oidc', isCrossSite: false, kept: ['state', 'nonce', 'verifier'] },
})

/** GET /oauth/login/<provider>/: redirects the browser to the provider. */
export const oidcLogin = (authentication: Authentication, provider: ConfiguredOidc): Endpoint => ({
  name: 'Login by a provider',
  description: 'Sends the browser to the OpenID Connect provider.',
  access: 'public',
  kind: 'other',
  methods: {
    GET: {
      handle: (request) =>
        startLogin(authentication, request, visitTo(provider), () =>
          provider.begin(`${request.base}${callbackOf(provider)}`),
        ),
    },
  },
})

/** GET /oauth/complete/<provider>/: completes the login after the provider's redirect. */
export const oidcCallback = (authentication: Authentication, provider: ConfiguredOidc): Endpoint => ({
  name: 'Return from a provider',
  description: 'Starts a session after a login at the OpenID Connect provider.',
  access: 'public',
  kind: 'other',
  methods: {
    GET: {
      handle: (request) =>
        finishLogin(authentication, request, visitTo(provider), (pending) => provider.complete(request.url, pending)),
    },
  },
})
