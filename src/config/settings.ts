import { API_VERSIONS, type ApiVersion, LATEST } from '../base/api-version.ts'
import { ConfigurationError } from '../base/errors.ts'
import { isBucket } from '../base/s3.ts'
import { headerName, type JwtConfig, jwtIssuerList, type ProviderConfig, providerList } from './auth-providers.ts'
import { type CustomRules, customRules } from './custom-rules.ts'
import { type Constraint, DEFAULT_PERMISSIONS } from './default-permissions.ts'
import { exemptModels } from './exempt-models.ts'
import { type FieldChoices, fieldChoices } from './field-choices.ts'
import { DEFAULT_PASSWORD_POLICY, passwordPolicy } from './password-policy.ts'
import {
  expressions,
  flag,
  jsonObject,
  networks,
  oneOf,
  origins,
  placeOfFiles,
  proxyUrl,
  schedule,
  serverUrl,
  serverUrlList,
  textLike,
  textValue,
  timeZoneName,
  trust,
  urlPath,
  type ValueType,
  wholeNumberValue,
  words,
} from './value-types.ts'

/** One configuration value: its name in the environment, its type, its default. */
export interface Declaration<T, Default extends T | undefined = T | undefined> {
  readonly name: string
  readonly type: ValueType<T>
  readonly default: Default
  readonly help: string
  /** Never printed, not even in an error message. */
  readonly secret?: true
  /** May be changed while the service runs, by a revision of the configuration, if the environment does not set it. */
  readonly dynamic?: true
}

/** Declares a value that has a default. */
const setting = <T>(declaration: Declaration<T, T>): Declaration<T, T> => declaration
/** Declares a value that may be missing. */
const optional = <T>(declaration: Omit<Declaration<T>, 'default'>): Declaration<T, undefined> => ({
  ...declaration,
  default: undefined,
})

// NetBox 4.6.8 requires as many characters in SECRET_KEY and in each pepper.
const LONG_SECRET = /^.{50,}$/s
const PEPPER_NUMBER = /^\d{1,5}$/

const isAnyEntry = (_entry: readonly [string, unknown]): _entry is readonly [string, unknown] => true

