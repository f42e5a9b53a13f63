import type { JWTPayload, JWTVerifyGetKey } from 'jose'
import { ApiError } from '../base/errors.ts'
import type { JwtConfig } from '../config/auth-providers.ts'
import { isJsonObject } from '../schema/json.ts'
import { SYSTEM } from '../schema/system-models.ts'
import type { Service } from '../service.ts'
import { sql } from '../sql/fragment.ts'
import { table } from '../sql/table.ts'
import type { User } from './actor.ts'
import { unauthenticated } from './credentials.ts'
import { ACTOR_CACHING } from './grants.ts'
import { loadUser } from './load-user.ts'

/** Issuers whose signed tokens (RFC 7519) identify users: pipelines and clusters, which then need no stored secret. */
export interface JwtIssuers {
  /** The user of the token; undefined if `authorization` has none, or no issuer is configured. Throws `unauthenticated`. */
  authenticate(service: Service, authorization: string | undefined): Promise<User | undefined>
  /** Fetches the keys of each issuer; one sentence for each failure. */
  check(): Promise<readonly string[]>
}

/**
 * Signatures by private keys. Shared secrets (HS256) and `none` would let anyone sign tokens who knows a public key.
 */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']
/** Seconds of tolerance between clocks. */
const CLOCK_TOLERANCE = 30
/** An older token is refused, whatever expiry it contains. */
const MAX_AGE = '24h'
const TIMEOUT = 5_000

const JWT = /^bearer\s+(ey[\w-]+\.[\w-]+\.[\w-]*)$/i

/** The configured issuers. Their keys are fetched with the first token, and again for an unknown key. */
export function jwtIssuers(configs: readonly JwtConfig[]): JwtIssuers {
  const issuers = [...new Set(configs.map(({ issuer }) => issuer))]
  const keys = new Map<string, Promise<JWTVerifyGetKey>>()
  const keysOf = async (issuer: string): Promise<JWTVerifyGetKey> => {
    const cached = keys.get(issuer)
    if (cached) return await cached
    const fetched = fetchKeys(issuer, configs.find((config) => config.issuer === issuer && config.jwks_uri)?.jwks_uri)
    keys.set(issuer, fetched)
    // The next token tries again.
    fetched.catch(() => keys.delete(issuer))
    return await fetched
  }
  return {
    authenticate: async (service, authorization) => {
      const token = JWT.exec(authorization?.trim() ?? '')?.[1]
      if (token === undefined || configs.length === 0) return undefined
      const { decodeJwt } = await import('jose')
      const issuer = claimed(() => decodeJwt(token).iss)
      // Before any request: a token must not decide where keys are fetched.
      if (issuer === undefined || !issuers.includes(issuer))
        throw unauthenticated('The issuer of the token is unknown.')
      const payload = await verify(service, token, issuer, await keysOf(issuer))
      const config = configs.find((candidate) => candidate.issuer === issuer && fits(candidate, payload))
      if (!config) throw unauthenticated('No user is configured for the claims of the token.')
      return await userNamed(service, config)
    },
    check: async () => {
      const failures: string[] = []
      for (const issuer of issuers) {
        await keysOf(issuer).catch((error: unknown) =>
          failures.push(`${issuer}: ${error instanceof Error ? error.message : String(error)}`),
        )
      }
      return failures
    },
  }
}

function claimed(read: () => string | undefined): string | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

async function fetchKeys(issuer: string, configured: string | undefined): Promise<JWTVerifyGetKey> {
  const { createRemoteJWKSet } = await import('jose')
  const address = configured ?? (await discover(issuer))
  return createRemoteJWKSet(new URL(address), { timeoutDuration: TIMEOUT })
}

/** Address of the keys (OpenID Connect Discovery 1.0 §4). */
async function discover(issuer: string): Promise<string> {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const metadata: unknown = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT), redirect: 'error' })
    .then((response) => response.json())
    .catch(() => undefined)
  if (!isJsonObject(metadata) || metadata.issuer !== issuer || typeof metadata.jwks_uri !== 'string') {
    throw new ApiError({ kind: 'unavailable', detail: 'The issuer of the token cannot be reached.' })
  }
  return metadata.jwks_uri
}

async function verify(service: Service, token: string, issuer: string, keys: JWTVerifyGetKey): Promise<JWTPayload> {
  const { errors, jwtVerify } = await import('jose')
  try {
    const { payload } = await jwtVerify(token, keys, {
      ...{ issuer, algorithms: ALGORITHMS, clockTolerance: CLOCK_TOLERANCE, maxTokenAge: MAX_AGE },
      requiredClaims: ['exp', 'iat', 'aud'],
      currentDate: new Date(service.clock.now()),
    })
    return payload
  } catch (error) {
    if (error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout)) {
      throw unauthenticated(`The token of ${issuer} was refused: ${error.message}.`)
    }
    throw new ApiError({ kind: 'unavailable', detail: 'The issuer of the token cannot be reached.' })
  }
}

/** Whether the token is meant for this service and has all claims that the configuration requires. */
const fits = ({ audience, claims }: JwtConfig, payload: JWTPayload): boolean =>
  [payload.aud].flat().includes(audience) &&
  Object.entries(claims).every(([name, value]) => Object.hasOwn(payload, name) && payload[name] === value)

async function userNamed(service: Service, { user: name, read_only }: JwtConfig): Promise<User> {
  const user = await service.cache.get(`user of a JWT ${name}`, () => loadNamed(service, name), ACTOR_CACHING)
  if (!user) throw unauthenticated('The user of the token does not exist, or is inactive.')
  return { ...user, writeEnabled: !read_only }
}

async function loadNamed(service: Service, name: string): Promise<User | undefined> {
  const [row] = await service.database.query<{ id: number; username: string; is_superuser: boolean }>(sql`
    select id, username, is_superuser from ${table(SYSTEM.user)} where username = ${name} and is_active`)
  return row && (await loadUser(service, row))
}
