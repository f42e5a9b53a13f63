import type { RegisteredModel } from '../registered-model.ts'
import { contact } from './contact.ts'
import { contactView } from './contact.view.ts'
import { contactAssignment } from './contact-assignment.ts'
import { contactAssignmentView } from './contact-assignment.view.ts'
import { contactGroup } from './contact-group.ts'
import { contactGroupView } from './contact-group.view.ts'
import { contactRole } from './contact-role.ts'
import { contactRoleView } from './contact-role.view.ts'
import { tenant } from './tenant.ts'
import { tenantView } from './tenant.view.ts'
import { tenantGroupBehaviour } from './tenant-group.rules.ts'
import { tenantGroup } from './tenant-group.ts'
import { tenantGroupView } from './tenant-group.view.ts'

/** Tenants and contacts. */
export const TENANCY: readonly RegisteredModel[] = [
  { model: contact, view: contactView },
  { model: contactAssignment, view: contactAssignmentView },
  { model: contactGroup, view: contactGroupView },
  { model: contactRole, view: contactRoleView },
  { model: tenant, view: tenantView },
  { model: tenantGroup, behaviour: tenantGroupBehaviour, view: tenantGroupView },
]
