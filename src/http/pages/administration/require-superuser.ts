import { requireUser } from '../../../auth/require-user.ts'
import { forbidden } from '../../../errors.ts'
import type { ApiRequest } from '../../api-request.ts'

/** Throws `unauthenticated` or `forbidden` for all others. */
export function requireSuperuser(request: ApiRequest): void {
  if (!requireUser(request).isSuperuser) throw forbidden()
}
