import { readFileSync } from 'node:fs'
import { ConfigurationError } from '../base/errors.ts'
import type { Settings } from './settings.ts'
import {
  flag,
  jsonObject,
  oneOf,
  parseJsonSetting,
  providerUrl,
  textLike,
  textValue,
  type ValueType,
  words,
} from './value-types.ts'

/** An option of a provider in AUTH_PROVIDERS. Its JSON value is parsed like the text of a setting. */
interface Option<T> {
  readonly type: ValueType<T>
  readonly isRequired: boolean
  readonly fallback: T
}

const required = <T>(type: ValueType<T>): Option<T> =>
  // The fallback of a required option is never used: its absence is an error.
  ({ type, isRequired: true, fallback: undefined as T })
const optional = <T>(type: ValueType<T>): Option<T | undefined> => ({ type, isRequired: false, fallback: undefined })
const option = <T>(type: ValueType<T>, fallback: T): Option<T> => ({ type, isRequired: false, fallback })

/** A JSON object that maps strings to strings. */
const textMapping = jsonObject(
  'a JSON object that maps texts to texts',
  (entry): entry is readonly [string, string] => typeof entry[1] === 'string',
)

/** A header by its own name, or as NetBox names it: HTTP_REMOTE_USER is Remote-User. */
export const headerName: ValueType<string> = {
  expects: 'the name of a header, such as Remote-User or HTTP_REMOTE_USER',
  parse: (text) =>
    /^[\w-]{1,100}$/.test(text)
      ? text
          .replace(/^HTTP_/, '')
          .replaceAll('_', '-')
          .toLowerCase()
      : undefined,
}

const LOOPBACK = /^ldap:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?\/?$/
const LDAP_URL = /^ldaps?:\/\/(\[[\da-f:.]+\]|[\w.-]+)(:\d{1,5})?\/?$/i

const ldapUrls: ValueType<readonly string[]> = {
  expects: 'a list of URLs that begin with ldaps:// or ldap://',
  parse: (text) => {
    const urls = words.parse(text)
    return urls && urls.length > 0 && urls.every((url) => LDAP_URL.test(url)) ? urls : undefined
  },
}

/** Options of every provider: whose accounts it creates, and to which groups they belong. */
const ACCOUNT_OPTIONS = {
  name: required(textLike(/^[a-z0-9][a-z0-9-]{0,31}$/, 'up to 32 small letters, digits and hyphens')),
  label: optional(textValue),
  create_users: option(flag, true),
  link_users: option(flag, false),
  create_groups: option(flag, false),
  default_groups: option<readonly string[]>(words, []),
  groups: optional(textMapping),
  superuser_groups: option<readonly string[]>(words, []),
  superusers: option<readonly string[]>(words, []),
}

const OIDC_OPTIONS = {
  ...ACCOUNT_OPTIONS,
  issuer: required(providerUrl),
  client_id: required(textValue),
  client_secret: optional(textValue),
  scopes: option<readonly string[]>(words, ['openid', 'profile', 'email']),
  username_claim: option(textValue, 'preferred_username'),
  groups_claim: optional(textValue),
  graph_url: optional(providerUrl),
}

