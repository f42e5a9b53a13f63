import type { Endpoint } from '../../api/endpoint.ts'
import type { Authentication } from '../../identity/authenticate.ts'
import type { SamlProvider } from '../../identity/saml-provider.ts'
import { textIn } from '../forms/form-texts.ts'
import { finishLogin, type ProviderVisit, startLogin } from './provider-login.ts'

const visitTo = ({ config }: SamlProvider): ProviderVisit<'secret'> => ({
  ...{ config, way: 'saml', isCrossSite: true, kept: ['secret'] },
})

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
      handle: (request) =>
        startLogin(authentication, request, visitTo(provider), () =>
          provider.begin(`${request.base}${callbackOf(provider)}`),
        ),
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
        const response = textIn(await request.body.form(), 'SAMLResponse')
        const callback = `${request.base}${callbackOf(provider)}`
        return await finishLogin(authentication, request, visitTo(provider), ({ secret }) =>
          provider.complete(request.service.database, response, { callback, secret }),
        )
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
