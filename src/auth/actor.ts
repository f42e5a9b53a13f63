import type { Grants } from './grants.ts'

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
  /** What the user may do; absent for superusers and for the service itself, who may do anything. */
  readonly grants?: Grants | undefined
}

export interface Anonymous {
  readonly kind: 'anonymous'
}

/** What a permission allows. Models may declare more. */
export type PermissionAction = 'view' | 'add' | 'change' | 'delete' | (string & {})
