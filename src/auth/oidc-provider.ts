import type { ClientAuth, Configuration } from 'openid-client'
import type { Settings } from '../config/settings.ts'
import { ApiError, ConfigurationError } from '../errors.ts'
import { OidcRefusal } from './oidc-refusal.ts'

/** What ties the way back from the provider to the way there; the browser keeps it meanwhile. */
export interface PendingLogin {
  readonly state: string
  readonly nonce: string
  /** Of PKCE (RFC 7636): whoever gets hold of the code alone can do nothing with it. */
  readonly verifier: string
}

/** What the provider says of a person. */
export interface Claims {
  readonly iss: string
  /** Stands for the same person for ever, at this issuer. */
  readonly sub: string
  readonly [claim: string]: unknown
}

/** An OpenID Connect provider, as a client that uses the authorisation code flow sees it. */
export interface OidcProvider {
  /** Where to send the browser, and what to remember. Throws `unavailable`. */
  begin(callback: string): Promise<{ readonly address: URL; readonly pending: PendingLogin }>
  /** Who it is that came back to `address`. Throws OidcRefusal and `unavailable`. */
  complete(address: URL, pending: PendingLogin): Promise<Claims>
}

/** Seconds in which the provider must have answered a question of ours. */
const TIMEOUT = 10

/**
 * The provider of the configuration; undefined where there is none. It is asked for its metadata when
 * somebody first wants to sign in, so that the service starts without it. Throws ConfigurationError.
 */
export function oidcProvider(settings: Settings): OidcProvider | undefined {
  const { oidcIssuer, oidcClientId, oidcClientSecret, oidcScopes } = settings
  if (oidcIssuer === undefined) return undefined
  const problem = problemOf(settings)
  if (oidcClientId === undefined || problem) throw new ConfigurationError(problem ?? '')
  let known: Promise<Configuration> | undefined
  const configuration = async (): Promise<Configuration> => {
    known ??= discover(oidcIssuer, oidcClientId, oidcClientSecret)
    try {
      return await known
    } catch {
      // The next login asks again.
      known = undefined
      throw unreachable()
    }
  }
  return {
    begin: async (callback) => await beginAt(await configuration(), callback, oidcScopes),
    complete: async (address, pending) => await completeAt(await configuration(), address, pending),
  }
}

/** What keeps these settings from working, as a sentence. */
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

// Loaded when it is needed: most services have no provider.
const library = () => import('openid-client')

async function discover(
  issuer: string,
  clientId: string,
  secret: string | undefined,
): Promise<Configuration> {
  const client = await library()
  const isPlain = issuer.startsWith('http:')
  return await client.discovery(
    new URL(issuer),
    clientId,
    undefined,
    secret === undefined
      ? client.None()
      : secretAuthentication(client.ClientSecretBasic(secret), client.ClientSecretPost(secret)),
    // The configuration lets http through for this very machine only.
    { timeout: TIMEOUT, ...(isPlain && { execute: [client.allowInsecureRequests] }) },
  )
}

/** As the provider wants the secret; without a word from it in a header (OpenID Connect Discovery §3). */
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
    // Groups and names are often told here only.
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
    throw new OidcRefusal('The answer of the login provider could not be verified.', {
      cause: error,
    })
  }
}