/** All settings, grouped and ordered as docs/operate/configuration.md lists them. */
export const DECLARATIONS = {
  host: setting({
    name: 'HOST',
    type: textValue,
    default: '127.0.0.1',
    help: 'Address to listen on; 0.0.0.0 accepts connections from other machines',
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
    help: 'Path at the start of every URL, if a proxy serves the service below a path',
  }),
  apiVersion: setting<ApiVersion>({
    name: 'API_VERSION',
    type: oneOf(...API_VERSIONS),
    default: LATEST,
    help: 'API version of webhooks, and of requests that do not name one; an import into an empty database sets that of its source',
    dynamic: true,
  }),
  trustProxy: setting<boolean | readonly string[]>({
    name: 'TRUST_PROXY',
    type: trust,
    default: false,
    help: 'Proxies whose X-Forwarded-* headers are trusted: true for all, or a list of their addresses',
  }),
  dataDir: setting({
    name: 'DATA_DIR',
    type: textLike(/^(?!.*:\/\/).+$/, 'a directory'),
    default: './data',
    help: 'Directory for the database, uploaded images and secrets',
  }),
  mediaRoot: optional({
    name: 'MEDIA_ROOT',
    type: placeOfFiles,
    help: 'Where uploaded images are kept instead of DATA_DIR/media, for all processes: a directory, or an S3 bucket',
  }),
  awsAccessKeyId: optional({
    name: 'AWS_ACCESS_KEY_ID',
    type: textValue,
    help: 'Key of the bucket in MEDIA_ROOT or BACKUP_DIRECTORY',
  }),
  awsSecretAccessKey: optional({
    name: 'AWS_SECRET_ACCESS_KEY',
    type: textValue,
    help: 'Its secret',
    secret: true,
  }),
  databaseUrl: optional({
    name: 'DATABASE_URL',
    type: serverUrl,
    help: 'PostgreSQL server to use instead of the one that the service starts; name several hosts if a standby can be promoted',
    secret: true,
  }),
  databaseSessionUrl: optional({
    name: 'DATABASE_SESSION_URL',
    type: serverUrl,
    help: 'URL of the same PostgreSQL server without the connection pooler, if DATABASE_URL points to a pooler in transaction mode',
    secret: true,
  }),
  databaseReplicaUrls: setting<readonly string[]>({
    name: 'DATABASE_REPLICA_URLS',
    type: serverUrlList,
    default: [],
    help: 'Streaming-replication standbys of that server, which serve reads',
    secret: true,
  }),
  databaseMemory: setting({
    name: 'DATABASE_MEMORY',
    type: wholeNumberValue(16, 1_048_576),
    default: 128,
    help: 'Megabytes that the PostgreSQL server which the service starts uses to cache data; a quarter of the memory of the machine is a good value for large inventories',
  }),
  databasePoolSize: setting({
    name: 'DATABASE_POOL_SIZE',
    type: wholeNumberValue(1, 1_000),
    default: 10,
    help: 'Maximum number of connections to the PostgreSQL server',
  }),
  workers: setting({
    name: 'WORKERS',
    type: wholeNumberValue(1, 256),
    default: 1,
    help: 'Number of processes that answer requests and share the connections of DATABASE_POOL_SIZE',
  }),
  jobWorkers: setting({
    name: 'JOB_WORKERS',
    type: wholeNumberValue(0, 256),
    default: 1,
    help: 'Number of background jobs that each process runs at the same time; 0 if other processes on the same database run them',
  }),
  scriptsRoot: optional({
    name: 'SCRIPTS_ROOT',
    type: textValue,
    help: 'Directory with the scripts that users can run, and to which superusers can upload files; DATA_DIR/scripts if it is not set',
  }),
  scriptsMemory: setting({
    name: 'SCRIPTS_MEMORY',
    type: wholeNumberValue(32, 65_536),
    default: 256,
    help: 'Maximum memory of a script in megabytes, including buffers',
  }),
  scriptsPython: optional({
    name: 'SCRIPTS_PYTHON',
    type: textValue,
    help: 'Path of a Python interpreter, version 3.11 or later, that runs scripts with its own packages, network and files; without it they run in WebAssembly',
  }),
  scriptsAllPermissions: setting({
    name: 'SCRIPTS_ALL_PERMISSIONS',
    type: flag,
    default: false,
    help: 'Scripts may read and change everything, as in NetBox, instead of what the user who runs them may',
  }),
  scriptsAllowRead: setting<readonly string[]>({
    name: 'SCRIPTS_ALLOW_READ',
    type: words,
    default: [],
    help: 'Files and directories outside SCRIPTS_ROOT that scripts of SCRIPTS_PYTHON can read, as absolute paths',
  }),
  scriptsAllowWrite: setting<readonly string[]>({
    name: 'SCRIPTS_ALLOW_WRITE',
    type: words,
    default: [],
    help: 'Files and directories that scripts of SCRIPTS_PYTHON can write, in the same form',
  }),
  backupSchedule: optional({
    name: 'BACKUP_SCHEDULE',
    type: schedule,
    help: 'Schedule of automatic backups',
  }),
  backupDirectory: optional({
    name: 'BACKUP_DIRECTORY',
    type: placeOfFiles,
    help: 'Where these backups go: a directory, or an S3 bucket; DATA_DIR/backups if it is not set',
  }),
  backupKeep: setting({
    name: 'BACKUP_KEEP',
    type: wholeNumberValue(1, 1_000),
    default: 14,
    help: 'Number of these backups to keep; older ones are deleted',
  }),
  jobRetention: setting({
    name: 'JOB_RETENTION',
    type: wholeNumberValue(0, 36_500),
    default: 90,
    dynamic: true,
    help: 'Days to keep jobs; 0 keeps them forever',
  }),
  changelogRetention: setting({
    name: 'CHANGELOG_RETENTION',
    type: wholeNumberValue(0, 36_500),
    default: 90,
    dynamic: true,
    help: 'Days to keep change records; 0 keeps them forever',
  }),
  historyRetention: setting({
    name: 'HISTORY_RETENTION',
    type: wholeNumberValue(0, 36_500),
    default: 90,
    dynamic: true,
    help: 'Days of history that can be read with as_of; 0 keeps all of it',
  }),
  changelogRetainCreateLastUpdate: setting({
    name: 'CHANGELOG_RETAIN_CREATE_LAST_UPDATE',
    type: flag,
    default: true,
    dynamic: true,
    help: 'Keep the creation and the last update of every existing object, whatever their age',
  }),
  changelogMessageRequired: setting({
    name: 'CHANGELOG_MESSAGE_REQUIRED',
    type: oneOf('none', 'people', 'tokens', 'all'),
    default: 'none',
    dynamic: true,
    help: 'Who must give a reason for each change: people on the pages, programs with tokens, all, or none',
  }),
  plugins: setting<readonly string[]>({
    name: 'PLUGINS',
    type: words,
    default: [],
    help: 'Files of plugins, or directories that contain them',
  }),
  packs: setting<readonly string[]>({
    name: 'PACKS',
    type: words,
    default: [],
    help: 'Names of packs that are always on, such as bgp; others can be switched on while the service runs',
  }),
  superuserName: setting({
    name: 'SUPERUSER_NAME',
    type: textLike(/^[\w.@+-]{1,150}$/, 'up to 150 letters, digits and @ . + - _'),
    default: 'admin',
    help: 'Name of the superuser to create at the start if there is none',
  }),
  superuserPassword: optional({
    name: 'SUPERUSER_PASSWORD',
    type: textValue,
    help: 'Password of that user, even if it breaks the password rules; if not set, one is generated and printed once',
    secret: true,
  }),
  superuserApiToken: optional({
    name: 'SUPERUSER_API_TOKEN',
    type: textLike(/^[0-9a-zA-Z]{40}$/, '40 letters and digits'),
    help: 'API token of that user; created at the start if it does not exist',
    secret: true,
  }),
  secretKey: optional({
    name: 'SECRET_KEY',
    type: textLike(LONG_SECRET, 'at least 50 characters long, such as the output of: openssl rand -hex 32'),
    help: 'Secret for signing and encryption; generated in DATA_DIR if not set',
    secret: true,
  }),
  apiTokenPeppers: optional({
    name: 'API_TOKEN_PEPPERS',
    type: jsonObject(
      'a JSON object that maps numbers to texts of at least 50 characters',
      (entry): entry is readonly [string, string] =>
        PEPPER_NUMBER.test(entry[0]) && typeof entry[1] === 'string' && LONG_SECRET.test(entry[1]),
    ),
    help: 'Secrets for the digests of API tokens, by number; new tokens use the highest number',
    secret: true,
  }),
  allowTokenRetrieval: setting({
    name: 'ALLOW_TOKEN_RETRIEVAL',
    type: flag,
    default: false,
    help: 'Show the keys of API tokens after their creation too; they are then stored encrypted',
  }),
  authPasswordValidators: setting({
    name: 'AUTH_PASSWORD_VALIDATORS',
    type: passwordPolicy,
    default: DEFAULT_PASSWORD_POLICY,
    help: 'Requirements for new passwords',
  }),
  loginRequired: setting({
    name: 'LOGIN_REQUIRED',
    type: flag,
    default: true,
    help: 'If false, clients without a token can read the models in EXEMPT_VIEW_PERMISSIONS',
  }),
  exemptViewPermissions: setting<readonly string[]>({
    name: 'EXEMPT_VIEW_PERMISSIONS',
    type: exemptModels,
    default: [],
    help: 'Models that can be read without a permission, such as dcim.site; * for all',
  }),
  defaultPermissions: setting<Readonly<Record<string, readonly Constraint[]>>>({
    name: 'DEFAULT_PERMISSIONS',
    type: jsonObject(
      'a JSON object that maps <app>.<action>_<model> to a list of constraints',
      (entry): entry is readonly [string, readonly Constraint[]] =>
        Array.isArray(entry[1]) && entry[1].every((item) => typeof item === 'object' && item !== null),
    ),
    default: DEFAULT_PERMISSIONS,
    help: 'Permissions of every signed-in user',
  }),
  loginTimeout: setting({
    name: 'LOGIN_TIMEOUT',
    type: wholeNumberValue(60, 315_360_000),
    default: 1_209_600,
    help: 'Seconds until users must sign in again',
  }),
  loginPersistence: setting({
    name: 'LOGIN_PERSISTENCE',
    type: flag,
    default: false,
    help: 'Count LOGIN_TIMEOUT from the last request of the browser instead of the login',
  }),
  secondFactorRequired: setting<'none' | 'superusers' | 'all'>({
    name: 'SECOND_FACTOR_REQUIRED',
    type: oneOf('none', 'superusers', 'all'),
    default: 'none',
    help: 'Who needs a code from an authenticator app besides the password; OpenID Connect, SAML and proxies check their own second factor',
  }),
  sessionCookieName: setting({
    name: 'SESSION_COOKIE_NAME',
    type: textLike(
      /^(?!(csrftoken|oidc_login|saml_login|login_step)$)[\w-]{1,64}$/,
      "up to 64 letters, digits, hyphens and underscores, and no other cookie's name",
    ),
    default: 'sessionid',
    help: 'Name of the session cookie',
  }),
  sessionCookieSecure: setting({
    name: 'SESSION_COOKIE_SECURE',
    type: flag,
    default: false,
    help: 'Let browsers send cookies over https only, even if requests reach the service over http',
  }),
  csrfTrustedOrigins: setting<readonly string[]>({
    name: 'CSRF_TRUSTED_ORIGINS',
    type: origins,
    default: [],
    help: 'Other sites whose pages can use the session of a browser: https://tools.example.com, https://*.example.com',
  }),
  authProviders: setting<readonly ProviderConfig[]>({
    name: 'AUTH_PROVIDERS',
    type: providerList,
    default: [],
    help: 'Providers of the types oidc, saml, ldap, active-directory, header and scim ([sign-in.md](sign-in.md) has their options)',
    secret: true,
  }),
  authJwtIssuers: setting<readonly JwtConfig[]>({
    name: 'AUTH_JWT_ISSUERS',
    type: jwtIssuerList,
    default: [],
    help: 'Issuers of signed tokens that programs use in place of API tokens ([permissions.md](permissions.md#tokens-of-pipelines-and-clusters))',
  }),
  loginFormHidden: setting({
    name: 'LOGIN_FORM_HIDDEN',
    type: flag,
    default: false,
    help: 'Hide the form for name and password on the login page; `/login/?form` shows it',
  }),
  remoteAuthEnabled: setting({
    name: 'REMOTE_AUTH_ENABLED',
    type: flag,
    default: false,
    help: 'Sign users in by a header that a proxy sets; only proxies listed in TRUST_PROXY are trusted',
  }),
  remoteAuthHeader: setting({
    name: 'REMOTE_AUTH_HEADER',
    type: headerName,
    default: 'remote-user',
    help: 'Header with the user name',
  }),
  remoteAuthUserFirstName: setting({
    name: 'REMOTE_AUTH_USER_FIRST_NAME',
    type: headerName,
    default: 'remote-user-first-name',
    help: 'Header with the first name of new users',
  }),
  remoteAuthUserLastName: setting({
    name: 'REMOTE_AUTH_USER_LAST_NAME',
    type: headerName,
    default: 'remote-user-last-name',
    help: 'Header with the last name of new users',
  }),
  remoteAuthUserEmail: setting({
    name: 'REMOTE_AUTH_USER_EMAIL',
    type: headerName,
    default: 'remote-user-email',
    help: 'Header with the e-mail address of new users',
  }),
  remoteAuthAutoCreateUser: setting({
    name: 'REMOTE_AUTH_AUTO_CREATE_USER',
    type: flag,
    default: false,
    help: 'Create unknown users',
  }),
  remoteAuthAutoCreateGroups: setting({
    name: 'REMOTE_AUTH_AUTO_CREATE_GROUPS',
    type: flag,
    default: false,
    help: 'Create unknown groups',
  }),
  remoteAuthDefaultGroups: setting<readonly string[]>({
    name: 'REMOTE_AUTH_DEFAULT_GROUPS',
    type: words,
    default: [],
    help: 'Groups of new users',
  }),
  remoteAuthGroupSyncEnabled: setting({
    name: 'REMOTE_AUTH_GROUP_SYNC_ENABLED',
    type: flag,
    default: false,
    help: 'Update the groups of a user from a header at each login',
  }),
  remoteAuthGroupHeader: setting({
    name: 'REMOTE_AUTH_GROUP_HEADER',
    type: headerName,
    default: 'remote-user-group',
    help: 'Header with the groups',
  }),
  remoteAuthGroupSeparator: setting({
    name: 'REMOTE_AUTH_GROUP_SEPARATOR',
    type: textValue,
    default: '|',
    help: 'Separator between the groups in that header',
  }),
  remoteAuthSuperuserGroups: setting<readonly string[]>({
    name: 'REMOTE_AUTH_SUPERUSER_GROUPS',
    type: words,
    default: [],
    help: 'Groups whose members, and no other users, are superusers',
  }),
  remoteAuthSuperusers: setting<readonly string[]>({
    name: 'REMOTE_AUTH_SUPERUSERS',
    type: words,
    default: [],
    help: 'Names of users who are superusers even without such a group',
  }),
  paginateCount: setting({
    name: 'PAGINATE_COUNT',
    type: wholeNumberValue(1, 1_000_000),
    default: 50,
    dynamic: true,
    help: 'Number of objects on a page if the request sets no limit',
  }),
  maxPageSize: setting({
    name: 'MAX_PAGE_SIZE',
    type: wholeNumberValue(0, 1_000_000),
    default: 1000,
    dynamic: true,
    help: 'Maximum number of objects on a page; 0 for no limit',
  }),
  graphqlEnabled: setting({
    name: 'GRAPHQL_ENABLED',
    type: flag,
    default: true,
    dynamic: true,
    help: 'Serve the GraphQL API at /graphql/',
  }),
  mcpEnabled: setting({
    name: 'MCP_ENABLED',
    type: flag,
    default: false,
    dynamic: true,
    help: 'Serve tools for assistants at /mcp, by the Model Context Protocol',
  }),
  mcpCallsPerMinute: setting({
    name: 'MCP_CALLS_PER_MINUTE',
    type: wholeNumberValue(0, 1_000_000),
    default: 120,
    help: 'Maximum number of calls at /mcp for each token in a minute and process; 0 for no limit',
  }),
  graphqlMaxAliases: setting({
    name: 'GRAPHQL_MAX_ALIASES',
    type: wholeNumberValue(0, 1_000_000),
    default: 10,
    help: 'Maximum number of aliases in a GraphQL query; 0 for no limit',
  }),
  graphqlMaxDepth: setting({
    name: 'GRAPHQL_MAX_QUERY_DEPTH',
    type: wholeNumberValue(0, 1_000),
    default: 30,
    help: 'Maximum depth of relations in a GraphQL query; 0 for no limit',
  }),
  cacheSize: setting({
    name: 'CACHE_SIZE',
    type: wholeNumberValue(0, 17_179_869_184),
    default: 67_108_864,
    help: 'Size in bytes of the cache for objects, ids, counts and lists; below 8388608 it keeps only what nearly every request needs (tokens, definitions, nested objects)',
  }),
  maxBodySize: setting({
    name: 'MAX_BODY_SIZE',
    type: wholeNumberValue(1_024, 1_073_741_824),
    default: 10_485_760,
    help: 'Maximum size of a request body in bytes',
  }),
  maxUploadSize: setting({
    name: 'MAX_UPLOAD_SIZE',
    type: wholeNumberValue(1_024, 1_099_511_627_776),
    default: 104_857_600,
    help: 'Maximum size in bytes of a request that uploads files, if it is larger than MAX_BODY_SIZE; files over 1 MiB are on the disk until they are stored, in the directory for temporary files',
  }),
  maxBulkObjects: setting({
    name: 'MAX_BULK_OBJECTS',
    type: wholeNumberValue(1, 1_000_000),
    default: 10_000,
    help: 'Maximum number of objects that one request can create, change or delete, not counting their components and dependents',
  }),
  shutdownDelay: setting({
    name: 'SHUTDOWN_DELAY',
    type: wholeNumberValue(0, 600_000),
    default: 3_000,
    help: 'Milliseconds after SIGTERM during which requests are still answered but /health/ready returns 503, for load balancers; 0 for none',
  }),
  corsOriginAllowAll: setting({
    name: 'CORS_ORIGIN_ALLOW_ALL',
    type: flag,
    default: false,
    help: 'Allow the pages of every other site to call the API with their own tokens',
  }),
  corsOriginWhitelist: setting<readonly string[]>({
    name: 'CORS_ORIGIN_WHITELIST',
    type: origins,
    default: [],
    help: 'Sites whose pages can call the API: https://tools.example.com, https://*.example.com',
  }),
  corsOriginRegexWhitelist: setting<readonly RegExp[]>({
    name: 'CORS_ORIGIN_REGEX_WHITELIST',
    type: expressions,
    default: [],
    help: 'Regular expressions for such sites; each must match the whole origin',
  }),
  secureHstsSeconds: setting({
    name: 'SECURE_HSTS_SECONDS',
    type: wholeNumberValue(0, 1_000_000_000),
    default: 0,
    help: 'Seconds for which browsers must use https (Strict-Transport-Security); 0 sends no such header',
  }),
  secureHstsIncludeSubdomains: setting({
    name: 'SECURE_HSTS_INCLUDE_SUBDOMAINS',
    type: flag,
    default: false,
    help: 'Apply this to all subdomains too',
  }),
  secureHstsPreload: setting({
    name: 'SECURE_HSTS_PRELOAD',
    type: flag,
    default: false,
    help: 'Allow browsers to add this host to their built-in lists of such hosts',
  }),
  maintenanceMode: setting({
    name: 'MAINTENANCE_MODE',
    type: flag,
    default: false,
    dynamic: true,
    help: 'Refuse all changes',
  }),
  enforceGlobalUnique: setting({
    name: 'ENFORCE_GLOBAL_UNIQUE',
    type: flag,
    default: true,
    dynamic: true,
    help: 'Refuse duplicate prefixes and addresses outside VRFs',
  }),
  preferIpv4: setting({
    name: 'PREFER_IPV4',
    type: flag,
    default: false,
    help: 'Use the IPv4 address as primary_ip of objects with a primary address of each family',
  }),
  powerfeedDefaultVoltage: setting({
    name: 'POWERFEED_DEFAULT_VOLTAGE',
    type: wholeNumberValue(1, 32_767),
    default: 120,
    help: 'Voltage of new power feeds that set none',
  }),
  powerfeedDefaultAmperage: setting({
    name: 'POWERFEED_DEFAULT_AMPERAGE',
    type: wholeNumberValue(1, 32_767),
    default: 15,
    help: 'Amperage of new power feeds that set none',
  }),
  powerfeedDefaultMaxUtilization: setting({
    name: 'POWERFEED_DEFAULT_MAX_UTILIZATION',
    type: wholeNumberValue(1, 100),
    default: 80,
    help: 'Maximum utilization, in percent, of new power feeds that set none',
  }),
  changelogSkipEmptyChanges: setting({
    name: 'CHANGELOG_SKIP_EMPTY_CHANGES',
    type: flag,
    default: true,
    help: 'Write no change record if only last_updated differs',
  }),
  webhookRetryDelay: setting({
    name: 'WEBHOOK_RETRY_DELAY',
    type: wholeNumberValue(10, 3_600_000),
    default: 10_000,
    help: 'Milliseconds before a failed webhook is sent again; doubles with each failure, up to a day',
  }),
  webhookAllowedNetworks: setting<readonly string[]>({
    name: 'WEBHOOK_ALLOWED_NETWORKS',
    type: networks,
    default: [],
    help: 'Private, loopback and other reserved networks to which webhooks can be sent; public addresses are always allowed',
  }),
  jinjaEnvironmentParams: setting<readonly string[]>({
    name: 'JINJA_ENVIRONMENT_PARAMS',
    type: words,
    default: [],
    help: 'Environment variables that templates can read with the filter env; * and ? are wildcards, as in WEBHOOK_TOKEN_*',
  }),
  httpProxy: optional({
    name: 'HTTP_PROXY',
    type: proxyUrl,
    help: 'Proxy for webhooks to http:// addresses; the proxy resolves their names',
    secret: true,
  }),
  httpsProxy: optional({
    name: 'HTTPS_PROXY',
    type: proxyUrl,
    help: 'Proxy for webhooks to https:// addresses',
    secret: true,
  }),
  noProxy: setting<readonly string[]>({
    name: 'NO_PROXY',
    type: words,
    default: [],
    help: 'Hosts to reach without a proxy, including their subdomains; * for all',
  }),
  emailServer: optional({
    name: 'EMAIL_SERVER',
    type: textValue,
    help: 'Host name of the SMTP server for e-mails from event rules, which fail without one',
  }),
  emailPort: setting({
    name: 'EMAIL_PORT',
    type: wholeNumberValue(1, 65_535),
    default: 25,
    help: 'Port of the SMTP server',
  }),
  emailUsername: optional({
    name: 'EMAIL_USERNAME',
    type: textValue,
    help: 'User name for the SMTP server, if it requires one',
  }),
  emailPassword: optional({
    name: 'EMAIL_PASSWORD',
    type: textValue,
    help: 'Password for the SMTP server',
    secret: true,
  }),
  emailUseTls: setting({
    name: 'EMAIL_USE_TLS',
    type: flag,
    default: false,
    help: 'Encrypt the connection with STARTTLS, usually on port 587',
  }),
  emailUseSsl: setting({
    name: 'EMAIL_USE_SSL',
    type: flag,
    default: false,
    help: 'Encrypt the connection from the start, usually on port 465',
  }),
  emailTimeout: setting({
    name: 'EMAIL_TIMEOUT',
    type: wholeNumberValue(1, 600),
    default: 10,
    help: 'Seconds to wait for each reply of the SMTP server',
  }),
  emailFrom: optional({
    name: 'EMAIL_FROM',
    type: textLike(/^[^\r\n]*[^\s@<]@[^\s@>]+>?$/, 'an e-mail address, such as Cadastre <cadastre@example.com>'),
    help: 'Sender of e-mails; required if EMAIL_SERVER is set',
  }),
  timeZone: setting({
    name: 'TIME_ZONE',
    type: timeZoneName,
    default: 'UTC',
    help: 'Time zone in which the days of rules about dates begin',
  }),
  dataSourceDirectories: setting<readonly string[]>({
    name: 'DATA_SOURCE_DIRECTORIES',
    type: words,
    default: [],
    help: 'Directories that can contain local data sources and git repositories with file:// URLs; if not set, both are refused',
  }),
  dataSourceAllowedNetworks: setting<readonly string[]>({
    name: 'DATA_SOURCE_ALLOWED_NETWORKS',
    type: networks,
    default: [],
    help: 'Networks from which git and S3 data sources can be fetched, in addition to public addresses',
  }),
  fieldChoices: setting<FieldChoices>({
    name: 'FIELD_CHOICES',
    type: fieldChoices,
    default: {},
    help: 'Choices of status fields: {"dcim.Site.status": …} replaces them, {"dcim.Site.status+": …} adds to them',
  }),
  customValidators: setting<CustomRules>({
    name: 'CUSTOM_VALIDATORS',
    type: customRules,
    default: {},
    dynamic: true,
    help: 'Conditions that objects must meet to be saved, by model',
  }),
  protectionRules: setting<CustomRules>({
    name: 'PROTECTION_RULES',
    type: customRules,
    default: {},
    dynamic: true,
    help: 'Conditions that objects must meet to be deleted, by model',
  }),
  defaultUserPreferences: setting<Readonly<Record<string, unknown>>>({
    name: 'DEFAULT_USER_PREFERENCES',
    type: jsonObject('a JSON object', isAnyEntry),
    default: {},
    dynamic: true,
    help: 'Preferences of users who have not set their own',
  }),
  bannerTop: setting({
    name: 'BANNER_TOP',
    type: textValue,
    default: '',
    dynamic: true,
    help: 'Text at the top of every page, shown without markup',
  }),
  bannerBottom: setting({
    name: 'BANNER_BOTTOM',
    type: textValue,
    default: '',
    dynamic: true,
    help: 'Text at the bottom of every page',
  }),
  bannerLogin: setting({
    name: 'BANNER_LOGIN',
    type: textValue,
    default: '',
    dynamic: true,
    help: 'Text on the login page',
  }),
  bannerMaintenance: setting({
    name: 'BANNER_MAINTENANCE',
    type: textValue,
    default: 'The service is in maintenance mode: it accepts no changes at present.',
    dynamic: true,
    help: 'Text at the top of every page in maintenance mode',
  }),
  logLevel: setting({
    name: 'LOG_LEVEL',
    type: oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
    default: 'info',
    help: 'Lowest severity to log',
  }),
  requestLogLevel: setting({
    name: 'REQUEST_LOG_LEVEL',
    type: oneOf('trace', 'debug', 'info', 'warn', 'off'),
    default: 'info',
    help: 'Severity of the log line for each request; failures of the service are always errors. If neither this nor LOG_LEVEL is set, a terminal shows only warnings',
  }),
  metricsEnabled: setting({
    name: 'METRICS_ENABLED',
    type: flag,
    default: false,
    help: 'Serve metrics for Prometheus at /metrics',
  }),
  metricsLoginRequired: setting({
    name: 'METRICS_LOGIN_REQUIRED',
    type: flag,
    default: true,
    help: 'Require an API token for /metrics; its user needs no permissions',
  }),
  otelExporterOtlpEndpoint: optional({
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    type: textLike(/^https?:\/\/\S+$/, 'a URL that begins with http:// or https://'),
    help: 'OpenTelemetry collector that gets a trace of each request, by OTLP over HTTP with JSON',
  }),
  otelExporterOtlpHeaders: setting<readonly string[]>({
    name: 'OTEL_EXPORTER_OTLP_HEADERS',
    type: words,
    default: [],
    help: 'Headers of the requests to the collector: name=value, separated by commas',
    secret: true,
  }),
  otelServiceName: setting({
    name: 'OTEL_SERVICE_NAME',
    type: textValue,
    default: 'cadastre',
    help: 'Name of the service in traces',
  }),
  demo: setting({
    name: 'DEMO',
    type: flag,
    default: false,
    help: 'Load a small sample network into an empty database',
  }),
} as const

