import type { Actor } from './actor.ts'
import { type Grants, grantKey } from './grants.ts'
import { PROPOSE, PROPOSED_ACTIONS } from './permitted-rows.ts'

/** The actor with the permissions that apply in a branch, where permission to propose is enough. */
export const actorInBranch = (actor: Actor): Actor =>
  actor.kind === 'user' && actor.grants ? { ...actor, grants: withProposals(actor.grants) } : actor

function withProposals(grants: Grants): Grants {
  const own = [...grants].filter(([key]) => key.startsWith(grantKey(PROPOSE, '')))
  if (own.length === 0) return grants
  const all = new Map(grants)
  for (const [key, constraints] of own) {
    const model = key.slice(grantKey(PROPOSE, '').length)
    for (const action of PROPOSED_ACTIONS) {
      const name = grantKey(action, model)
      all.set(name, [...(all.get(name) ?? []), ...constraints])
    }
  }
  return all
}
