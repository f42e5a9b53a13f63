import { SERVICE_ACTOR } from '../../auth/actor.ts'
import { type AccountWrites, type LocalUser, localUserOf } from '../../auth/oidc-account.ts'
import type { Claims } from '../../auth/oidc-provider.ts'
import { OidcRefusal } from '../../auth/oidc-refusal.ts'
import { ApiError } from '../../errors.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { Service } from '../../service.ts'
import type { WriteContext } from '../../write/context.ts'
import { createObjects } from '../../write/create-objects.ts'
import { runWrite } from '../../write/run.ts'
import { updateObjects } from '../../write/update-objects.ts'

/**
 * Local user for the provider's claims (auth/oidc-account.ts), created or updated in one transaction. Throws
 * OidcRefusal.
 */
export async function userOfClaims(
  service: Service,
  claims: Claims,
  requestId: string,
): Promise<LocalUser> {
  const { settings } = service
  try {
    return await runWrite(service, { actor: SERVICE_ACTOR, requestId }, (context) =>
      localUserOf({
        queryable: context.transaction,
        settings,
        claims,
        writes: accountWrites(context),
      }),
    )
  } catch (error) {
    if (!(error instanceof ApiError) || error.reason.kind !== 'invalid') throw error
    throw new OidcRefusal('The user name from the login provider cannot be used here.', {
      cause: error.reason.messages,
    })
  }
}

function accountWrites(context: WriteContext): AccountWrites {
  const model = context.service.registry.model(SYSTEM.user)
  return {
    createUser: async (body) => {
      const [id = 0] = await createObjects(context, model, [body], { bulk: false })
      return id
    },
    setGroups: async (id, groups) => {
      const target = { id, body: { groups } }
      await updateObjects(context, model, [target], { partial: true, bulk: false })
    },
  }
}
