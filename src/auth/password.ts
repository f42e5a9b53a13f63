import { hash, verify } from '@node-rs/argon2'

/** Argon2id with the cost that OWASP names first: 19 MiB, two passes. */
export const hashPassword = (password: string): Promise<string> => hash(password)

// Made once, so that a name that nobody has takes as long as a wrong password.
const nobodys = hash('nobody has this password')

/** Whether the password is the one behind the hash; `undefined` for a user that does not exist. */
export async function isPassword(password: string, hashed: string | undefined): Promise<boolean> {
  try {
    return (await verify(hashed ?? (await nobodys), password)) && hashed !== undefined
  } catch {
    // Not a hash: an imported user without a known password. That is not to be seen from outside either.
    await verify(await nobodys, password)
    return false
  }
}
