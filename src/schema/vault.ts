/** 1: one secret of 40 characters. 2: a public key and a secret. */
export type TokenVersion = 1 | 2

/** What is stored of an API token in place of its secret; names as the columns of users.token. */
export interface SealedToken {
  /** Public part of a version 2 token; null for version 1, whose only part is the secret. */
  readonly key: string | null
  /** Number of the pepper behind the digest; null for version 1, which is found by any of them. */
  readonly pepper_id: number | null
  /** Keyed digest of the secret, hexadecimal. */
  readonly digest: string
  /** The secret, encrypted under a key outside the database; null unless tokens may be retrieved. */
  readonly encrypted: string | null
  /** Last characters of a version 1 secret, for people to tell tokens apart. */
  readonly _ending: string
}

/** What rules need of secrets that must not lie in the database; auth/ has it. */
export interface Vault {
  /** A salted hash that tells nothing about the password. */
  hashPassword(password: string): Promise<string>
  sealToken(version: TokenVersion, secret: string): SealedToken
}
