import { mayAct, permittedRows } from '../../identity/permitted-rows.ts'
import { oncePer } from '../../schema/once-per.ts'
import type { Registry } from '../../schema/registry.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import type { ApiRequest } from '../api-request.ts'
import type { Endpoint } from '../endpoint.ts'
import type { HttpResponse } from '../response.ts'
import { fieldsMetadata } from './field-metadata.ts'

/** A method whose body is described. */
type Described = 'PUT' | 'POST'

/** OPTIONS: media types of an endpoint, and the fields of a body for users who may send one. */
export async function options(request: ApiRequest, endpoint: Endpoint): Promise<HttpResponse> {
  const methods = await describedTo(request, endpoint)
  return { status: 200, body: textOf(request.service.registry, endpoint, methods) }
}

/** Responses of an endpoint by the methods that they describe. They depend only on this. */
const textsOf = oncePer((_endpoint: Endpoint) => new Map<string, Buffer>())

function textOf(registry: Registry, endpoint: Endpoint, methods: readonly Described[]): Buffer {
  const texts = textsOf(endpoint)
  const key = methods.join()
  const text = texts.get(key) ?? Buffer.from(JSON.stringify(metadataOf(registry, endpoint, methods)))
  texts.set(key, text)
  return text
}

function metadataOf(registry: Registry, { name, description, model }: Endpoint, methods: readonly Described[]) {
  const fields = model && methods.length > 0 ? fieldsMetadata(registry, model) : undefined
  return {
    name,
    description,
    renders: ['application/json', 'text/html'],
    parses: ['application/json', 'multipart/form-data'],
    ...(fields && { actions: Object.fromEntries(methods.map((method) => [method, fields])) }),
  }
}

/** The methods with a body that the sender may use here. */
async function describedTo(request: ApiRequest, { model, methods }: Endpoint): Promise<readonly Described[]> {
  const { actor, service, parameters } = request
  if (!model || (actor.kind === 'user' && !actor.writeEnabled && !actor.observing)) return []
  const described: Described[] = []
  if (methods.PUT && (await mayChange(request, model))) described.push('PUT')
  // The body of a POST to an object does not describe that object.
  if (methods.POST && parameters.length === 0 && mayAct(actor, 'add', model, service.settings)) {
    described.push('POST')
  }
  return described
}

/** Whether the sender may change objects of the model; on a detail path the object must exist too. */
async function mayChange(
  { actor, service, parameters }: ApiRequest,
  model: NonNullable<Endpoint['model']>,
): Promise<boolean> {
  if (!mayAct(actor, 'change', model, service.settings)) return false
  const [id] = parameters
  if (id === undefined) return true
  if (!/^\d{1,15}$/.test(id)) return false
  const permitted = permittedRows(actor, 'change', model, service.settings)
  const rows = await service.database.query(sql`
    select t.id from ${table(model)} t
    where t.id = ${id}::bigint ${permitted === 'all' ? sql`` : sql`and (${permitted})`}`)
  return rows.length > 0
}
