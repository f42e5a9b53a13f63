import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'

/** A new password of 20 characters: about 120 random bits, with the kinds of characters that the default policy wants. */
export function generatedPassword(): string {
  for (;;) {
    const password = randomBytes(15).toString('base64url')
    if (/\d/.test(password) && /[A-Z]/.test(password) && /[a-z]/.test(password)) return password
  }
}

/** Argon2id with OWASP's first recommended cost: 19 MiB, two passes. */
export const hashPassword = (password: string): Promise<string> => hash(password)

// Hash with which unknown users are checked, so that they take as long as a wrong password.
const nobodys = hash('nobody has this password')

/** True if the password matches the hash; `undefined` means a user who does not exist. */
export async function isPassword(password: string, hashed: string | undefined): Promise<boolean> {
  try {
    return (await verify(hashed ?? (await nobodys), password)) && hashed !== undefined
  } catch {
    // Not a hash: an imported user without a password. The timing must not reveal that either.
    await verify(await nobodys, password)
    return false
  }
}
