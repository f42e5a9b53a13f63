import { describe, expect, it } from 'vitest'
import { readSettings } from '../config/settings.ts'
import { createProviders } from './providers.ts'

const ISSUER = { OIDC_ISSUER: 'https://id.example.com' }

describe('single sign-on', () => {
  // Configuration → the sentence with which the start fails.
  it.each([
    ['a client id is missing', ISSUER, 'OIDC_ISSUER needs OIDC_CLIENT_ID too.'],
    [
      'a scope is missing',
      { ...ISSUER, OIDC_CLIENT_ID: 'a', OIDC_SCOPES: 'profile' },
      'OIDC_SCOPES must contain openid.',
    ],
    [
      'a superuser group is set, but no claim with groups',
      { ...ISSUER, OIDC_CLIENT_ID: 'a', OIDC_SUPERUSER_GROUP: 'admins' },
      'OIDC_GROUPS and OIDC_SUPERUSER_GROUP need OIDC_GROUPS_CLAIM too.',
    ],
    [
      'the provider is not to be reached safely',
      { OIDC_ISSUER: 'http://id.example.com' },
      'OIDC_ISSUER must be a URL that begins with https:// (http:// only for localhost)',
    ],
  ])('does not start if %s', (_name, environment, sentence) => {
    expect(() => createProviders(readSettings(environment))).toThrow(sentence)
  })

  it('does not exist if no provider is configured', () => {
    expect(createProviders(readSettings({})).oidc).toEqual([])
  })
})
