/** Who asks: an authenticated user, or nobody. */
export type Actor = User | Anonymous

export interface User {
  readonly kind: 'user'
  readonly id: number
  readonly username: string
  readonly isSuperuser: boolean
  /** Id of the token that authenticated the request, if one did. */
  readonly tokenId: number | undefined
  /** False for a token that may only read. */
  readonly writeEnabled: boolean
}

export interface Anonymous {
  readonly kind: 'anonymous'
}

/** What a permission allows. Models may declare more. */
export type Action = 'view' | 'add' | 'change' | 'delete' | (string & {})