const SAML_OPTIONS = {
  ...ACCOUNT_OPTIONS,
  entity_id: required(textValue),
  idp_entity_id: required(textValue),
  sso_url: required(providerUrl),
  certificate_file: required(textValue),
  name_id_format: option(textValue, 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'),
  username_attribute: required(textValue),
  subject_attribute: optional(textValue),
  first_name_attribute: option(textValue, 'givenName'),
  last_name_attribute: option(textValue, 'sn'),
  email_attribute: option(textValue, 'mail'),
  groups_attribute: optional(textValue),
}

const LDAP_OPTIONS = {
  ...ACCOUNT_OPTIONS,
  urls: required(ldapUrls),
  start_tls: option(flag, false),
  ca_file: optional(textValue),
  bind_dn: optional(textValue),
  bind_password: optional(textValue),
  user_dn: optional(textValue),
  user_base: optional(textValue),
  user_filter: option(textValue, '(uid={username})'),
  username_attribute: option(textValue, 'uid'),
  subject_attribute: option(textValue, 'entryUUID'),
  first_name_attribute: option(textValue, 'givenName'),
  last_name_attribute: option(textValue, 'sn'),
  email_attribute: option(textValue, 'mail'),
  group_base: optional(textValue),
  group_filter: option(textValue, '(member={dn})'),
  group_name_attribute: option(textValue, 'cn'),
  nested_groups: option(flag, true),
}

/** Active Directory is LDAP with other names. */
const ACTIVE_DIRECTORY_OPTIONS = {
  ...LDAP_OPTIONS,
  user_filter: option(textValue, '(&(objectCategory=person)(objectClass=user)(sAMAccountName={username}))'),
  username_attribute: option(textValue, 'sAMAccountName'),
  subject_attribute: option(textValue, 'objectGUID'),
  group_filter: option(textValue, '(&(objectCategory=group)(member={dn}))'),
}

const HEADER_OPTIONS = {
  ...ACCOUNT_OPTIONS,
  header: option(headerName, 'remote-user'),
  first_name_header: option(headerName, 'remote-user-first-name'),
  last_name_header: option(headerName, 'remote-user-last-name'),
  email_header: option(headerName, 'remote-user-email'),
  group_header: optional(headerName),
  group_separator: option(textValue, '|'),
}

/** Issuers of tokens for programs: each entry names the user of tokens with these claims. */
const JWT_OPTIONS = {
  issuer: required(providerUrl),
  jwks_uri: optional(providerUrl),
  audience: required(textValue),
  claims: required(textMapping),
  user: required(textValue),
  read_only: option(flag, false),
}

const sha256List: ValueType<readonly string[]> = {
  expects: 'a SHA-256 digest in hexadecimal, or a list of them',
  parse: (text) => {
    const digests = words.parse(text)?.map((digest) => digest.toLowerCase())
    return digests && digests.length > 0 && digests.every((digest) => /^[\da-f]{64}$/.test(digest))
      ? digests
      : undefined
  },
}

/** A provider that manages users and groups here; nobody signs in through it. */
const SCIM_OPTIONS = { ...ACCOUNT_OPTIONS, token_sha256: required(sha256List) }

const OPTIONS = {
  oidc: OIDC_OPTIONS,
  saml: SAML_OPTIONS,
  ldap: LDAP_OPTIONS,
  'active-directory': ACTIVE_DIRECTORY_OPTIONS,
  header: HEADER_OPTIONS,
  scim: SCIM_OPTIONS,
} as const

type ValuesOf<Options> = { readonly [Name in keyof Options]: Options[Name] extends Option<infer T> ? T : never }

/** Whose accounts a provider creates, and to which local groups its people belong. */
export type AccountPolicy = ValuesOf<typeof ACCOUNT_OPTIONS>
export type OidcConfig = ValuesOf<typeof OIDC_OPTIONS> & { readonly type: 'oidc' }
export type SamlConfig = ValuesOf<typeof SAML_OPTIONS> & { readonly type: 'saml' }
export type LdapConfig = ValuesOf<typeof LDAP_OPTIONS> & { readonly type: 'ldap' | 'active-directory' }
export type HeaderConfig = ValuesOf<typeof HEADER_OPTIONS> & { readonly type: 'header' }
export type ScimConfig = ValuesOf<typeof SCIM_OPTIONS> & { readonly type: 'scim' }
export type JwtConfig = ValuesOf<typeof JWT_OPTIONS>
export type ProviderConfig = OidcConfig | SamlConfig | LdapConfig | HeaderConfig | ScimConfig

/** The setting AUTH_JWT_ISSUERS. */
export const jwtIssuerList: ValueType<readonly JwtConfig[]> = {
  expects: 'a JSON list of issuers',
  parse: (text) => {
    const list = parseJsonSetting(text)
    return Array.isArray(list) ? list.map(readIssuer) : undefined
  },
}

function readIssuer(value: unknown, index: number): JwtConfig {
  const place = `AUTH_JWT_ISSUERS[${index}]`
  // The object has the keys and types of the table from which the type is derived.
  const config = readOptions(place, JWT_OPTIONS, objectAt(place, value)) as JwtConfig
  // Public issuers sign tokens for everybody.
  if (Object.keys(config.claims).length === 0) throw new ConfigurationError(`${place}.claims must name a claim.`)
  return config
}

const kindOf = oneOf('oidc', 'saml', 'ldap', 'active-directory', 'header', 'scim')

/** The setting AUTH_PROVIDERS: a JSON list, or the path of a file that contains one. */
export const providerList: ValueType<readonly ProviderConfig[]> = {
  expects: 'a JSON list of providers, or the path of a file that contains one',
  parse: (text) => {
    const list = parseJsonSetting(text.startsWith('[') ? text : contentOf(text))
    return Array.isArray(list) ? list.map(readProvider) : undefined
  },
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    throw new ConfigurationError('AUTH_PROVIDERS must be a JSON list, or the path of a file that can be read.')
  }
}

