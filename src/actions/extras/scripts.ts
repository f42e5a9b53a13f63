import { ApiError, invalid } from '../../errors.ts'
import { isJsonObject } from '../../schema/json.ts'
import { type Action, type ActionRequest, type Operation, schema } from '../action.ts'
import { findTarget } from '../target.ts'
import { scriptDetail } from './script-detail.ts'

/**
 * Scripts are Python programs over the reference's classes. This service stores their metadata and runs none, so it
 * responds as the reference does without a worker.
 */
async function run(request: ActionRequest): Promise<never> {
  await findTarget(request, 'extras.script', { permission: 'run' })
  const body = (await request.body.read()) ?? {}
  const fields = isJsonObject(body) ? body : {}
  const missing = ['data', 'commit'].filter((name) => fields[name] === undefined)
  if (missing.length > 0) {
    throw invalid(Object.fromEntries(missing.map((name) => [name, ['This field is required.']])))
  }
  throw noWorker()
}

async function upload(request: ActionRequest): Promise<never> {
  const body = await request.body.read()
  if (!isJsonObject(body) || !('file' in body)) {
    throw invalid({ file: ['No file was submitted.'] })
  }
  throw noWorker()
}

const noWorker = () =>
  new ApiError({
    kind: 'unavailable',
    detail: 'Unable to process request: this service has no worker that runs scripts.',
  })

const uploading = (body: string, status?: 201): Operation => ({
  permission: { add: 'extras.scriptmodule' },
  body: schema(body),
  takesFile: true,
  answer: schema('ScriptModule'),
  ...(status && { status }),
  handle: upload,
})

const FILE = { file: { type: 'string', format: 'binary', writeOnly: true } }

export const scriptActions: readonly Action[] = [
  {
    path: 'extras/scripts/:id',
    title: 'Script Instance',
    methods: {
      GET: {
        permission: { view: 'extras.script' },
        answer: schema('Script'),
        handle: scriptDetail,
      },
      POST: {
        summary: 'Run one script',
        permission: { run: 'extras.script' },
        body: schema('ScriptInputRequest'),
        answer: schema('Script'),
        verb: 'run',
        handle: run,
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
    methods: { POST: uploading('ScriptModuleRequest', 201) },
    schemas: {
      ScriptModuleRequest: { type: 'object', properties: FILE, required: ['file'] },
      PatchedScriptModuleRequest: { type: 'object', properties: FILE },
    },
  },
  {
    path: 'extras/scripts/upload/:id',
    title: 'Script Module Instance',
    methods: {
      PUT: uploading('ScriptModuleRequest'),
      PATCH: uploading('PatchedScriptModuleRequest'),
    },
  },
]
