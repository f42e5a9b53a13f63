import type { Audit } from '../../schema/audit.ts'
import type { Observer } from './observe.ts'

const FORBIDDEN = 403

/** Records denied requests of users in the audit log. Failed authentication is recorded where it happens. */
export const denials =
  (audit: Audit): Observer =>
  ({ status, user, id: request, method, url, address }) => {
    if (status !== FORBIDDEN || user === undefined) return
    const [path = ''] = url.split('?')
    audit({ event: 'permissionDenied', user, request, method, path, address })
  }
