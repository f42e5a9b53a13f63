import { type CookieRequest, readCookie, setCookie } from '../../api/sessions/cookies.ts'
import type { PendingLogin } from '../../identity/oidc-provider.ts'
import { isJsonObject } from '../../schema/json.ts'

/** A login that has started at the provider, and its target. */
export interface PendingVisit extends PendingLogin {
  /** Not trusted: it comes from a cookie. */
  readonly next: string | undefined
}

const COOKIE = 'oidc_login'
/** Seconds that a person has for the provider's pages. */
const MAX_AGE = 600

/** Browsers drop cookies of more than 4,096 bytes, so a longer target is dropped instead. */
const LONGEST_NEXT = 2_000

/**
 * Header that stores the pending login in a cookie. An attacker who can read it could read the session cookie as
 * well.
 */
export function pendingCookie(
  request: CookieRequest,
  { next = '', ...visit }: PendingVisit,
): string {
  const kept = next.length > LONGEST_NEXT ? visit : { ...visit, next }
  const value = Buffer.from(JSON.stringify(kept)).toString('base64url')
  return setCookie(request, COOKIE, value, { httpOnly: true, maxAge: MAX_AGE })
}

/** Header that deletes the cookie: it can be used once. */
export const noPendingCookie = (request: CookieRequest): string =>
  setCookie(request, COOKIE, '', { httpOnly: true, maxAge: 0 })

/** The pending login of the browser; undefined where the cookie is absent or invalid. */
export function pendingOf(request: CookieRequest): PendingVisit | undefined {
  const kept = parse(readCookie(request, COOKIE) ?? '')
  if (!isJsonObject(kept)) return undefined
  const { state, nonce, verifier, next } = kept
  if (typeof state !== 'string' || typeof nonce !== 'string') return undefined
  if (typeof verifier !== 'string') return undefined
  return { state, nonce, verifier, next: typeof next === 'string' ? next : undefined }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    return undefined
  }
}
