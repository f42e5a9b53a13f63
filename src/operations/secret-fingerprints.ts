import { createHash } from 'node:crypto'
import type { Secrets } from '../config/secrets.ts'

/** Digits of a fingerprint: enough to tell secrets apart, too few to say anything about one. */
const LENGTH = 16

/** What tells by name whether two services have the same secrets, without telling the secrets. */
export function fingerprintsOf({ secretKey, peppers }: Secrets): Readonly<Record<string, string>> {
  const ofPeppers = [...peppers].map(([number, pepper]) => [
    `API_TOKEN_PEPPERS ${number}`,
    fingerprint(pepper),
  ])
  return Object.fromEntries([['SECRET_KEY', fingerprint(secretKey)], ...ofPeppers])
}

// Secrets have 50 characters of chance: no dictionary leads back to them.
const fingerprint = (secret: string): string =>
  createHash('sha256').update(`cadastre fingerprint\0${secret}`).digest('hex').slice(0, LENGTH)
