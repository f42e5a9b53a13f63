import { type HeaderConfig, type OidcConfig, type ProviderConfig, providersOf } from '../config/auth-providers.ts'
import type { Settings } from '../config/settings.ts'
import { type JwtIssuers, jwtIssuers } from './jwt-issuers.ts'
import { type LdapProvider, ldapProvider } from './ldap-provider.ts'
import { type OidcProvider, oidcProvider } from './oidc-provider.ts'

/** An OpenID Connect provider with its options. */
export interface ConfiguredOidc extends OidcProvider {
  readonly config: OidcConfig
}

/** The configured login providers by what they need: a redirect, a password, or a header. */
export interface Providers {
  readonly oidc: readonly ConfiguredOidc[]
  /** Asked in this order. */
  readonly directories: readonly LdapProvider[]
  readonly headers: readonly HeaderConfig[]
  /** Of tokens for programs. */
  readonly issuers: JwtIssuers
}

/** The login providers of the settings. Throws ConfigurationError. */
export function createProviders(settings: Settings): Providers {
  const all = providersOf(settings)
  return {
    oidc: all.filter(isOidc).map((config) => ({ config, ...oidcProvider(config) })),
    directories: all.flatMap((config) =>
      config.type === 'ldap' || config.type === 'active-directory' ? [ldapProvider(config)] : [],
    ),
    headers: all.flatMap((config) => (config.type === 'header' ? [config] : [])),
    issuers: jwtIssuers(settings.authJwtIssuers),
  }
}

const isOidc = (config: ProviderConfig): config is OidcConfig => config.type === 'oidc'

/** What the login page calls a provider. */
export const labelOf = ({ label, issuer }: OidcConfig): string => label ?? new URL(issuer).hostname
