import type { ClientAuth, Configuration } from 'openid-client'
import { ApiError } from '../base/errors.ts'
import type { OidcConfig } from '../config/auth-providers.ts'
import { isJsonObject } from '../schema/json.ts'
import type { Person } from './external-account.ts'
import { LoginRefusal } from './login-refusal.ts'

/** Values that tie the provider's callback to the login that started it; the browser stores them meanwhile. */
interface PendingLogin {
  readonly state: string
  readonly nonce: string
  /** PKCE verifier (RFC 7636): the code alone is useless to a third party. */
  readonly verifier: string
}

/** Claims of the provider about a person. */
interface Claims {
  readonly iss: string
  /** Permanent id of the person at this issuer. */
  readonly sub: string
  readonly [claim: string]: unknown
}

/** An OpenID Connect provider, used with the authorisation code flow. */
export interface OidcProvider {
  /** Address for the browser, and the values to store. Throws `unavailable`. */
  begin(callback: string): Promise<{ readonly address: URL; readonly pending: PendingLogin }>
  /** The person who returned to `address`. Throws LoginRefusal and `unavailable`. */
  complete(address: URL, pending: PendingLogin): Promise<Person>
  /** Fetches the provider's metadata. Throws `unavailable`. */
  check(): Promise<void>
}

/** Timeout of requests to the provider, in seconds. */
const TIMEOUT = 10

/** The provider. Its metadata are fetched at the first login, so that the service starts without it. */
export function oidcProvider(config: OidcConfig): OidcProvider {
  let discovery: Promise<Configuration> | undefined
  const configuration = async (): Promise<Configuration> => {
    discovery ??= discover(config)
    try {
      return await discovery
    } catch {
      // The next login tries again.
      discovery = undefined
      throw unreachable()
    }
  }
  return {
    begin: async (callback) => await beginAt(await configuration(), callback, config.scopes),
    complete: async (address, pending) =>
      await personOf(await completeAt(await configuration(), address, pending), config),
    check: async () => {
      try {
        await discover(config)
      } catch (error) {
        throw unreachable(causeOf(error))
      }
    },
  }
}

/** A person's claims at a login, and the token for further requests to the provider. */
interface TokenResponse {
  readonly claims: Claims
  readonly accessToken: string
}

async function personOf({ claims, accessToken }: TokenResponse, config: OidcConfig): Promise<Person> {
  const { username_claim, groups_claim } = config
  const textOf = (claim: string): string => (typeof claims[claim] === 'string' ? claims[claim] : '')
  return {
    issuer: claims.iss,
    subject: claims.sub,
    username: () => {
      const username = textOf(username_claim)
      if (username === '') throw new LoginRefusal(`The login provider did not send your ${username_claim}.`)
      if (!isVerified(claims, username_claim)) {
        throw new LoginRefusal(`The login provider does not say that it has verified your ${username_claim}.`)
      }
      return username
    },
    firstName: textOf('given_name'),
    lastName: textOf('family_name'),
    email: textOf('email'),
    groups:
      groups_claim === undefined
        ? undefined
        : isOverage(claims, groups_claim)
          ? await groupsOfGraph(accessToken, config)
          : new Set([claims[groups_claim]].flat().filter((group) => typeof group === 'string')),
  }
}

/** Claims that people choose themselves, so that providers say whether they are verified (OpenID Connect Core 1.0 §5.1). */
const VERIFIABLE: ReadonlySet<string> = new Set(['email', 'phone_number'])

/** Some providers send the text "true" instead of the boolean. */
const isVerified = (claims: Claims, claim: string): boolean =>
  !VERIFIABLE.has(claim) || [true, 'true'].some((value) => claims[`${claim}_verified`] === value)

/**
 * Whether the person has more groups than fit in a token, so that the token contains a link instead (OpenID Connect
 * Core 1.0 §5.6.2).
 */
function isOverage(claims: Claims, claim: string): boolean {
  const distributed = claims._claim_names
  if (typeof distributed === 'object' && distributed !== null && claim in distributed) return true
  return claims.hasgroups === true && !(claim in claims)
}

/** Microsoft Graph by the host of the issuer: of the worldwide cloud and of the national clouds. */
const GRAPHS: ReadonlyMap<string, string> = new Map([
  ['login.microsoftonline.com', 'https://graph.microsoft.com/v1.0'],
  ['login.microsoftonline.us', 'https://graph.microsoft.us/v1.0'],
  ['login.partner.microsoftonline.cn', 'https://microsoftgraph.chinacloudapi.cn/v1.0'],
])

