import { ConfigurationError } from '../errors.ts'
import { type Constraint, DEFAULT_PERMISSIONS } from './default-permissions.ts'
import { exemptModels } from './exempt-models.ts'
import { DEFAULT_PASSWORD_POLICY, passwordPolicy } from './password-policy.ts'
import {
  expressions,
  flag,
  jsonObject,
  oneOf,
  origins,
  providerUrl,
  textLike,
  textValue,
  trust,
  urlPath,
  type ValueType,
  wholeNumberValue,
  words,
} from './value-types.ts'

/** One configuration value: its name in the environment, its type, what holds when it is not set. */
export interface Declaration<T, Default extends T | undefined = T | undefined> {
  readonly name: string
  readonly type: ValueType<T>
  readonly default: Default
  readonly help: string
  /** Never shown, not even when it is wrong. */
  readonly secret?: true
}

/** A value that has a default. */
const setting = <T>(declaration: Declaration<T, T>): Declaration<T, T> => declaration
/** A value that may be missing. */
const optional = <T>(declaration: Omit<Declaration<T>, 'default'>): Declaration<T, undefined> => ({
  ...declaration,
  default: undefined,
})

// NetBox 4.6.8 asks for as many characters in SECRET_KEY and in each pepper.
const LONG_SECRET = /^.{50,}$/s
const PEPPER_NUMBER = /^\d{1,5}$/

