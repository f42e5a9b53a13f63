import { hash } from 'node:crypto'
import type { ApiVersion } from '../base/api-version.ts'
import type { Clock } from '../base/clock.ts'
import { ApiError } from '../base/errors.ts'
import type { Audit } from '../schema/audit.ts'
import { contains, type Interface, parseInterface } from '../schema/net/ip.ts'
import { SYSTEM } from '../schema/system-models.ts'
import type { Service } from '../service.ts'
import { type Sql, sql } from '../sql/fragment.ts'
import type { Queryable } from '../sql/queryable.ts'
import { table } from '../sql/table.ts'
import { type Actor, ANONYMOUS, type User } from './actor.ts'
import { parseClientAddress } from './client-address.ts'
import { type Credentials, readCredentials, unauthenticated } from './credentials.ts'
import type { ExternalUsers } from './external-account.ts'
import { ACTOR_CACHING, type Grants, loadGrants } from './grants.ts'
import type { LastUse } from './last-use.ts'
import { grantSources } from './load-user.ts'
import type { Providers } from './providers.ts'
import type { TokenVault } from './vault.ts'

/** Dependencies of authentication; created once at the start. */
export interface Authentication {
  readonly service: Service
  readonly vault: TokenVault
  readonly lastUse: LastUse
  readonly audit: Audit
  readonly providers: Providers
  readonly externalUsers: ExternalUsers
}

/** A token whose secret has been checked, as cached between requests. */
interface KnownToken {
  readonly id: number
  readonly user: User
  readonly isActive: boolean
  readonly isEnabled: boolean
  /** Milliseconds since 1970. */
  readonly expires: number | undefined
  /** Undefined: any address is allowed. */
  readonly allowed: readonly Interface[] | undefined
}

/**
 * The sender of a request. Throws `unauthenticated` for a token that is unknown, disabled, expired, bound to other
 * addresses, or whose user is inactive. `address` is the client's, undefined when unknown.
 */
export async function authenticate(
  authentication: Authentication,
  authorization: string | undefined,
  address: string | undefined,
): Promise<Actor> {
  let token: KnownToken | undefined
  try {
    const { providers, service } = authentication
    const user = await providers.issuers.authenticate(service, authorization)
    if (user) return user
    const credentials = readCredentials(authorization)
    if (!credentials) return ANONYMOUS
    token = await knownToken(authentication, credentials)
    requireUsable(token, address, authentication.service.clock)
  } catch (error) {
    if (error instanceof ApiError && error.reason.kind === 'unauthenticated') {
      const reason = error.message
      authentication.audit({ event: 'tokenRefused', reason, token: token?.id, address })
    }
    throw error
  }
  authentication.lastUse.note(token.id)
  return token.user
}

/** Checks in the order of NetBox (auth.md). */
function requireUsable(token: KnownToken, address: string | undefined, clock: Clock): void {
  if (token.allowed && !isAllowed(token.allowed, address)) {
    throw unauthenticated(`Requests with this token are not accepted from ${address ?? 'there'}.`)
  }
  if (!token.isEnabled) throw unauthenticated('The token is disabled.')
  if (token.expires !== undefined && token.expires <= clock.now()) {
    throw unauthenticated('The token has expired.')
  }
  if (!token.isActive) throw unauthenticated('The user of the token is inactive.')
}

/**
 * The token from the cache, so that a request costs no query. Failures are not cached: forged keys would fill the
 * cache.
 */
function knownToken(authentication: Authentication, credentials: Credentials): Promise<KnownToken> {
  const { cache } = authentication.service
  const key = hash('sha256', JSON.stringify(credentials))
  return cache.get(`token ${key}`, () => loadToken(authentication, credentials), ACTOR_CACHING)
}

interface TokenRow extends Record<string, unknown> {
  readonly id: number
  readonly pepper_id: number | null
  readonly digest: string | null
  readonly enabled: boolean
  readonly write_enabled: boolean
  readonly plans_only: boolean
  readonly observing: boolean
  readonly api_version: ApiVersion | null
  readonly branch_id: number | null
  readonly expires: string | null
  readonly last_used: string | null
  readonly allowed_ips: readonly string[] | null
  readonly user_id: number
  readonly username: string
  readonly is_superuser: boolean
  readonly is_active: boolean
}

/** Length of the keys of v1 tokens. */
const KEY_LENGTH = 40

/** NetBox's message, except for a bearer token that is not a v1 key: it was probably meant as a v2 token. */
const invalidToken = (credentials: Credentials): string =>
  credentials.version === 1 && credentials.scheme.toLowerCase() === 'bearer' && credentials.secret.length !== KEY_LENGTH
    ? 'Invalid token: a v2 token has the form "Bearer nbt_<key>.<token>", a v1 token the form "Token <token>"'
    : `Invalid v${credentials.version} token`

async function loadToken({ service, vault, lastUse }: Authentication, credentials: Credentials): Promise<KnownToken> {
  const row = await findRow(service.database, vault, credentials)
  if (!row) throw unauthenticated(invalidToken(credentials))
  lastUse.remember(row.id, row.last_used === null ? undefined : Date.parse(row.last_used))
  return {
    id: row.id,
    user: {
      kind: 'user',
      id: row.user_id,
      username: row.username,
      isSuperuser: row.is_superuser,
      tokenId: row.id,
      writeEnabled: row.write_enabled && !row.plans_only && !row.observing,
      ...(row.write_enabled && row.plans_only && { plansOnly: true }),
      ...(row.write_enabled && row.observing && { observing: true }),
      ...(row.api_version !== null && { apiVersion: row.api_version }),
      ...(row.branch_id !== null && { branchId: row.branch_id }),
      grants: await grantsOf(service, row),
    },
    isActive: row.is_active,
    isEnabled: row.enabled,
    expires: row.expires === null ? undefined : Date.parse(row.expires),
    allowed: networksOf(row.allowed_ips ?? []),
  }
}

const grantsOf = async (service: Service, row: TokenRow): Promise<Grants | undefined> =>
  row.is_superuser ? undefined : await loadGrants(service.database, row.user_id, grantSources(service))

async function findRow(
  database: Queryable,
  vault: TokenVault,
  credentials: Credentials,
): Promise<TokenRow | undefined> {
  const { version, secret } = credentials
  if (credentials.version === 1) {
    return await selectToken(database, sql`t.version = 1 and t.digest = any(${vault.digests(secret)}::text[])`)
  }
  const row = await selectToken(database, sql`t.version = ${version} and t.key = ${credentials.key}`)
  return row?.digest != null && vault.matches(secret, row.pepper_id, row.digest) ? row : undefined
}

const TOKENS = table(SYSTEM.token)

async function selectToken(database: Queryable, where: Sql): Promise<TokenRow | undefined> {
  const [row] = await database.query<TokenRow>(sql`
    select t.id, t.pepper_id, t.digest, t.enabled, t.write_enabled, t.plans_only, t.observing, t.api_version, t.branch_id, t.expires, t.last_used,
      t.allowed_ips, t.user_id, u.username, u.is_superuser, u.is_active
    from ${TOKENS} t join ${table(SYSTEM.user)} u on u.id = t.user_id
    where ${where}`)
  return row
}

/** Undefined: any address is allowed. A text that is not a network allows no address. */
function networksOf(texts: readonly string[]): readonly Interface[] | undefined {
  if (texts.length === 0) return undefined
  return texts.map(parseInterface).filter((network) => network !== undefined)
}

function isAllowed(allowed: readonly Interface[], address: string | undefined): boolean {
  const ip = parseClientAddress(address)
  return ip !== undefined && allowed.some((network) => contains(network, ip))
}
