/** Security events: logins, failed logins, and changes to users, tokens and permissions. */
export type AuditEvent =
  | ({
      readonly event: 'login'
      readonly user: string
      readonly way: 'password' | 'oidc' | 'saml' | 'ldap' | 'header'
      /** Name of the provider; absent for a password of this service. */
      readonly provider?: string
      readonly secondFactor?: 'code' | 'recoveryCode'
    } & Client)
  | ({ readonly event: 'secondFactorSet' | 'secondFactorRemoved'; readonly user: string } & Client)
  | ({ readonly event: 'loginFailed'; readonly reason: string; readonly provider?: string } & Client & Perhaps<'user'>)
  | ({ readonly event: 'logout'; readonly user: string } & Client)
  | ({
      readonly event: 'tokenRefused'
      readonly reason: string
      /** Id; undefined if no such token exists. */
      readonly token: number | undefined
    } & Client)
  | ({
      readonly event: 'permissionDenied'
      readonly request: string
      readonly method: string
      /** Without the query, which may contain secrets. */
      readonly path: string
    } & Client &
      Perhaps<'user'>)
  | ({ readonly event: ObjectEvent; readonly ids: readonly number[] } & Origin)
  | ({
      /** A saved permission that grants nothing on one of its object types. */
      readonly event: 'constraintsDoNotFit'
      /** Id of the permission. */
      readonly id: number
      readonly objectType: string
      readonly complaint: string
    } & Origin)
  | { readonly event: 'superuserMade'; readonly user: string }
  | ({
      /** A tool that an assistant called. */
      readonly event: 'agentCall'
      readonly tool: string
      readonly outcome: 'done' | 'refused'
      readonly user: string
      /** Id; undefined within a session. */
      readonly token: number | undefined
      readonly request: string
      readonly milliseconds: number
      /** Size of the result. */
      readonly bytes: number
    } & Client)

/** Effect of a committed write on users, tokens or group mappings, which are named by their ids. */
export type ObjectEvent =
  | 'userCreated'
  | 'userDeleted'
  | 'userActivated'
  | 'userDeactivated'
  | 'passwordChanged'
  | 'superuserGiven'
  | 'superuserTaken'
  | 'tokenCreated'
  | 'tokenChanged'
  | 'tokenDeleted'
  | 'groupMappingChanged'

interface Client {
  readonly address: string | undefined
}

/** Origin of a write. */
export interface Origin {
  /** Name of the user; empty for the service itself. */
  readonly by: string
  /** UUID of the request. */
  readonly request: string
}

type Perhaps<Name extends string> = { readonly [N in Name]: string | undefined }

/** Receiver of audit events. Must not throw. */
export type Audit = (event: AuditEvent) => void

/** Discards all events; for commands and tests. */
export const unaudited: Audit = () => undefined
