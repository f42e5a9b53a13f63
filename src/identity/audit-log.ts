import type { Audit, AuditEvent } from '../schema/audit.ts'

/** The part of a logger that an audit needs. */
interface Logger {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
}

/** Events that an administrator should look into; some of them matter only in large numbers. */
const SUSPICIOUS: ReadonlySet<AuditEvent['event']> = new Set([
  'loginFailed',
  'tokenRefused',
  'permissionDenied',
  'constraintsDoNotFit',
])

/** Writes each event as a line of the log, with the message `audit`. */
export const auditLog =
  (logger: Logger): Audit =>
  (event) =>
    logger[SUSPICIOUS.has(event.event) ? 'warn' : 'info'](event, 'audit')
