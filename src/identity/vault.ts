import { createCipheriv, createDecipheriv, createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import type { Secrets } from '../config/secrets.ts'
import type { SealedToken, TokenVersion, Vault } from '../schema/vault.ts'
import { hashPassword } from './password.ts'

const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const KEY_LENGTH = 12
const SECRET_LENGTH = 40
const ENDING_LENGTH = 6
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** A new secret: 160 bits in hexadecimal for version 1, more for version 2. */
export const generateSecret = (version: TokenVersion): string =>
  version === 1 ? randomBytes(SECRET_LENGTH / 2).toString('hex') : randomText(SECRET_LENGTH)

const randomText = (length: number): string =>
  Array.from({ length }, () => ALPHANUMERIC[randomInt(ALPHANUMERIC.length)]).join('')

/** The vault with operations that only authentication needs. */
export interface TokenVault extends Vault {
  /** Digests of a version 1 secret under every pepper: one of them is stored if the token exists. */
  digests(secret: string): readonly string[]
  /** True if the secret matches the digest; compared in constant time. */
  matches(secret: string, pepperId: number | null, digest: string): boolean
  /** The decrypted text; undefined if it was encrypted with another key. */
  reveal(encrypted: string): string | undefined
  /** Keyed digest of a text that must not be stored but has to be compared, equal on every node. */
  fingerprint(text: string): string
}

/**
 * A vault with the secrets of the configuration. Encrypted copies are made only if the configuration allows tokens to
 * be retrieved.
 */
export function createVault(secrets: Secrets, isRetrievable: boolean): TokenVault {
  const newest = Math.max(...secrets.peppers.keys())
  const digestWith = (pepperId: number, secret: string): string =>
    createHmac('sha256', secrets.peppers.get(pepperId) ?? '')
      .update(secret)
      .digest('hex')
  return {
    hashPassword,
    sealToken: (version, secret): SealedToken => ({
      key: version === 1 ? null : randomText(KEY_LENGTH),
      pepper_id: version === 1 ? null : newest,
      digest: digestWith(newest, secret),
      encrypted: isRetrievable ? encrypt(secrets.encryptionKey, secret) : null,
      _ending: version === 1 ? secret.slice(-ENDING_LENGTH) : '',
    }),
    digests: (secret) => [...secrets.peppers.keys()].map((id) => digestWith(id, secret)),
    matches: (secret, pepperId, digest) => {
      if (pepperId === null || !secrets.peppers.has(pepperId)) return false
      const [candidate, stored] = [Buffer.from(digestWith(pepperId, secret)), Buffer.from(digest)]
      return candidate.length === stored.length && timingSafeEqual(candidate, stored)
    },
    encryptText: (text) => encrypt(secrets.encryptionKey, text),
    reveal: (encrypted) => decrypt(secrets.encryptionKey, encrypted),
    // The space separates it from digests of tokens, whose secrets contain none.
    fingerprint: (text) => digestWith(newest, `fingerprint ${text}`),
  }
}

/** AES-256-GCM; base64 of nonce, tag and ciphertext. */
function encrypt(key: Uint8Array, text: string): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64')
}

function decrypt(key: Uint8Array, encrypted: string): string | undefined {
  try {
    const bytes = Buffer.from(encrypted, 'base64')
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES))
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
    const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES))
    return Buffer.concat([text, decipher.final()]).toString('utf8')
  } catch {
    // Another key, or damaged data: the secret is lost either way.
    return undefined
  }
}
