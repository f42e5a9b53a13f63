import type { ApiRequest } from '../../api/api-request.ts'
import { forbidden } from '../../base/errors.ts'
import { requireUser } from '../../identity/require-user.ts'

/** Throws `unauthenticated` or `forbidden` unless the user is a superuser. */
export function requireSuperuser(request: ApiRequest): void {
  if (!requireUser(request).isSuperuser) throw forbidden()
}
