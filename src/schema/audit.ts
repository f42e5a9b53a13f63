/** What is worth knowing afterwards about who got in, who did not, and what lets people in. */
export type AuditEvent =
  | ({ readonly event: 'login'; readonly user: string; readonly way: 'password' | 'oidc' } & Client)
  | ({ readonly event: 'loginFailed'; readonly reason: string } & Client & Perhaps<'user'>)
  | ({ readonly event: 'logout'; readonly user: string } & Client)
  | ({
      readonly event: 'tokenRefused'
      readonly reason: string
      /** Id; undefined where there is no such token. */
      readonly token: number | undefined
    } & Client)
  | ({
      readonly event: 'permissionDenied'
      readonly request: string
      readonly method: string
      /** Without the query, which may hold anything. */
      readonly path: string
    } & Client &
      Perhaps<'user'>)
  | ({ readonly event: ObjectEvent; readonly ids: readonly number[] } & Origin)
  | ({
      /** A permission was saved that grants nothing on one of its object types. */
      readonly event: 'constraintsDoNotFit'
      /** Of the permission. */
      readonly id: number
      readonly objectType: string
      readonly complaint: string
    } & Origin)
  | { readonly event: 'superuserMade'; readonly user: string }

/** What a committed write has done to users or tokens, which are named by their ids. */
export type ObjectEvent =
  | 'userCreated'
  | 'userDeleted'
  | 'userActivated'
  | 'userDeactivated'
  | 'passwordChanged'
  | 'tokenCreated'
  | 'tokenChanged'
  | 'tokenDeleted'

interface Client {
  readonly address: string | undefined
}

/** Whose write it was. */
export interface Origin {
  /** Name of the user; empty for the service itself. */
  readonly by: string
  /** UUID of the request. */
  readonly request: string
}

type Perhaps<Name extends string> = { readonly [N in Name]: string | undefined }

/** Where audit events go. Must not throw. */
export type Audit = (event: AuditEvent) => void

/** For commands and tests that nobody audits. */
export const unaudited: Audit = () => undefined