type Declarations = typeof DECLARATIONS

/** Limits that no installation needs to change; they are settings so that tests can lower them. */
const LIMITS = {
  /** Wrong passwords for an account within 15 minutes before further ones are refused. */
  loginFailureLimit: 10,
  /** The same limit for one client address (IPv6: one /64 network). */
  loginFailureAddressLimit: 100,
  /** Tokens in a GraphQL query. */
  graphqlMaxTokens: 20_000,
  /** Objects in the response to a GraphQL query, on all levels together. */
  graphqlMaxRows: 250_000,
  /** Characters that are written for a GraphQL query, on all levels together. */
  graphqlMaxSize: 100_000_000,
  /** Parameters of a query string or a form. */
  maxQueryParameters: 1_000,
  /** Milliseconds after which a request is answered with 503. */
  requestTimeout: 300_000,
  /** Milliseconds within which the receiver of a webhook must answer. */
  webhookTimeout: 30_000,
}

export type Limits = Readonly<typeof LIMITS>

/** The whole configuration, by property name. */
export type Settings = {
  readonly [Key in keyof Declarations]:
    | (Declarations[Key]['type'] extends ValueType<infer T> ? T : never)
    | Declarations[Key]['default']
} & Limits & {
    /** Names of the settings that the environment sets. */
    readonly given: ReadonlySet<string>
  }

