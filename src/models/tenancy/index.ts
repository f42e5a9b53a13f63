import type { RegisteredModel } from '../registered-model.ts'
import { contact, contactView } from './contact.ts'
import { contactAssignment, contactAssignmentView } from './contact-assignment.ts'
import { contactGroup, contactGroupView } from './contact-group.ts'
import { contactRole, contactRoleView } from './contact-role.ts'
import { tenant, tenantView } from './tenant.ts'
import { tenantGroup, tenantGroupBehaviour, tenantGroupView } from './tenant-group.ts'

/** Tenants and contacts. */
export const TENANCY: readonly RegisteredModel[] = [
  { model: contact, view: contactView },
  { model: contactAssignment, view: contactAssignmentView },
  { model: contactGroup, view: contactGroupView },
  { model: contactRole, view: contactRoleView },
  { model: tenant, view: tenantView },
  { model: tenantGroup, behaviour: tenantGroupBehaviour, view: tenantGroupView },
]