/** Bytes of a list of 11,000 ids, which Graph does not exceed. */
const LARGEST_LIST = 1_000_000

/**
 * Ids of all groups of the person, from Microsoft Graph. The link in the claims is not followed: it names an interface
 * that no longer exists, and a claim must not choose whom this service contacts. Throws LoginRefusal: without the list,
 * the person would lose every group, or keep one that has been revoked.
 */
async function groupsOfGraph(accessToken: string, { issuer, graph_url }: OidcConfig): Promise<ReadonlySet<string>> {
  const graph = graph_url ?? GRAPHS.get(new URL(issuer).hostname)
  try {
    if (graph === undefined) throw new Error('graph_url is not set')
    const response = await fetch(`${graph.replace(/\/$/, '')}/me/getMemberObjects`, {
      method: 'POST',
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT * 1000),
      headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ securityEnabledOnly: false }),
    })
    const text = await boundedText(response)
    if (!response.ok) throw new Error(`Microsoft Graph answered ${response.status}`)
    const document: unknown = JSON.parse(text)
    const ids = isJsonObject(document) ? document.value : undefined
    if (!Array.isArray(ids) || !ids.every((id) => typeof id === 'string'))
      throw new Error('Microsoft Graph sent no list')
    return new Set(ids)
  } catch (cause) {
    throw new LoginRefusal(
      'You are in more groups than the login provider sends, and they could not be read from it. Its administrator can limit the groups to those assigned to this application.',
      { cause },
    )
  }
}

async function boundedText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.length
    if (size > LARGEST_LIST) throw new Error('Microsoft Graph sent more than a list of groups')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

/** `cause`: for administrators, not for people who log in. */
const unreachable = (cause?: string): ApiError =>
  new ApiError({
    kind: 'unavailable',
    detail: `The login provider cannot be reached${cause === undefined ? '' : `: ${cause}`}.`,
  })

/** The innermost message: that of the library says only that the request failed. */
const causeOf = (error: unknown): string =>
  error instanceof Error
    ? error.cause === undefined
      ? error.message || error.name
      : causeOf(error.cause)
    : String(error)

// Loaded on demand: most services have no provider.
const library = () => import('openid-client')

async function discover({ issuer, client_id, client_secret: secret }: OidcConfig): Promise<Configuration> {
  const client = await library()
  const isPlain = issuer.startsWith('http:')
  return await client.discovery(
    new URL(issuer),
    client_id,
    undefined,
    secret === undefined
      ? client.None()
      : secretAuthentication(client.ClientSecretBasic(secret), client.ClientSecretPost(secret)),
    {
      timeout: TIMEOUT,
      // Plain http is allowed only for this machine. Signatures of ID tokens are verified although TLS identifies the
      // provider (OpenID Connect Core 1.0 §3.1.3.7): a proxy or a wrong address must not decide who people are.
      execute: [client.enableNonRepudiationChecks, ...(isPlain ? [client.allowInsecureRequests] : [])],
    },
  )
}

/** Method by which the provider wants the secret; by default in a header (OpenID Connect Discovery §3). */
const secretAuthentication =
  (basic: ClientAuth, post: ClientAuth): ClientAuth =>
  (server, ...parameters) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    return (methods.includes('client_secret_basic') ? basic : post)(server, ...parameters)
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
): Promise<TokenResponse> {
  const client = await library()
  try {
    const tokens = await client.authorizationCodeGrant(configuration, address, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    })
    const claims = tokens.claims()
    if (!claims) throw new LoginRefusal('The login provider did not say who you are.')
    // Many providers send groups and names only with the user info.
    const more =
      configuration.serverMetadata().userinfo_endpoint === undefined
        ? {}
        : await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
    return { claims: { ...claims, ...more, iss: claims.iss, sub: claims.sub }, accessToken: tokens.access_token }
  } catch (error) {
    if (error instanceof client.AuthorizationResponseError) {
      throw new LoginRefusal(`The login provider refused: ${error.error}.`, { cause: error })
    }
    if (error instanceof TypeError && !('code' in error)) throw unreachable()
    if (error instanceof client.ClientError && error.code === 'OAUTH_TIMEOUT') throw unreachable()
    throw new LoginRefusal('The response of the login provider could not be verified.', {
      cause: error,
    })
  }
}
