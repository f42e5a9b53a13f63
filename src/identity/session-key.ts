import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto'

/** 256 bits in base64url, as `newSessionKey` makes them. */
const KEY = /^[\w-]{43}$/

/** Secret of a session, held by the browser. Only its digest is stored. */
export const newSessionKey = (): string => randomBytes(32).toString('base64url')

export const isSessionKey = (text: string): boolean => KEY.test(text)

/** Without salt or cost: 256 random bits cannot be guessed. */
export const digestOf = (text: string): string => hash('sha256', text)

/**
 * CSRF token of a session, which its forms send back. It is derived from the key, so it ends with the session and fits
 * no other one; the key cannot be derived from it.
 */
export const csrfTokenOf = (sessionKey: string): string =>
  createHmac('sha256', sessionKey).update('csrf token').digest('base64url')

/** Compares the texts in constant time. */
export function isSameSecret(candidate: string, expected: string): boolean {
  const [left, right] = [Buffer.from(candidate), Buffer.from(expected)]
  return left.length === right.length && timingSafeEqual(left, right)
}
