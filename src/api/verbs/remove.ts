import { requireUser } from '../../identity/require-user.ts'
import type { Model } from '../../schema/registry.ts'
import { bulkDeleteTargets, type DeleteTarget, deletionMessage, REFUSES_UNKNOWN } from '../../write/parse/bulk.ts'
import { deleteObjects } from '../../write/remove/delete-objects.ts'
import { runWrite } from '../../write/run.ts'
import { writeRequestOf } from '../../write/write-request.ts'
import type { ApiRequest } from '../api-request.ts'
import type { HttpResponse } from '../response.ts'
import { preconditionOf } from '../transport/etag.ts'
import { objectId } from './object-id.ts'

/** DELETE of one object; a body may contain a message for the change record. */
export async function remove(request: ApiRequest, model: Model): Promise<HttpResponse> {
  const id = objectId(request, model)
  const message = deletionMessage(await request.body.read())
  return await removeAll(request, model, [{ id, message }], false)
}

/** DELETE of a list of objects, all or none. Ids that do not exist are ignored. */
export async function removeMany(request: ApiRequest, model: Model): Promise<HttpResponse> {
  return await removeAll(request, model, bulkDeleteTargets(await request.body.read()), true)
}

async function removeAll(
  request: ApiRequest,
  model: Model,
  targets: readonly DeleteTarget[],
  bulk: boolean,
): Promise<HttpResponse> {
  const actor = requireUser(request)
  const refusesUnknown = bulk && REFUSES_UNKNOWN[request.service.registry.version]
  const precondition = preconditionOf(model, request)
  return await runWrite(request.service, writeRequestOf(request, actor), async (context) => {
    await deleteObjects(context, model, targets, { bulk, refusesUnknown, precondition })
    return { status: 204 }
  })
}
