import type { PendingLogin } from '../../auth/oidc-provider.ts'
import { isJsonObject } from '../../schema/json.ts'
import { type CookieRequest, readCookie, setCookie } from './cookies.ts'

/** A login that has been begun at the provider, and where it leads. */
export interface PendingVisit extends PendingLogin {
  /** Not to be trusted: the browser has kept it. */
  readonly next: string | undefined
}

const COOKIE = 'oidc_login'
/** Seconds that a person has for the provider's own pages. */
const MAX_AGE = 600

/** Browsers keep no cookie of more than 4,096 bytes: where a longer path leads is forgotten. */
const LONGEST_NEXT = 2_000

/** Header that has the browser keep it. Whoever reads it there could as well read the session's cookie. */
export function pendingCookie(
  request: CookieRequest,
  { next = '', ...visit }: PendingVisit,
): string {
  const kept = next.length > LONGEST_NEXT ? visit : { ...visit, next }
  const value = Buffer.from(JSON.stringify(kept)).toString('base64url')
  return setCookie(request, COOKIE, value, { httpOnly: true, maxAge: MAX_AGE })
}

/** Header that takes it away again: it serves once. */
export const noPendingCookie = (request: CookieRequest): string =>
  setCookie(request, COOKIE, '', { httpOnly: true, maxAge: 0 })

/** What the browser has kept; undefined where that is nothing, or nothing of ours. */
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