/**
 * Reads the configuration from the environment; an empty variable counts as not set. Throws ConfigurationError for
 * the first value that its type refuses.
 */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): Readonly<Settings> {
  const entries = Object.entries<Declaration<unknown>>(DECLARATIONS)
  const values = entries.map(([key, declaration]) => [key, readSetting(declaration, environment)])
  const given = entries.flatMap(([, { name }]) => (environment[name]?.trim() ? [name] : []))
  // The object has the keys and types of the table from which `Settings` is derived.
  const settings = Object.freeze({
    ...LIMITS,
    ...Object.fromEntries(values),
    given: new Set(given),
  }) as Settings
  checkPlaces(settings)
  return settings
}

/** Throws ConfigurationError if a bucket has no key, or backups would be taken for uploaded files. */
function checkPlaces({ mediaRoot, backupDirectory, ...settings }: Settings): void {
  const hasKey = settings.awsAccessKeyId !== undefined && settings.awsSecretAccessKey !== undefined
  for (const [name, place] of Object.entries({ MEDIA_ROOT: mediaRoot, BACKUP_DIRECTORY: backupDirectory })) {
    if (hasKey || !isBucket(place ?? '')) continue
    throw new ConfigurationError(`${name} names a bucket, which needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.`)
  }
  const withSlash = (place: string) => place.replace(/\/*$/, '/')
  if (mediaRoot !== undefined && withSlash(backupDirectory ?? '').startsWith(withSlash(mediaRoot))) {
    throw new ConfigurationError('BACKUP_DIRECTORY must not be below MEDIA_ROOT, whose files are part of each backup.')
  }
}

function readSetting(
  { name, type, default: fallback, secret }: Declaration<unknown>,
  environment: Readonly<Record<string, string | undefined>>,
): unknown {
  const raw = environment[name]?.trim()
  if (!raw) return fallback
  const value = type.parse(raw)
  if (value !== undefined) return value
  const actual = secret ? '' : `, not ${JSON.stringify(raw)}`
  throw new ConfigurationError(`${name} must be ${type.expects}${actual}.`)
}
