import { hasWorkers } from '../../../automation/jobs/live-workers.ts'
import { enqueueScript } from '../../../automation/scripts/enqueue-script.ts'
import { currentDeclaration, scriptLocation } from '../../../automation/scripts/script-location.ts'
import { ApiError, invalid } from '../../../base/errors.ts'
import { unescaped } from '../../../schema/unescaped.ts'
import { mainOf } from '../../../service.ts'
import { sql } from '../../../sql/fragment.ts'
import { table } from '../../../sql/table.ts'
import type { ApiRequest } from '../../api-request.ts'
import type { HttpResponse } from '../../response.ts'
import { type Action, type ActionOperation, schema } from '../action.ts'
import { findTarget } from '../target.ts'
import { scriptDetail } from './script-detail.ts'
import { scriptInput } from './script-input.ts'
import { addModule, replaceModule } from './script-upload.ts'

/** Enqueues a job that runs the script; the response shows the script with this job. */
async function run(request: ApiRequest): Promise<HttpResponse> {
  const { service, actor, base } = request
  const { id, is_executable: isExecutable } = await findTarget<{ is_executable: boolean }>(request, 'extras.script', {
    permission: 'run',
    columns: sql`, t.is_executable`,
  })
  const input = scriptInput(service.registry, await request.body.read(), service.clock.now())
  if (!(await hasWorkers(service))) {
    throw unavailable('Unable to process request: no process of this service runs background jobs.')
  }
  if (!isExecutable) throw unavailable('Unable to process request: the script is not executable.')
  const location = await scriptLocation(service, id)
  const { timeout, schedulingEnabled, notifications } = await currentDeclaration(location)
  if (input.scheduledAt !== undefined && !schedulingEnabled) {
    throw invalid({ schedule_at: ['Scheduling is not enabled for this script.'] })
  }
  const main = mainOf(service)
  await main.database.transaction((transaction) =>
    enqueueScript(transaction, main, {
      ...input,
      ...{ script: id, name: 'Run Script', base, timeout, branch: service.branch?.schemaId },
      user: actor.kind === 'user' ? actor.id : undefined,
      notifications: input.notifications ?? notifications,
    }),
  )
  return await scriptDetail(request)
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
        permission: { run: 'extras.script' },
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
      ScriptModuleRequest: { type: 'object', properties: FILE, required: ['file'] },
      PatchedScriptModuleRequest: { type: 'object', properties: FILE },
    },
  },
  {
    path: 'extras/scripts/upload/:id',
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
