import type { Endpoint } from '../../api/endpoint.ts'
import { localPath } from '../../api/sessions/local-path.ts'
import type { Authentication } from '../../identity/authenticate.ts'
import type { SamlProvider } from '../../identity/saml-provider.ts'
import { lastValue } from '../../read/query/last-value.ts'
import { textIn } from '../forms/form-texts.ts'
import { seeOther } from '../frame/page-response.ts'
import { refusedLogin } from './login-page.ts'
import { dropPending, logInByProvider, notStarted, readPending, storePending } from './provider-login.ts'

const COOKIE = { name: 'saml_login', isCrossSite: true } as const

/** Address to which the provider's pages send responses. */
const callbackOf = ({ config }: SamlProvider): string => `/saml/acs/${config.name}/`

/** Endpoints of a SAML provider, by path: the redirect, the response, and the metadata for its administrator. */
export const samlEndpoints = (
  authentication: Authentication,
  provider: SamlProvider,
): readonly (readonly [string, Endpoint])[] => [
  [`/saml/login/${provider.config.name}/`, samlLogin(authentication, provider)],
  [callbackOf(provider), samlCallback(authentication, provider)],
  [`/saml/metadata/${provider.config.name}/`, samlMetadata(provider)],
]

/** GET: redirects the browser to the provider. */
const samlLogin = (authentication: Authentication, provider: SamlProvider): Endpoint => ({
  name: 'Login by a SAML provider',
  description: 'Sends the browser to the SAML identity provider.',
  access: 'public',
  kind: 'other',
  methods: {
    GET: {
      handle: async (request) => {
        const { base, search, url, service } = request
        const next = localPath(lastValue(search, 'next'), url, service.settings.basePath)
        try {
          const { address, secret } = await provider.begin(`${base}${callbackOf(provider)}`)
          const cookie = storePending(request, COOKIE, { secret, provider: provider.config.name, next })
          return seeOther(address.href, [cookie])
        } catch (error) {
          return refusedLogin(authentication, request, error, { next })
        }
      },
    },
  },
})

/** POST: completes the login with the response that the provider's page sends. */
const samlCallback = (authentication: Authentication, provider: SamlProvider): Endpoint => ({
  name: 'Return from a SAML provider',
  description: 'Starts a session after a login at the SAML identity provider.',
  access: 'public',
  kind: 'other',
  methods: {
    POST: {
      handle: async (request) => {
        const { config } = provider
        const { base, service } = request
        const form = await request.body.form()
        const visit = readPending(request, COOKIE, ['secret', 'provider'])
        const response = await logInByProvider(authentication, request, {
          ...{ config, way: 'saml', next: visit?.next },
          person: async () => {
            // The response of one provider must not complete a login that started at another.
            if (visit?.provider !== config.name) throw notStarted()
            const callback = `${base}${callbackOf(provider)}`
            return await provider.complete(service.database, textIn(form, 'SAMLResponse'), {
              ...{ callback, secret: visit.secret },
            })
          },
        })
        return { ...response, cookies: [...(response.cookies ?? []), dropPending(request, COOKIE)] }
      },
      // Signing in changes nothing in the inventory.
      isReading: true,
    },
  },
})

/** GET: entity id, address for responses and requirements of this service, for the provider's administrator. */
const samlMetadata = (provider: SamlProvider): Endpoint => ({
  name: 'SAML metadata',
  description: 'Metadata of this service for the SAML identity provider.',
  access: 'public',
  kind: 'other',
  methods: {
    GET: {
      handle: async ({ base }) => ({
        status: 200,
        type: 'application/samlmetadata+xml',
        body: await provider.metadata(`${base}${callbackOf(provider)}`),
      }),
    },
  },
})
