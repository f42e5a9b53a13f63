import type { ScimConfig } from '../../config/auth-providers.ts'
import type { Audit } from '../../schema/audit.ts'

/** The provider that asks, which sees its own users and groups only. */
export interface ScimScope {
  readonly config: ScimConfig
  readonly audit: Audit
  /** Address of the API: `https://…/scim/v2`. */
  readonly base: string
}
