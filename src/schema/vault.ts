/** 1: one secret of 40 characters. 2: a public key and a secret. */
export type TokenVersion = 1 | 2

/** Columns of users.token that replace the secret of an API token. */
export interface SealedToken {
  /** Public part of a version 2 token; null for version 1, whose only part is the secret. */
  readonly key: string | null
  /** Number of the pepper of the digest; null for version 1, which is checked with all peppers. */
  readonly pepper_id: number | null
  /** Keyed digest of the secret, hexadecimal. */
  readonly digest: string
  /** The secret, encrypted with a key outside the database; null unless tokens may be retrieved. */
  readonly encrypted: string | null
  /** Last characters of a version 1 secret, which identify the token to users. */
  readonly _ending: string
}

/** Handling of secrets that must not be stored in the database; implemented in identity/. */
export interface Vault {
  /** A salted hash from which the password cannot be derived. */
  hashPassword(password: string): Promise<string>
  sealToken(version: TokenVersion, secret: string): SealedToken
  /** The text encrypted with a key that is not in the database. */
  encryptText(text: string): string
}
