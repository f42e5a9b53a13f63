import type { ApiVersion } from '../base/api-version.ts'
import type { Grants } from './grants.ts'

/** The sender of a request: an authenticated user, or a client without credentials. */
export type Actor = User | Anonymous

export interface User {
  readonly kind: 'user'
  readonly id: number
  readonly username: string
  readonly isSuperuser: boolean
  /** Id of the token that authenticated the request, if one did. */
  readonly tokenId: number | undefined
  /** False for a read-only token, for the token of an agent, and for one that observes. */
  readonly writeEnabled: boolean
  /** The token is for an agent: it writes only by plans, in branches. */
  readonly plansOnly?: true
  /** The token observes: its writes are compared with the inventory. */
  readonly observing?: true
  /** The version of the API that the token is for; absent without one. */
  readonly apiVersion?: ApiVersion | undefined
  /** Id of the branch to which the token is bound; absent for a token for main. */
  readonly branchId?: number | undefined
  /** Permissions of the user; absent for superusers and for the service itself, who may do anything. */
  readonly grants?: Grants | undefined
}

interface Anonymous {
  readonly kind: 'anonymous'
}

export const ANONYMOUS: Anonymous = { kind: 'anonymous' }

/** The service itself, which may do everything: the author of changes that no user made. */
export const SERVICE_ACTOR: User = {
  kind: 'user',
  id: 0,
  username: '',
  isSuperuser: true,
  tokenId: undefined,
  writeEnabled: true,
}

/** Actions of permissions. Models may declare additional actions. */
export type PermissionAction = 'view' | 'add' | 'change' | 'delete' | (string & {})
