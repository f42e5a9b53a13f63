import { hasWorkers } from '../../../automation/jobs/live-workers.ts'
import { checkPythonData } from '../../../automation/scripts/check-python-data.ts'
import type { ScriptDeclaration } from '../../../automation/scripts/declaration.ts'
import { enqueueScript } from '../../../automation/scripts/enqueue-script.ts'
import { requestedDeclaration } from '../../../automation/scripts/script-location.ts'
import { ApiError, invalid } from '../../../base/errors.ts'
import { mayAct, permittedRowsOrNone } from '../../../identity/permitted-rows.ts'
import { requireUser } from '../../../identity/require-user.ts'
import type { Json, JsonObject } from '../../../schema/json.ts'
import { SYSTEM } from '../../../schema/system-models.ts'
import { unescaped } from '../../../schema/unescaped.ts'
import { UploadedFile } from '../../../schema/uploaded-file.ts'
import { mainOf } from '../../../service.ts'
import { sql } from '../../../sql/fragment.ts'
import { table } from '../../../sql/table.ts'
import type { ApiRequest } from '../../api-request.ts'
import type { HttpResponse } from '../../response.ts'
import { noSuchObject } from '../../verbs/object-id.ts'
import { type Action, type ActionOperation, schema } from '../action.ts'
import { findTarget } from '../target.ts'
import { scriptDetail } from './script-detail.ts'
import { scriptInput } from './script-input.ts'
import { addModule, replaceModule } from './script-upload.ts'

/** Enqueues a job that runs the script; the response shows the script with this job. */
async function run(request: ApiRequest): Promise<HttpResponse> {
  const { service, actor, base } = request
  const model = service.registry.model(SYSTEM.script)
  if (!mayAct(actor, 'run', model, service.settings)) throw noSuchObject(model)
  const { id, is_executable: isExecutable } = await findTarget<{ is_executable: boolean }>(request, SYSTEM.script, {
    permission: 'run',
    columns: sql`, t.is_executable`,
  })
  const body = await request.body.read()
  const input = scriptInput(service.registry, body, service.clock.now())
  if (!(await hasWorkers(service))) {
    throw unavailable('Unable to process request: no process of this service runs background jobs.')
  }
  const declaration = await requestedDeclaration(service, id, 'The script')
  if (!isExecutable) throw unavailable('Unable to process request: the script is not executable.')
  const { timeout, notifications, timeoutProblem, notificationsProblem } = declaration
  refuseSchedule(declaration, input)
  const data = await formData(request, declaration, input.data, body)
  const problem = timeoutProblem ?? (input.notifications === undefined && notificationsProblem)
  if (problem) throw invalid({ detail: [problem] })
  const main = mainOf(service)
  await main.database.transaction((transaction) =>
    enqueueScript(transaction, main, {
      ...input,
      ...{ data, isFormData: true, script: id, name: 'Run Script', base, timeout, branch: service.branch?.schemaId },
      user: requireUser({ actor }).id,
      permission: 'run',
      notifications: input.notifications ?? notifications,
    }),
  )
  return await scriptDetail(request)
}

/** Throws `invalid` for a time or an interval if the script may not be scheduled. */
function refuseSchedule(
  { schedulingEnabled }: ScriptDeclaration,
  { scheduledAt, interval }: Pick<ReturnType<typeof scriptInput>, 'scheduledAt' | 'interval'>,
): void {
  if (schedulingEnabled || scheduledAt === undefined) return
  throw invalid({
    [interval === undefined ? 'schedule_at' : 'interval']: ['Scheduling is not enabled for this script.'],
  })
}

