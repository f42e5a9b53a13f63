import type { ClientAuth, Configuration } from 'openid-client'
import type { Settings } from '../config/settings.ts'
import { ApiError, ConfigurationError } from '../errors.ts'
import { OidcRefusal } from './oidc-refusal.ts'

/** Values that tie the provider's callback to the login that began it; the browser stores them meanwhile. */
export interface PendingLogin {
  readonly state: string
  readonly nonce: string
  /** PKCE verifier (RFC 7636): the code alone is useless to a third party. */
  readonly verifier: string
}

/** Claims of the provider about a person. */
export interface Claims {
  readonly iss: string
  /** Permanent id of the person at this issuer. */
  readonly sub: string
  readonly [claim: string]: unknown
}

/** An OpenID Connect provider, used with the authorisation code flow. */
export interface OidcProvider {
  /** Address for the browser, and the values to store. Throws `unavailable`. */
  begin(callback: string): Promise<{ readonly address: URL; readonly pending: PendingLogin }>
  /** Claims of the person who came back to `address`. Throws OidcRefusal and `unavailable`. */
  complete(address: URL, pending: PendingLogin): Promise<Claims>
}

/** Timeout of requests to the provider, in seconds. */
const TIMEOUT = 10

/**
 * The configured provider; undefined where there is none. Its metadata are fetched at the first login, so that the
 * service starts without it. Throws ConfigurationError.
 */
export function oidcProvider(settings: Settings): OidcProvider | undefined {
  const { oidcIssuer, oidcClientId, oidcClientSecret, oidcScopes } = settings
  if (oidcIssuer === undefined) return undefined
  const problem = problemOf(settings)
  if (oidcClientId === undefined || problem) throw new ConfigurationError(problem ?? '')
  let discovery: Promise<Configuration> | undefined
  const configuration = async (): Promise<Configuration> => {
    discovery ??= discover(oidcIssuer, oidcClientId, oidcClientSecret)
    try {
      return await discovery
    } catch {
      // The next login tries again.
      discovery = undefined
      throw unreachable()
    }
  }
  return {
    begin: async (callback) => await beginAt(await configuration(), callback, oidcScopes),
    complete: async (address, pending) => await completeAt(await configuration(), address, pending),
  }
}

/** The error in these settings, as a sentence; undefined where there is none. */
function problemOf(settings: Settings): string | undefined {
  if (settings.oidcClientId === undefined) return 'OIDC_ISSUER needs OIDC_CLIENT_ID too.'
  if (!settings.oidcScopes.includes('openid')) return 'OIDC_SCOPES must hold openid.'
  const needsGroups = settings.oidcGroups ?? settings.oidcSuperuserGroup
  return needsGroups !== undefined && settings.oidcGroupsClaim === undefined
    ? 'OIDC_GROUPS and OIDC_SUPERUSER_GROUP need OIDC_GROUPS_CLAIM too.'
    : undefined
}

const unreachable = (): ApiError =>
  new ApiError({ kind: 'unavailable', detail: 'The login provider cannot be reached.' })

// Loaded on demand: most services have no provider.
const library = () => import('openid-client')

async function discover(issuer: string, clientId: string, secret: string | undefined): Promise<Configuration> {
  const client = await library()
  const isPlain = issuer.startsWith('http:')
  return await client.discovery(
    new URL(issuer),
    clientId,
    undefined,
    secret === undefined
      ? client.None()
      : secretAuthentication(client.ClientSecretBasic(secret), client.ClientSecretPost(secret)),
    // Plain http is allowed for this machine only.
    { timeout: TIMEOUT, ...(isPlain && { execute: [client.allowInsecureRequests] }) },
  )
}

/** Method by which the provider wants the secret; by default in a header (OpenID Connect Discovery §3). */
const secretAuthentication =
  (basic: ClientAuth, post: ClientAuth): ClientAuth =>
  (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    return (methods.includes('client_secret_basic') ? basic : post)(server, ...rest)
  }

async function beginAt(
  configuration: Configuration,
  callback: string,
  scopes: readonly string[],
): Promise<{ address: URL; pending: PendingLogin }> {
  const client = await library()
  const pending: PendingLogin = {
    state: client.randomState(),
    nonce: client.randomNonce(),
    verifier: client.randomPKCECodeVerifier(),
  }
  const address = client.buildAuthorizationUrl(configuration, {
    redirect_uri: callback,
    scope: scopes.join(' '),
    state: pending.state,
    nonce: pending.nonce,
    code_challenge: await client.calculatePKCECodeChallenge(pending.verifier),
    code_challenge_method: 'S256',
  })
  return { address, pending }
}

async function completeAt(
  configuration: Configuration,
  address: URL,
  { state, nonce, verifier }: PendingLogin,
): Promise<Claims> {
  const client = await library()
  try {
    const tokens = await client.authorizationCodeGrant(configuration, address, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    })
    const claims = tokens.claims()
    if (!claims) throw new OidcRefusal('The login provider did not say who you are.')
    // Many providers send groups and names only with the user info.
    const more =
      configuration.serverMetadata().userinfo_endpoint === undefined
        ? {}
        : await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
    return { ...claims, ...more, iss: claims.iss, sub: claims.sub }
  } catch (error) {
    if (error instanceof client.AuthorizationResponseError) {
      throw new OidcRefusal(`The login provider refused: ${error.error}.`, { cause: error })
    }
    if (error instanceof TypeError && !('code' in error)) throw unreachable()
    if (error instanceof client.ClientError && error.code === 'OAUTH_TIMEOUT') throw unreachable()
    throw new OidcRefusal('The response of the login provider could not be verified.', {
      cause: error,
    })
  }
}
