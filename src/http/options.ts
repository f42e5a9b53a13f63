import { mayAct, restrict } from '../auth/restrict.ts'
import { identifier, sql } from '../sql/fragment.ts'
import { type Answer, json } from './answer.ts'
import type { ApiRequest } from './api-request.ts'
import type { Endpoint } from './endpoint.ts'
import { fieldsMetadata } from './field-metadata.ts'

/** OPTIONS: what an endpoint takes, and the fields of a body for those who may send one. */
export async function options(request: ApiRequest, endpoint: Endpoint): Promise<Answer> {
  const actions = await actionsOf(request, endpoint)
  return json(200, {
    name: endpoint.name,
    description: endpoint.description,
    renders: ['application/json', 'text/html'],
    parses: ['application/json', 'multipart/form-data'],
    ...(Object.keys(actions).length > 0 && { actions }),
  })
}

async function actionsOf(
  request: ApiRequest,
  { model, methods }: Endpoint,
): Promise<Record<string, unknown>> {
  const { actor, service, parameters } = request
  if (!model || (actor.kind === 'user' && !actor.writeEnabled)) return {}
  const actions: Record<string, unknown> = {}
  if (methods.PUT && (await mayChange(request, model))) {
    actions.PUT = fieldsMetadata(service.registry, model)
  }
  // What is posted to an object is not one.
  if (methods.POST && parameters.length === 0 && mayAct(actor, 'add', model, service.settings)) {
    actions.POST = fieldsMetadata(service.registry, model)
  }
  return actions
}

/** At a detail the object must be there too. */
async function mayChange(
  { actor, service, parameters }: ApiRequest,
  model: NonNullable<Endpoint['model']>,
): Promise<boolean> {
  if (!mayAct(actor, 'change', model, service.settings)) return false
  const [id] = parameters
  if (id === undefined) return true
  if (!/^\d{1,15}$/.test(id)) return false
  const scope = restrict(actor, 'change', model, service.settings)
  const rows = await service.database.query(sql`
    select t.id from ${identifier(model.table)} t
    where t.id = ${id}::bigint ${scope === 'all' ? sql`` : sql`and (${scope})`}`)
  return rows.length > 0
}
