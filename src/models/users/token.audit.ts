import type { Audit } from '../../schema/audit.ts'
import type { EffectFunction } from '../../schema/rule.ts'
import type { token } from './token.ts'

const EVENTS = {
  create: 'tokenCreated',
  update: 'tokenChanged',
  delete: 'tokenDeleted',
  restore: 'tokenCreated',
} as const

/** Reports to the audit log which tokens became valid and which became invalid. */
export const auditTokens =
  (audit: Audit): EffectFunction<typeof token.fields> =>
  async ({ action, rows, origin, afterCommit }) => {
    const ids = rows.map(({ next, previous }) => (next ?? previous)?.id ?? 0)
    afterCommit(() => audit({ event: EVENTS[action], ids, ...origin }))
  }
