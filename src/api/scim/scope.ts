import type { ScimConfig } from '../../config/auth-providers.ts'
import type { Audit } from '../../schema/audit.ts'

/** The requesting provider, which sees only its own users and groups. */
export interface ScimScope {
  readonly config: ScimConfig
  readonly audit: Audit
  /** Address of the API: `https://…/scim/v2`. */
  readonly base: string
}
