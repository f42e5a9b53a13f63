import { ApiError } from '../errors.ts'

/** What a request's Authorization header says. */
export type Credentials =
  | { readonly version: 1; readonly secret: string }
  | { readonly version: 2; readonly key: string; readonly secret: string }

const SCHEMES: ReadonlySet<string> = new Set(['token', 'bearer'])
const V2_PREFIX = 'nbt_'

/**
 * Reads `Token <key>` and `Bearer <key>`; the prefix `nbt_` tells version 2, whichever word stands
 * before. Undefined where there is no header, or one of another scheme. Throws `unauthenticated`.
 */
export function readCredentials(authorization: string | undefined): Credentials | undefined {
  const [scheme = '', token, ...more] = (authorization ?? '').trim().split(/\s+/)
  if (!SCHEMES.has(scheme.toLowerCase())) return undefined
  if (token === undefined)
    throw unauthenticated('The token is missing from the Authorization header.')
  if (more.length > 0) throw unauthenticated('A token must not contain blanks.')
  if (!token.startsWith(V2_PREFIX)) return { version: 1, secret: token }
  const point = token.indexOf('.')
  if (point < 0)
    throw unauthenticated('A version 2 token is a key and a secret with a point between.')
  return {
    version: 2,
    key: token.slice(V2_PREFIX.length, point),
    secret: token.slice(point + 1),
  }
}

export const unauthenticated = (detail: string): ApiError =>
  new ApiError({ kind: 'unauthenticated', detail })
