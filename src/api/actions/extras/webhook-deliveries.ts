import { currentTimestamp } from '../../../base/clock.ts'
import { requireUser } from '../../../identity/require-user.ts'
import { dataWithin } from '../../../read/serialise/read-source.ts'
import { SYSTEM } from '../../../schema/system-models.ts'
import { type Sql, sql } from '../../../sql/fragment.ts'
import { updateTable } from '../../../sql/table.ts'
import type { ApiRequest } from '../../api-request.ts'
import type { HttpResponse } from '../../response.ts'
import { type Action, schema } from '../action.ts'
import { objectResponse } from '../object-response.ts'
import { findTarget } from '../target.ts'

/** Changes one delivery by `assignments` if `condition` holds; responds with the resulting delivery. */
async function change(
  request: ApiRequest,
  { assignments, condition }: { readonly assignments: Sql; readonly condition: Sql },
): Promise<HttpResponse> {
  const { service, base } = request
  requireUser(request)
  const model = service.registry.model(SYSTEM.webhookDelivery)
  const { id } = await findTarget(request, model.name, { permission: 'change' })
  return await service.database.transaction(async (transaction) => {
    await transaction.execute(sql`
      ${updateTable(model, { rows: [id], columns: undefined })}
      set ${assignments} where id = ${id}::bigint and ${condition}`)
    return await objectResponse(dataWithin(service, transaction), { model: model.name, id, base })
  })
}

/** Sends the delivery again, with the same id and content, as if it were new. */
const replay = (request: ApiRequest): Promise<HttpResponse> =>
  change(request, {
    assignments: sql`status = 'queued', failures = 0, completed = null,
      next_attempt = ${currentTimestamp(request.service.clock)}::timestamptz`,
    condition: sql`true`,
  })

/** No further attempt is made; a finished delivery is left unchanged. */
const cancel = (request: ApiRequest): Promise<HttpResponse> =>
  change(request, {
    assignments: sql`status = 'canceled', next_attempt = null,
      completed = ${currentTimestamp(request.service.clock)}::timestamptz`,
    condition: sql`next_attempt is not null`,
  })

const changing = (name: string, summary: string, handle: (request: ApiRequest) => Promise<HttpResponse>): Action => ({
  path: `extras/webhook-deliveries/:id/${name}`,
  title: 'Webhook Delivery',
  methods: {
    POST: {
      permission: { change: SYSTEM.webhookDelivery },
      summary,
      answer: schema('WebhookDelivery'),
      handle,
    },
  },
})

export const webhookDeliveryActions: readonly Action[] = [
  changing('replay', 'Send a delivery again', replay),
  changing('cancel', 'Make no further attempts at a delivery', cancel),
]
