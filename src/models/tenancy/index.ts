import type { RegisteredModel } from '../../schema/view.ts'
import { contactModel } from './contact.ts'
import { contactAssignmentModel } from './contact-assignment.ts'
import { contactGroupModel } from './contact-group.ts'
import { contactRoleModel } from './contact-role.ts'
import { tenantModel } from './tenant.ts'
import { tenantGroupModel } from './tenant-group.ts'

/** Tenants and contacts. */
export const TENANCY: readonly RegisteredModel[] = [
  contactModel,
  contactAssignmentModel,
  contactGroupModel,
  contactRoleModel,
  tenantModel,
  tenantGroupModel,
]
