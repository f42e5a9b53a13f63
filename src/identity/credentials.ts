import { ApiError } from '../base/errors.ts'

/** Credentials of a request's Authorization header. */
export type Credentials =
  | { readonly version: 1; readonly secret: string; readonly scheme: string }
  | { readonly version: 2; readonly key: string; readonly secret: string }

const SCHEMES: ReadonlySet<string> = new Set(['token', 'bearer'])
const V2_PREFIX = 'nbt_'

/**
 * Reads `Token <key>` and `Bearer <key>`; a key with the prefix `nbt_` is version 2 under either scheme. Undefined if
 * there is no header, or if it has another scheme. Throws `unauthenticated`.
 */
export function readCredentials(authorization: string | undefined): Credentials | undefined {
  const [scheme = '', token, ...more] = (authorization ?? '').trim().split(/\s+/)
  if (!SCHEMES.has(scheme.toLowerCase())) return undefined
  if (token === undefined || more.length > 0) throw malformed()
  if (!token.startsWith(V2_PREFIX)) return { version: 1, secret: token, scheme }
  const point = token.indexOf('.')
  if (point < 0) throw malformed()
  return {
    version: 2,
    key: token.slice(V2_PREFIX.length, point),
    secret: token.slice(point + 1),
  }
}

const malformed = () =>
  unauthenticated('Invalid authorization header: Must be in the form "Bearer <key>.<token>" or "Token <token>"')

export const unauthenticated = (detail: string): ApiError => new ApiError({ kind: 'unauthenticated', detail })
