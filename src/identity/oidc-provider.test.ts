import { describe, expect, it } from 'vitest'
import { readSettings } from '../config/settings.ts'
import { createProviders } from './providers.ts'

const PROVIDER = { type: 'oidc', name: 'lab', issuer: 'https://id.example.com', client_id: 'a' }

describe('single sign-on', () => {
  // Options → the sentence with which the start fails.
  it.each([
    ['a client id is missing', { client_id: undefined }, 'AUTH_PROVIDERS[0].client_id is missing.'],
    ['a scope is missing', { scopes: ['profile'] }, 'The login provider lab must have openid among its scopes.'],
    [
      'a superuser group is set, but no claim with groups',
      { superuser_groups: ['admins'] },
      'The login provider lab maps groups, so it needs groups_claim.',
    ],
    [
      'the provider is not to be reached safely',
      { issuer: 'http://id.example.com' },
      'AUTH_PROVIDERS[0].issuer must be a URL that begins with https:// (http:// only for localhost)',
    ],
  ])('does not start if %s', (_name, options, sentence) => {
    const AUTH_PROVIDERS = JSON.stringify([{ ...PROVIDER, ...options }])
    expect(() => createProviders(readSettings({ AUTH_PROVIDERS }))).toThrow(sentence)
  })

  it('does not exist if no provider is configured', () => {
    expect(createProviders(readSettings({})).oidc).toEqual([])
  })
})
