import {
  type HeaderConfig,
  type OidcConfig,
  type ProviderConfig,
  providersOf,
  type SamlConfig,
  type ScimConfig,
} from '../config/auth-providers.ts'
import type { Settings } from '../config/settings.ts'
import { type JwtIssuers, jwtIssuers } from './jwt-issuers.ts'
import { type LdapProvider, ldapProvider } from './ldap-provider.ts'
import { type OidcProvider, oidcProvider } from './oidc-provider.ts'
import { type SamlProvider, samlProvider } from './saml-provider.ts'

/** An OpenID Connect provider with its options. */
export interface ConfiguredOidc extends OidcProvider {
  readonly config: OidcConfig
}

/** The configured login providers by their kind: redirect, password, or header. */
export interface Providers {
  readonly oidc: readonly ConfiguredOidc[]
  readonly saml: readonly SamlProvider[]
  /** Tried in this order. */
  readonly directories: readonly LdapProvider[]
  readonly headers: readonly HeaderConfig[]
  /** They manage users and groups here. */
  readonly scim: readonly ScimConfig[]
  /** Issuers of tokens for programs. */
  readonly issuers: JwtIssuers
}

/** The login providers of the settings. Throws ConfigurationError. */
export function createProviders(settings: Settings): Providers {
  const all = providersOf(settings)
  return {
    oidc: all.filter(isOidc).map((config) => ({ config, ...oidcProvider(config) })),
    saml: all.flatMap((config) => (config.type === 'saml' ? [samlProvider(config)] : [])),
    directories: all.flatMap((config) =>
      config.type === 'ldap' || config.type === 'active-directory' ? [ldapProvider(config)] : [],
    ),
    headers: all.flatMap((config) => (config.type === 'header' ? [config] : [])),
    scim: all.flatMap((config) => (config.type === 'scim' ? [config] : [])),
    issuers: jwtIssuers(settings.authJwtIssuers),
  }
}

const isOidc = (config: ProviderConfig): config is OidcConfig => config.type === 'oidc'

/** The name of a provider on the login page. */
export const labelOf = (config: OidcConfig | SamlConfig): string =>
  config.label ?? new URL(config.type === 'oidc' ? config.issuer : config.sso_url).hostname
