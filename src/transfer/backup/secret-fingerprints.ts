import { createHash } from 'node:crypto'
import type { Secrets } from '../../config/secrets.ts'

/** Digits of a fingerprint: enough to distinguish secrets, too few to reveal anything about one. */
const LENGTH = 16

/** Fingerprints by name, which show whether two services have the same secrets without revealing them. */
export function fingerprintsOf({ secretKey, peppers }: Secrets): Readonly<Record<string, string>> {
  const ofPeppers = [...peppers].map(([number, pepper]) => [`API_TOKEN_PEPPERS ${number}`, fingerprint(pepper)])
  return Object.fromEntries([['SECRET_KEY', fingerprint(secretKey)], ...ofPeppers])
}

// A secret has 50 random characters: no dictionary attack leads back to it.
const fingerprint = (secret: string): string =>
  createHash('sha256').update(`cadastre fingerprint\0${secret}`).digest('hex').slice(0, LENGTH)
