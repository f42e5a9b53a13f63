import { ApiError } from '../../base/errors.ts'
import type { AccountPolicy } from '../../config/auth-providers.ts'
import { SERVICE_ACTOR } from '../../identity/actor.ts'
import {
  type AccountWrites,
  type LocalUser,
  localUserOf,
  type Person,
  unusableName,
} from '../../identity/external-account.ts'
import type { Audit } from '../../schema/audit.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { Service } from '../../service.ts'
import type { WriteContext } from '../../write/context.ts'
import { createObjects } from '../../write/create-objects.ts'
import { runWrite } from '../../write/run.ts'
import { updateObjects } from '../../write/update-objects.ts'

/**
 * Local user of a person whom a provider has authenticated (identity/external-account.ts), created or updated in one
 * transaction. Throws LoginRefusal.
 */
export async function userOfPerson(
  service: Service,
  audit: Audit,
  person: Person,
  { policy, requestId }: { readonly policy: AccountPolicy; readonly requestId: string },
): Promise<LocalUser> {
  const { settings } = service
  try {
    return await runWrite(service, { actor: SERVICE_ACTOR, requestId }, (context) =>
      localUserOf({
        queryable: context.transaction,
        ...{ settings, policy, person },
        writes: accountWrites(context, audit),
      }),
    )
  } catch (error) {
    if (!(error instanceof ApiError) || error.reason.kind !== 'invalid') throw error
    throw unusableName(error.reason.messages)
  }
}

/** The writes of a login in a transaction of the write pipeline. */
export function accountWrites(context: WriteContext, audit: Audit): AccountWrites {
  const model = context.service.registry.model(SYSTEM.user)
  const create = async (body: Readonly<Record<string, unknown>>): Promise<number> => {
    const [id = 0] = await createObjects(context, model, [body], { bulk: false })
    return id
  }
  return {
    createUser: async (body, optional) => {
      try {
        return await create({ ...optional, ...body })
      } catch (error) {
        const refused = refusedFields(error)
        if (!refused.some((name) => name in optional)) throw error
        // The second attempt reports the other errors; the first one has stored nothing.
        const accepted = Object.entries(optional).filter(([name]) => !refused.includes(name))
        return await create({ ...Object.fromEntries(accepted), ...body })
      }
    },
    noteSuperuser: ({ id }, isSuperuser) => {
      const event = isSuperuser ? 'superuserGiven' : 'superuserTaken'
      const origin = { by: '', request: context.requestId }
      context.transaction.afterCommit(() => audit({ event, ids: [id], ...origin }))
    },
    createGroups: async (names) => {
      const bodies = names.map((name) => ({ name }))
      await createObjects(context, context.service.registry.model(SYSTEM.group), bodies, { bulk: true })
    },
    setGroups: async (id, groups) => {
      const target = { id, body: { groups } }
      await updateObjects(context, model, [target], { partial: true, bulk: false })
    },
  }
}

/** Names of the fields that a write refuses. */
const refusedFields = (error: unknown): readonly string[] =>
  error instanceof ApiError && error.reason.kind === 'invalid' ? Object.keys(error.reason.messages) : []
