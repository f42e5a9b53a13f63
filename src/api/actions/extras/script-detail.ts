import { ApiError } from '../../../base/errors.ts'
import { rowSecurityOf } from '../../../identity/permitted-rows.ts'
import { applyRowSecurity } from '../../../read/query/row-security.ts'
import { projectionOf } from '../../../read/serialise/projection.ts'
import { fetchObjects } from '../../../read/serialise/read-objects.ts'
import { committedData } from '../../../read/serialise/read-source.ts'
import { isJsonObject, type Json, parseJson } from '../../../schema/json.ts'
import { sql } from '../../../sql/fragment.ts'
import { table } from '../../../sql/table.ts'
import type { ApiRequest } from '../../api-request.ts'
import type { HttpResponse } from '../../response.ts'
import { findTarget } from '../target.ts'

const SCRIPT = 'extras.script'

/** The `result` of a script without a job. */
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

/** GET of one script: always with all fields and the complete last job. */
export async function scriptDetail(request: ApiRequest): Promise<HttpResponse> {
  // Only ids are supported in this path.
  if (!/^-?\d+$/.test(request.parameters[0] ?? '')) {
    throw new ApiError({ kind: 'notFound', detail: 'Not found.' })
  }
  const { id } = await findTarget(request, SCRIPT)
  const script = await readWhole(request, SCRIPT, id)
  if (!isJsonObject(script)) throw new Error(`${SCRIPT} ${id} has no text`)
  const result = (await lastJob(request, id)) ?? NEVER_RAN
  return { status: 200, body: JSON.stringify({ ...script, result }) }
}

/** The script's last job; undefined if there is none that the user may view. */
async function lastJob(request: ApiRequest, scriptId: number): Promise<Json | undefined> {
  const { service, actor } = request
  const statement = sql`
    select j.id from ${table('core.job')} j
    where j.object_type = ${SCRIPT} and j.object_id = ${scriptId}::bigint
    order by j.created desc limit 1`
  const security = rowSecurityOf(actor, service.registry, service.settings)
  const [latest] = await service.database.query<{ id: number }>(applyRowSecurity(security, statement))
  return latest && (await readWhole(request, 'core.job', latest.id))
}

/** The object with all fields; undefined if there is none. */
async function readWhole({ service, base }: ApiRequest, name: string, id: number): Promise<Json | undefined> {
  const model = service.registry.model(name)
  const projection = projectionOf(service, model, { brief: false, excludeContext: false })
  const text = (await fetchObjects(committedData(service), [id], projection, base)).get(id)
  return text === undefined ? undefined : (parseJson(text) as Json) // a JSON column
}
