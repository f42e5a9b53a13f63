import type { Audit } from '../../schema/audit.ts'
import type { Observer } from './observe.ts'

const FORBIDDEN = 403

/** Notes what users were not allowed to do. Who could not say who they are is noted where that failed. */
export const denials =
  (audit: Audit): Observer =>
  ({ status, user, id: request, method, url, address }) => {
    if (status !== FORBIDDEN || user === undefined) return
    const [path = ''] = url.split('?')
    audit({ event: 'permissionDenied', user, request, method, path, address })
  }
