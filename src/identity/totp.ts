import { createHmac, randomBytes } from 'node:crypto'
import { isSameSecret } from './session-key.ts'

/** RFC 4648 §6. */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
/** RFC 4226 §4 recommends 160 bits. */
const SECRET_BYTES = 20
const DIGITS = 6
/** Seconds for which a code is shown. */
const PERIOD = 30
/** Steps before and after the current one, for clock differences (RFC 6238 §5.2). */
const SKEW = 1

/** A new secret, as people type it into an application: 32 letters and digits. */
export const newTotpSecret = (): string => base32(randomBytes(SECRET_BYTES))

/** Random bytes as letters and digits that people can type. */
export function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{5}/g) ?? []).map((bitGroup) => ALPHABET[Number.parseInt(bitGroup, 2)]).join('')
}

function bytesOf(secret: string): Buffer {
  const bits = [...secret].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

/** The code of a step of 30 seconds since 1970 (RFC 6238 §4, RFC 4226 §5.3). */
export function totpCode(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const digest = createHmac('sha1', bytesOf(secret)).update(counter).digest()
  const offset = (digest.at(-1) ?? 0) & 0x0f
  const number = (digest.readUInt32BE(offset) & 0x7fffffff) % 10 ** DIGITS
  return String(number).padStart(DIGITS, '0')
}

/** The step of this code, at `now` milliseconds; undefined if there is none. */
export function matchingStep(secret: string, code: string, now: number): number | undefined {
  const current = Math.floor(now / 1000 / PERIOD)
  const steps = Array.from({ length: 2 * SKEW + 1 }, (_, index) => current - SKEW + index)
  // All codes are compared, so that the time does not reveal which one is close.
  return steps.filter((step) => isSameSecret(code, totpCode(secret, step))).at(-1)
}

/** The URL that applications read from a QR code. */
export const totpAddress = (secret: string, username: string, issuer: string): string =>
  `otpauth://totp/${encodeURIComponent(issuer)}:${encodeURIComponent(username)}?${new URLSearchParams({ secret, issuer, digits: String(DIGITS), period: String(PERIOD) })}`