/** Throws ConfigurationError. Messages never quote a value: any value may be a misplaced secret. */
function readProvider(value: unknown, index: number): ProviderConfig {
  const place = `AUTH_PROVIDERS[${index}]`
  const { type, ...values } = objectAt(place, value)
  const kind = typeof type === 'string' ? kindOf.parse(type) : undefined
  if (kind === undefined) throw new ConfigurationError(`${place}.type must be ${kindOf.expects}.`)
  // The object has the keys and types of the table from which the type is derived.
  return { type: kind, ...readOptions(place, OPTIONS[kind], values) } as ProviderConfig
}

function objectAt(place: string, value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ConfigurationError(`${place} must be a JSON object.`)
  }
  return { ...value }
}

function readOptions(
  place: string,
  options: Readonly<Record<string, Option<unknown>>>,
  values: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const unknown = Object.keys(values).find((name) => !Object.hasOwn(options, name))
  if (unknown !== undefined) {
    throw new ConfigurationError(
      `${place}.${unknown} is not an option. The options are ${Object.keys(options).join(', ')}.`,
    )
  }
  return Object.fromEntries(
    Object.entries(options).map(([name, option]) => [name, readOption(place, name, option, values[name])]),
  )
}

function readOption(place: string, name: string, { type, isRequired, fallback }: Option<unknown>, value: unknown) {
  if (value === undefined || value === '') {
    if (isRequired) throw new ConfigurationError(`${place}.${name} is missing.`)
    return fallback
  }
  const parsed = type.parse(typeof value === 'string' ? value : JSON.stringify(value))
  if (parsed === undefined) throw new ConfigurationError(`${place}.${name} must be ${type.expects}.`)
  return parsed
}

/** All providers: those of AUTH_PROVIDERS, and that of the settings REMOTE_AUTH_…. Throws ConfigurationError. */
export function providersOf(settings: Settings): readonly ProviderConfig[] {
  const providers = [...ofRemoteAuthSettings(settings), ...settings.authProviders]
  const problem =
    repeatedName(providers) ??
    providers.map((provider) => problemOf(provider, settings)).find((sentence) => sentence !== undefined)
  if (problem !== undefined) throw new ConfigurationError(problem)
  if (
    settings.loginFormHidden &&
    !providers.some(({ type }) => type === 'oidc' || type === 'saml' || type === 'header')
  ) {
    throw new ConfigurationError(
      'LOGIN_FORM_HIDDEN needs a provider of type oidc, saml or header: without one nobody could sign in.',
    )
  }
  return providers
}

