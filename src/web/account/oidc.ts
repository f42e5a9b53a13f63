import type { Endpoint } from '../../api/endpoint.ts'
import { localPath } from '../../api/sessions/local-path.ts'
import type { Authentication } from '../../identity/authenticate.ts'
import type { ConfiguredOidc } from '../../identity/providers.ts'
import { lastValue } from '../../read/query/last-value.ts'
import { seeOther } from '../frame/page-response.ts'
import { refusedLogin } from './login-page.ts'
import { dropPending, logInByProvider, notStarted, readPending, storePending } from './provider-login.ts'

/** Redirect URI to register with the provider, in the reference's form. */
export const callbackOf = ({ config }: ConfiguredOidc): string => `/oauth/complete/${config.name}/`

const COOKIE = { name: 'oidc_login', isCrossSite: false } as const

/** GET /oauth/login/<provider>/: redirects the browser to the provider. */
export const oidcLogin = (authentication: Authentication, provider: ConfiguredOidc): Endpoint => ({
  name: 'Login by a provider',
  description: 'Sends the browser to the OpenID Connect provider.',
  access: 'public',
  kind: 'other',
  methods: {
    GET: {
      handle: async (request) => {
        const { base, search, url, service } = request
        const next = localPath(lastValue(search, 'next'), url, service.settings.basePath)
        try {
          const { address, pending } = await provider.begin(`${base}${callbackOf(provider)}`)
          const cookie = storePending(request, COOKIE, { ...pending, provider: provider.config.name, next })
          return seeOther(address.href, [cookie])
        } catch (error) {
          return refusedLogin(authentication, request, error, { next })
        }
      },
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
      handle: async (request) => {
        const { config } = provider
        const visit = readPending(request, COOKIE, ['state', 'nonce', 'verifier', 'provider'])
        const response = await logInByProvider(authentication, request, {
          ...{ config, way: 'oidc', next: visit?.next },
          person: async () => {
            // The response of one provider must not complete a login that started at another.
            if (visit?.provider !== config.name) throw notStarted()
            return await provider.complete(request.url, visit)
          },
        })
        return { ...response, cookies: [...(response.cookies ?? []), dropPending(request, COOKIE)] }
      },
    },
  },
})
