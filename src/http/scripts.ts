import { restrict, sightOf } from '../auth/restrict.ts'
import { projectionOf } from '../output/projection.ts'
import { fetchObjects } from '../output/read-objects.ts'
import { withinSight } from '../query/within-sight.ts'
import { isJsonObject } from '../schema/json.ts'
import type { Model } from '../schema/registry.ts'
import { sql } from '../sql/fragment.ts'
import { table } from '../sql/table.ts'
import type { ApiRequest } from './api-request.ts'
import { type HttpResponse, jsonResponse } from './response.ts'
import { noSuchObject, objectId } from './verbs/object-id.ts'
import { readEtag, readObject } from './verbs/read-object.ts'

const WHOLE = { brief: false, excludeContext: false }

/** What stands for the last job of a script that never ran. */
const NEVER_RAN = {
  object_id: null,
  name: '',
  scheduled: null,
  interval: null,
  started: null,
  completed: null,
  data: null,
  job_id: null,
  queue_name: '',
  log_entries: [],
}

/** GET of one script: always whole, and with all that its last job left. */
export async function scriptDetail(request: ApiRequest, model: Model): Promise<HttpResponse> {
  const { service, actor, base } = request
  const scope = restrict(actor, 'view', model, service.settings)
  const id = objectId(request, model)
  const projection = projectionOf(service, model, WHOLE)
  const version = await readEtag(service, projection, { id, scope, base })
  const found = version && (await readObject(service, service.database, projection, { id, base }))
  if (!found) throw noSuchObject(model)
  const script: unknown = JSON.parse(found.json.toString())
  if (!isJsonObject(script)) throw new Error(`${model.name} ${id} is shown as no object`)
  return jsonResponse(200, { ...script, result: (await lastJob(request, model, id)) ?? NEVER_RAN })
}

/** The last job, if the sender may see it. */
async function lastJob(
  { service, actor, base }: ApiRequest,
  model: Model,
  id: number,
): Promise<unknown> {
  const { database, registry } = service
  const statement = sql`
    select j.id from ${table('core.job')} j
    where j.object_type = ${model.name} and j.object_id = ${id}::bigint
    order by j.created desc limit 1`
  const sight = sightOf(actor, registry, service.settings)
  const [latest] = await database.query<{ id: number }>(withinSight(sight, statement))
  if (!latest) return undefined
  const projection = projectionOf(service, registry.model('core.job'), WHOLE)
  const text = (await fetchObjects(service, database, [latest.id], projection, base)).get(latest.id)
  return text === undefined ? undefined : JSON.parse(text)
}