/** Every name that the environment may set, in the order in which people look for them. */
export const DECLARATIONS = {
  host: setting({
    name: 'HOST',
    type: textValue,
    default: '127.0.0.1',
    help: 'Address to listen on; 0.0.0.0 to be reached from other machines',
  }),
  port: setting({
    name: 'PORT',
    type: wholeNumberValue(0, 65_535),
    default: 8000,
    help: 'Port to listen on',
  }),
  basePath: setting({
    name: 'BASE_PATH',
    type: urlPath,
    default: '',
    help: 'Path in front of every URL, when a proxy serves the API below one',
  }),
  trustProxy: setting<boolean | readonly string[]>({
    name: 'TRUST_PROXY',
    type: trust,
    default: false,
    help: 'Proxies whose X-Forwarded-* headers count: true for any, or their addresses',
  }),
  dataDir: setting({
    name: 'DATA_DIR',
    type: textLike(/^(memory:\/\/|(?!.*:\/\/).+)$/, 'a directory, or memory://'),
    default: './data',
    help: 'Directory of database, uploaded images and secrets; memory:// keeps nothing',
  }),
  databaseUrl: optional({
    name: 'DATABASE_URL',
    type: textLike(/^postgres(ql)?:\/\/./, 'a URL that begins with postgres://'),
    help: 'PostgreSQL server to use in place of the embedded database',
    secret: true,
  }),
  databasePoolSize: setting({
    name: 'DATABASE_POOL_SIZE',
    type: wholeNumberValue(1, 1_000),
    default: 10,
    help: 'Most connections to the PostgreSQL server',
  }),
  workers: setting({
    name: 'WORKERS',
    type: wholeNumberValue(1, 256),
    default: 1,
    help: 'Processes that answer requests; more than one only with DATABASE_URL, whose connections they share out',
  }),
  databaseStatementTimeout: setting({
    name: 'DATABASE_STATEMENT_TIMEOUT',
    type: wholeNumberValue(0, 86_400_000),
    default: 60_000,
    help: 'Milliseconds after which the PostgreSQL server cancels a statement; 0 for never',
  }),
  superuserName: setting({
    name: 'SUPERUSER_NAME',
    type: textLike(/^[\w.@+-]{1,150}$/, 'up to 150 letters, digits and @ . + - _'),
    default: 'admin',
    help: 'Name of the superuser that is made at a start that finds none',
  }),
  superuserPassword: optional({
    name: 'SUPERUSER_PASSWORD',
    type: textValue,
    help: 'Password of that user, taken as it is, even if it breaks the password rules; without it one is generated and printed once',
    secret: true,
  }),
  superuserApiToken: optional({
    name: 'SUPERUSER_API_TOKEN',
    type: textLike(/^[0-9a-zA-Z]{40}$/, '40 letters and digits'),
    help: 'API token that is given to that user at any start that does not know it',
    secret: true,
  }),
  secretKey: optional({
    name: 'SECRET_KEY',
    type: textLike(LONG_SECRET, 'at least 50 characters long'),
    help: 'Secret that signs and encrypts; generated into DATA_DIR when not set',
    secret: true,
  }),
  apiTokenPeppers: optional({
    name: 'API_TOKEN_PEPPERS',
    type: jsonObject(
      'a JSON object of number to text of at least 50 characters',
      (entry): entry is readonly [string, string] =>
        PEPPER_NUMBER.test(entry[0]) && typeof entry[1] === 'string' && LONG_SECRET.test(entry[1]),
    ),
    help: 'Secrets that API tokens are digested with; the highest number signs new ones',
    secret: true,
  }),
  allowTokenRetrieval: setting({
    name: 'ALLOW_TOKEN_RETRIEVAL',
    type: flag,
    default: false,
    help: 'Show the keys of API tokens after their creation too; they are then kept encrypted',
  }),
  loginFailureLimit: setting({
    name: 'LOGIN_FAILURE_LIMIT',
    type: wholeNumberValue(0, 1_000_000),
    default: 10,
    help: 'Wrong passwords for an account within the window before it has to wait; 0 for no limit',
  }),
  loginFailureAddressLimit: setting({
    name: 'LOGIN_FAILURE_ADDRESS_LIMIT',
    type: wholeNumberValue(0, 1_000_000),
    default: 100,
    help: 'The same from one client address (IPv6: one /64 network)',
  }),
  loginFailureWindow: setting({
    name: 'LOGIN_FAILURE_WINDOW',
    type: wholeNumberValue(1, 86_400),
    default: 900,
    help: 'Seconds after the first wrong password in which more of them are counted',
  }),
  authPasswordValidators: setting({
    name: 'AUTH_PASSWORD_VALIDATORS',
    type: passwordPolicy,
    default: DEFAULT_PASSWORD_POLICY,
    help: 'What a new password has to be like',
  }),
  loginRequired: setting({
    name: 'LOGIN_REQUIRED',
    type: flag,
    default: true,
    help: 'false lets anybody read what EXEMPT_VIEW_PERMISSIONS names',
  }),
  exemptViewPermissions: setting<readonly string[]>({
    name: 'EXEMPT_VIEW_PERMISSIONS',
    type: exemptModels,
    default: [],
    help: 'Models that may be read without permission: dcim.site, … or *',
  }),
  defaultPermissions: setting<Readonly<Record<string, readonly Constraint[]>>>({
    name: 'DEFAULT_PERMISSIONS',
    type: jsonObject(
      'a JSON object of <app>.<action>_<model> to a list of constraints',
      (entry): entry is readonly [string, readonly Constraint[]] =>
        Array.isArray(entry[1]) &&
        entry[1].every((item) => typeof item === 'object' && item !== null),
    ),
    default: DEFAULT_PERMISSIONS,
    help: 'Permissions that every signed-in user has',
  }),
  loginTimeout: setting({
    name: 'LOGIN_TIMEOUT',
    type: wholeNumberValue(60, 315_360_000),
    default: 1_209_600,
    help: 'Seconds after which somebody who signed in with a browser has to do so again',
  }),
  loginPersistence: setting({
    name: 'LOGIN_PERSISTENCE',
    type: flag,
    default: false,
    help: 'Count that time from the last request of the browser and not from the login',
  }),
  sessionCookieName: setting({
    name: 'SESSION_COOKIE_NAME',
    type: textLike(
      /^(?!(csrftoken|oidc_login)$)[\w-]{1,64}$/,
      "up to 64 letters, digits, hyphens and underscores, and no other cookie's name",
    ),
    default: 'sessionid',
    help: 'Name of the cookie of a browser that has signed in',
  }),
  sessionCookieSecure: setting({
    name: 'SESSION_COOKIE_SECURE',
    type: flag,
    default: false,
    help: 'Let browsers send their cookies over https only, even where the service itself sees http',
  }),
  csrfTrustedOrigins: setting<readonly string[]>({
    name: 'CSRF_TRUSTED_ORIGINS',
    type: origins,
    default: [],
    help: "Other sites whose pages may use a browser's session: https://tools.example.com, https://*.example.com",
  }),
  oidcIssuer: optional({
    name: 'OIDC_ISSUER',
    type: providerUrl,
    help: 'OpenID Connect provider that people may sign in with; its metadata are read from there',
  }),
  oidcClientId: optional({
    name: 'OIDC_CLIENT_ID',
    type: textValue,
    help: 'Id under which the provider knows this service',
  }),
  oidcClientSecret: optional({
    name: 'OIDC_CLIENT_SECRET',
    type: textValue,
    help: 'Secret that goes with that id; without one the service is a public client',
    secret: true,
  }),
  oidcScopes: setting<readonly string[]>({
    name: 'OIDC_SCOPES',
    type: words,
    default: ['openid', 'profile', 'email'],
    help: 'Scopes that are asked for; the provider may need one more to tell groups',
  }),
  oidcUsernameClaim: setting({
    name: 'OIDC_USERNAME_CLAIM',
    type: textValue,
    default: 'preferred_username',
    help: 'Claim that holds the name of the user here',
  }),
  oidcGroupsClaim: optional({
    name: 'OIDC_GROUPS_CLAIM',
    type: textValue,
    help: 'Claim that lists the groups of the user; without it groups are looked after here',
  }),
  oidcGroups: optional({
    name: 'OIDC_GROUPS',
    type: jsonObject(
      'a JSON object of text to text',
      (entry): entry is readonly [string, string] => typeof entry[1] === 'string',
    ),
    help: "The provider's groups to the names of groups here; without it the names are the same",
  }),
  oidcSuperuserGroup: optional({
    name: 'OIDC_SUPERUSER_GROUP',
    type: textValue,
    help: "The provider's group whose members, and they alone, are superusers",
  }),
  oidcCreateUsers: setting({
    name: 'OIDC_CREATE_USERS',
    type: flag,
    default: true,
    help: 'Make a user at the first login of somebody whom the provider knows',
  }),
  paginateCount: setting({
    name: 'PAGINATE_COUNT',
    type: wholeNumberValue(1, 1_000_000),
    default: 50,
    help: 'Objects per page when the request does not say',
  }),
  maxPageSize: setting({
    name: 'MAX_PAGE_SIZE',
    type: wholeNumberValue(0, 1_000_000),
    default: 1000,
    help: 'Most objects per page; 0 for no limit',
  }),
  answerMemorySize: setting({
    name: 'ANSWER_MEMORY_SIZE',
    type: wholeNumberValue(0, 17_179_869_184),
    default: 67_108_864,
    help: 'Bytes of answers to reads, and of the objects in them, that are kept until what they show changes; 0 for none',
  }),
  compression: setting({
    name: 'COMPRESSION',
    type: wholeNumberValue(0, 1_073_741_824),
    default: 8_192,
    help: 'Bytes from which on answers are compressed for clients that accept it; 0 for never',
  }),
  maxBodySize: setting({
    name: 'MAX_BODY_SIZE',
    type: wholeNumberValue(1_024, 1_073_741_824),
    default: 10_485_760,
    help: 'Bytes that the body of a request may have',
  }),
  maxBulkObjects: setting({
    name: 'MAX_BULK_OBJECTS',
    type: wholeNumberValue(1, 1_000_000),
    default: 10_000,
    help: 'Objects that one request may create, change or delete',
  }),
  maxQueryParameters: setting({
    name: 'MAX_QUERY_PARAMETERS',
    type: wholeNumberValue(1, 100_000),
    default: 1_000,
    help: 'Parameters that the query of a request, or a form, may have',
  }),
  requestTimeout: setting({
    name: 'REQUEST_TIMEOUT',
    type: wholeNumberValue(0, 86_400_000),
    default: 300_000,
    help: 'Milliseconds after which a request is answered with 503; 0 for never',
  }),
  corsOriginAllowAll: setting({
    name: 'CORS_ORIGIN_ALLOW_ALL',
    type: flag,
    default: false,
    help: 'Let pages of every other site ask the API, with a token of their own',
  }),
  corsOriginWhitelist: setting<readonly string[]>({
    name: 'CORS_ORIGIN_WHITELIST',
    type: origins,
    default: [],
    help: 'Sites whose pages may do so: https://tools.example.com, https://*.example.com',
  }),
  corsOriginRegexWhitelist: setting<readonly RegExp[]>({
    name: 'CORS_ORIGIN_REGEX_WHITELIST',
    type: expressions,
    default: [],
    help: 'Regular expressions of such sites, each of the whole origin',
  }),
  secureHstsSeconds: setting({
    name: 'SECURE_HSTS_SECONDS',
    type: wholeNumberValue(0, 1_000_000_000),
    default: 0,
    help: 'Seconds for which browsers shall insist on https (Strict-Transport-Security); 0 to leave that out',
  }),
  secureHstsIncludeSubdomains: setting({
    name: 'SECURE_HSTS_INCLUDE_SUBDOMAINS',
    type: flag,
    default: false,
    help: 'Let them do so for all names below the host too',
  }),
  secureHstsPreload: setting({
    name: 'SECURE_HSTS_PRELOAD',
    type: flag,
    default: false,
    help: 'Consent to being listed in browsers as such a host',
  }),
  maintenanceMode: setting({
    name: 'MAINTENANCE_MODE',
    type: flag,
    default: false,
    help: 'Refuse every change',
  }),
  enforceGlobalUnique: setting({
    name: 'ENFORCE_GLOBAL_UNIQUE',
    type: flag,
    default: true,
    help: 'Refuse duplicate prefixes and addresses outside any VRF',
  }),
  changelogSkipEmptyChanges: setting({
    name: 'CHANGELOG_SKIP_EMPTY_CHANGES',
    type: flag,
    default: true,
    help: 'Write no change record when nothing but last_updated differs',
  }),
  logLevel: setting({
    name: 'LOG_LEVEL',
    type: oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
    default: 'info',
    help: 'Least severity that is logged',
  }),
  requestLogLevel: setting({
    name: 'REQUEST_LOG_LEVEL',
    type: oneOf('trace', 'debug', 'info', 'warn', 'off'),
    default: 'info',
    help: 'Severity of the line that each request writes; failures of the service are always errors; where standard output is a terminal and nothing is set, requests are not logged',
  }),
  metricsEnabled: setting({
    name: 'METRICS_ENABLED',
    type: flag,
    default: false,
    help: 'Offer figures for Prometheus at /metrics',
  }),
  metricsLoginRequired: setting({
    name: 'METRICS_LOGIN_REQUIRED',
    type: flag,
    default: true,
    help: "Show /metrics only to those who send a user's API token, whatever the user may do",
  }),
  demo: setting({
    name: 'DEMO',
    type: flag,
    default: false,
    help: 'Start with a small sample network',
  }),
} as const

type Declarations = typeof DECLARATIONS

/** The whole configuration, by property name. */
export type Settings = {
  readonly [Key in keyof Declarations]:
    | (Declarations[Key]['type'] extends ValueType<infer T> ? T : never)
    | Declarations[Key]['default']
}

/**
 * Reads the configuration; a variable that is set to nothing counts as not set. Throws
 * ConfigurationError for the first value that its type refuses.
 */
export function readSettings(
  environment: Readonly<Record<string, string | undefined>>,
): Readonly<Settings> {
  const entries = Object.entries<Declaration<unknown>>(DECLARATIONS)
  const values = entries.map(([key, declaration]) => [key, readSetting(declaration, environment)])
  // Built from the keys and types of the same table that the type is derived from.
  return Object.freeze(Object.fromEntries(values)) as Settings
}

function readSetting(
  { name, type, default: fallback, secret }: Declaration<unknown>,
  environment: Readonly<Record<string, string | undefined>>,
): unknown {
  const given = environment[name]?.trim()
  if (given === undefined || given === '') return fallback
  const value = type.parse(given)
  if (value !== undefined) return value
  const found = secret ? '' : `, not ${JSON.stringify(given)}`
  throw new ConfigurationError(`${name} must be ${type.expects}${found}.`)
}