const repeatedName = (providers: readonly ProviderConfig[]): string | undefined => {
  const names = providers.map(({ name }) => name)
  const repeated = names.find((name, index) => names.indexOf(name) !== index)
  return repeated === undefined ? undefined : `Two login providers have the name ${repeated}: change one of them.`
}

/** The contradiction in a provider's options, as a sentence; undefined if there is none. */
function problemOf(provider: ProviderConfig, settings: Settings): string | undefined {
  const place = `The login provider ${provider.name}`
  const usesGroups = provider.groups !== undefined || provider.superuser_groups.length > 0
  if (provider.type === 'header') {
    // NetBox ignores REMOTE_AUTH_SUPERUSER_GROUPS too if groups are not synchronised.
    if (usesGroups && provider.group_header === undefined && provider.name !== 'remote-auth') {
      return `${place} maps groups, so it needs group_header.`
    }
    return Array.isArray(settings.trustProxy) && settings.trustProxy.length > 0
      ? undefined
      : `${place} takes names from a header, so TRUST_PROXY must list the addresses of the proxies that set it; true and false are not enough.`
  }
  if (provider.type === 'oidc') {
    if (!provider.scopes.includes('openid')) return `${place} must have openid among its scopes.`
    return usesGroups && provider.groups_claim === undefined
      ? `${place} maps groups, so it needs groups_claim.`
      : undefined
  }
  if (provider.type === 'scim') return undefined
  if (provider.type === 'saml') {
    return usesGroups && provider.groups_attribute === undefined
      ? `${place} maps groups, so it needs groups_attribute.`
      : undefined
  }
  return (
    ldapProblem(provider, place) ??
    (usesGroups && provider.group_base === undefined ? `${place} maps groups, so it needs group_base.` : undefined)
  )
}

function ldapProblem({ urls, start_tls, user_dn, user_base, bind_dn, bind_password }: LdapConfig, place: string) {
  if (!start_tls && urls.some((url) => /^ldap:/i.test(url) && !LOOPBACK.test(url))) {
    return `${place} would send passwords in plain text: use ldaps:// or start_tls.`
  }
  if (user_dn === undefined && user_base === undefined) return `${place} needs user_base, or user_dn for a direct bind.`
  // A bare name could also be the name of an authentication mechanism.
  if (user_dn !== undefined && !/[=@\\]/.test(user_dn)) {
    return `${place} needs a user_dn such as uid={username},ou=people,dc=example,dc=com or {username}@example.com.`
  }
  if (user_base === undefined && !user_dn?.includes('='))
    return `${place} needs user_base, because user_dn is not a path in the directory.`
  if (user_dn !== undefined && !user_dn.includes('{username}')) return `${place} needs {username} in user_dn.`
  if ((bind_dn === undefined) !== (bind_password === undefined)) return `${place} needs both bind_dn and bind_password.`
  return undefined
}

/** The proxy's header as NetBox's settings describe it. */
const ofRemoteAuthSettings = (settings: Settings): readonly ProviderConfig[] =>
  settings.remoteAuthEnabled
    ? [
        {
          type: 'header',
          name: 'remote-auth',
          label: undefined,
          create_users: settings.remoteAuthAutoCreateUser,
          link_users: false,
          create_groups: settings.remoteAuthAutoCreateGroups,
          default_groups: settings.remoteAuthDefaultGroups,
          groups: undefined,
          superuser_groups: settings.remoteAuthSuperuserGroups,
          superusers: settings.remoteAuthSuperusers,
          header: settings.remoteAuthHeader,
          first_name_header: settings.remoteAuthUserFirstName,
          last_name_header: settings.remoteAuthUserLastName,
          email_header: settings.remoteAuthUserEmail,
          group_header: settings.remoteAuthGroupSyncEnabled ? settings.remoteAuthGroupHeader : undefined,
          group_separator: settings.remoteAuthGroupSeparator,
        },
      ]
    : []