/** The data for the script. Throws `invalid` with the problems by variable. */
async function formData(
  { service, actor }: ApiRequest,
  declaration: ScriptDeclaration,
  data: Json,
  body: unknown,
): Promise<JsonObject> {
  const files = Object.entries(body instanceof Object ? body : {}).flatMap(([name, file]: [string, unknown]) =>
    file instanceof UploadedFile
      ? [[name, { name: file.filename, base64: Buffer.from(file.bytes).toString('base64') }] as const]
      : [],
  )
  const checked = await checkPythonData(declaration, data, Object.fromEntries(files), async (name, ids) => {
    const model = service.registry.models.get(name)
    if (!model) return new Set()
    const mayAll = service.settings.scriptsAllPermissions
    const permitted = mayAll ? 'all' : permittedRowsOrNone(actor, 'view', model, service.settings)
    const rows = await service.database.query<{ id: number }>(sql`
      select t.id from ${table(model)} t
      where t.id = any(${ids}::bigint[])${permitted === 'all' ? sql`` : sql` and (${permitted})`}`)
    return new Set(rows.map((row) => row.id))
  })
  if ('problems' in checked) throw invalid({ data: checked.problems })
  return checked.data
}

const unavailable = (detail: string) => new ApiError({ kind: 'unavailable', detail })

const uploading = (body: string, handle: ActionOperation['handle'], status?: 201): ActionOperation => ({
  permission: { add: 'extras.scriptmodule' },
  body: schema(body),
  takesFile: true,
  answer: schema('ScriptModule'),
  ...(status && { status }),
  handle,
})

const FILE = { file: { type: 'string', format: 'binary', writeOnly: true } }
/** In place of an uploaded file: one of a data source, which the module may follow. */
const SOURCE = {
  data_file: { type: 'integer', nullable: true, writeOnly: true, description: 'Id of a file of a data source' },
  auto_sync_enabled: { type: 'boolean', default: false, writeOnly: true },
}

export const scriptActions: readonly Action[] = [
  {
    path: 'extras/scripts/:id',
    takesNames: true,
    title: 'Script Instance',
    methods: {
      GET: {
        permission: { view: 'extras.script' },
        answer: schema('Script'),
        handle: async (request) => scriptDetail(await withScriptId(request)),
      },
      POST: {
        summary: 'Run one script',
        // Scripts that the user may not run count as missing.
        permission: 'user',
        body: schema('ScriptInputRequest'),
        answer: schema('Script'),
        verb: 'run',
        handle: async (request) => run(await withScriptId(request)),
      },
    },
    schemas: {
      ScriptInputRequest: {
        type: 'object',
        properties: {
          data: {},
          commit: { type: 'boolean' },
          schedule_at: { type: 'string', format: 'date-time', nullable: true },
          interval: { type: 'integer', nullable: true },
          notifications: { type: 'string', enum: ['always', 'on_failure', 'never'] },
        },
        required: ['commit', 'data'],
      },
    },
  },
  {
    path: 'extras/scripts/upload',
    title: 'Script Module List',
    methods: { POST: uploading('ScriptModuleRequest', addModule, 201) },
    schemas: {
      ScriptModuleRequest: { type: 'object', properties: { ...FILE, ...SOURCE } },
      PatchedScriptModuleRequest: { type: 'object', properties: { ...FILE, ...SOURCE } },
    },
  },
  {
    path: 'extras/scripts/upload/:id',
    takesNames: true,
    title: 'Script Module Instance',
    methods: {
      PUT: uploading('ScriptModuleRequest', replaceModule),
      PATCH: uploading('PatchedScriptModuleRequest', replaceModule),
    },
  },
]

const NAME = /^([^.]+)\.(.+)$/

/**
 * The request with the script's id in place of `<file without extension>.<name>`; unchanged if no script has that name.
 */
async function withScriptId(request: ApiRequest): Promise<ApiRequest> {
  const [, module, name] = NAME.exec(unescaped(request.parameters[0] ?? '')) ?? []
  if (module === undefined || name === undefined) return request
  const [script] = await request.service.database.query<{ id: number }>(sql`
    select s.id from ${table('extras.script')} s join ${table('extras.scriptmodule')} m on m.id = s.module_id
    where s.name = ${name} and regexp_replace(m.file_path, '\\.[^.]*$', '') = ${module}`)
  return script ? { ...request, parameters: [String(script.id)] } : request
}
