import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** 256 bits in base64url, as `newSessionKey` makes them. */
const KEY = /^[\w-]{43}$/

/** What a browser proves its session with. Only its digest is stored. */
export const newSessionKey = (): string => randomBytes(32).toString('base64url')

export const isSessionKey = (text: string): boolean => KEY.test(text)

/** Without salt or cost: nobody guesses 256 bits. */
export const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/**
 * What forms of the session send back, to show that they come from pages of this service. It follows
 * from the key, so that it ends with the session and fits no other one; the key does not follow from it.
 */
export const csrfTokenOf = (sessionKey: string): string =>
  createHmac('sha256', sessionKey).update('csrf token').digest('base64url')

/** Whether the texts are the same; takes as long for wrong ones. */
export function isSameSecret(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}
