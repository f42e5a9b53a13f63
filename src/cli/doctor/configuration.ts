import type { Settings } from '../../config/settings.ts'
import { unknownSettings } from '../../config/unknown-settings.ts'
import { type Finding, ok, warning } from './finding.ts'

/** A value that is legitimate, but rarely right for a service with several users. */
interface Doubt {
  readonly applies: (settings: Settings) => boolean
  readonly text: string
  readonly advice: string
}

/** Minimum length in the password policy, which is applied to the configured password too. */
const PASSWORD_LENGTH = 12
/** A random secret of 50 characters has about 40 different ones. */
const LEAST_VARIETY = 12

const LOCAL = /^(127\.|::1$|localhost$)/

/** True if other machines can connect. */
const isOpen = ({ host }: Settings): boolean => !LOCAL.test(host)

const isDull = (secret: string | undefined): boolean => secret !== undefined && new Set(secret).size < LEAST_VARIETY

const DOUBTS: readonly Doubt[] = [
  {
    applies: ({ secretKey }) => isDull(secretKey),
    text: 'SECRET_KEY repeats a few characters and is easy to guess.',
    advice: 'Generate one: openssl rand -base64 48. Encrypted values have to be entered again.',
  },
  {
    applies: ({ apiTokenPeppers }) => Object.values(apiTokenPeppers ?? {}).some(isDull),
    text: 'A value of API_TOKEN_PEPPERS repeats a few characters and is easy to guess.',
    advice: 'Add a random one under a higher number, and create the tokens again.',
  },
  {
    applies: ({ superuserPassword }) => superuserPassword !== undefined && superuserPassword.length < PASSWORD_LENGTH,
    text: `SUPERUSER_PASSWORD has fewer than ${PASSWORD_LENGTH} characters.`,
    advice: 'Set a longer one and run create-superuser with the name of that user.',
  },
  {
    applies: ({ superuserApiToken }) => isDull(superuserApiToken) || /^0123456789/.test(superuserApiToken ?? ''),
    text: 'SUPERUSER_API_TOKEN is a well-known token.',
    advice: 'Delete it, and let the API make one: POST /api/users/tokens/provision/.',
  },
  {
    applies: (settings) => settings.trustProxy === true && isOpen(settings),
    text: 'TRUST_PROXY is true, so that every client may claim any address and any host.',
    advice: 'Name the addresses of your proxies.',
  },
  {
    applies: (settings) => settings.trustProxy === false && isOpen(settings) && !settings.sessionCookieSecure,
    text: 'The service accepts connections from other machines, and no HTTPS proxy is configured.',
    advice:
      'Put one in front of it, set TRUST_PROXY to its address and SESSION_COOKIE_SECURE to true. Otherwise passwords are sent in plain text.',
  },
  {
    applies: ({ loginRequired, exemptViewPermissions }) => !loginRequired && exemptViewPermissions.includes('*'),
    text: 'Anybody may read nearly everything: LOGIN_REQUIRED is false and EXEMPT_VIEW_PERMISSIONS is *.',
    advice: 'Leave LOGIN_REQUIRED at true, or name the models that are for everybody.',
  },
  {
    applies: ({ allowTokenRetrieval }) => allowTokenRetrieval,
    text: 'ALLOW_TOKEN_RETRIEVAL stores the keys of tokens so that they can be read again.',
    advice: 'Set it to false; keys are then shown only when they are created.',
  },
  {
    applies: ({ corsOriginAllowAll }) => corsOriginAllowAll,
    text: 'CORS_ORIGIN_ALLOW_ALL lets pages of every site call the API.',
    advice: 'Name the sites in CORS_ORIGIN_WHITELIST.',
  },
  {
    applies: ({ metricsEnabled, metricsLoginRequired }) => metricsEnabled && !metricsLoginRequired,
    text: 'Anybody may read /metrics.',
    advice: 'Set METRICS_LOGIN_REQUIRED to true, or let the proxy keep others away.',
  },
  {
    applies: ({ logLevel }) => logLevel === 'trace' || logLevel === 'debug',
    text: 'LOG_LEVEL is meant for debugging and makes the service slower.',
    advice: 'Set it to info.',
  },
  {
    applies: ({ maintenanceMode }) => maintenanceMode,
    text: 'MAINTENANCE_MODE refuses every change.',
    advice: 'Set it to false when the maintenance is over.',
  },
  {
    applies: ({ demo }) => demo,
    text: 'DEMO fills an empty database with a sample network.',
    advice: 'Do not set it where you keep real data.',
  },
  {
    applies: ({ databaseUrl }) => databaseUrl !== undefined && isUnencrypted(databaseUrl),
    text: 'DATABASE_URL names another machine without sslmode.',
    advice: 'Add ?sslmode=verify-full (or require), unless the network between is your own.',
  },
]

function isUnencrypted(address: string): boolean {
  const { hostname, searchParams } = new URL(address)
  const isLocal = hostname === '' || LOCAL.test(hostname) || searchParams.has('host')
  return !isLocal && !searchParams.has('sslmode') && !searchParams.has('ssl')
}

/** Findings about the values of the configuration. */
export function checkConfiguration(settings: Settings): readonly Finding[] {
  const doubts = DOUBTS.filter(({ applies }) => applies(settings))
  if (doubts.length === 0) return [ok('configuration', 'No problems were found.')]
  return doubts.map(({ text, advice }) => warning('configuration', text, advice))
}

/** Findings about environment variables that look like misspelt settings. */
export const checkNames = (environment: Readonly<Record<string, string | undefined>>): readonly Finding[] =>
  unknownSettings(environment).map((sentence) =>
    warning('configuration', sentence, 'It has no effect: correct the name, or remove it.'),
  )
