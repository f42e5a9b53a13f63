import { existsSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import type { ScriptDeclaration } from '../../../automation/scripts/declaration.ts'
import { declarationsOf } from '../../../automation/scripts/describe.ts'
import type { ScriptRights } from '../../../automation/scripts/script-process.ts'
import { isScriptFile, modulePath, scriptRights } from '../../../automation/scripts/scripts-root.ts'
import { storeModule } from '../../../automation/scripts/store-module.ts'
import { invalid } from '../../../base/errors.ts'
import { projectionOf } from '../../../read/serialise/projection.ts'
import { fetchObjects } from '../../../read/serialise/read-objects.ts'
import { committedData } from '../../../read/serialise/read-source.ts'
import { isJsonObject } from '../../../schema/json.ts'
import { UploadedFile } from '../../../schema/uploaded-file.ts'
import { sql } from '../../../sql/fragment.ts'
import type { ApiRequest } from '../../api-request.ts'
import type { HttpResponse } from '../../response.ts'
import { findTarget } from '../target.ts'

const MODULE = 'extras.scriptmodule'

/** POST of a new file of scripts. */
export async function addModule(request: ApiRequest): Promise<HttpResponse> {
  const { filename, bytes } = await uploadedFile(request)
  const rights = scriptRights(request.service)
  if (!isScriptFile(filename)) {
    throw invalid({
      file: ['Scripts are files such as name.ts, name.mts, name.js or name.mjs, with at most 255 characters.'],
    })
  }
  if (existsSync(modulePath(rights, filename))) {
    throw invalid({ non_field_errors: ['A script module with this file name already exists.'] })
  }
  return await store(request, rights, filename, bytes, 201)
}

/** PUT and PATCH: replaces the content of a file of scripts, whatever the name of the uploaded file. */
export async function replaceModule(request: ApiRequest): Promise<HttpResponse> {
  const { file_path: name } = await findTarget<{ file_path: string }>(request, MODULE, {
    permission: 'add',
    columns: sql`, t.file_path`,
  })
  const { bytes } = await uploadedFile(request)
  return await store(request, scriptRights(request.service), name, bytes, 200)
}

async function uploadedFile({ body }: ApiRequest): Promise<UploadedFile> {
  const sent = (await body.read()) as { readonly file?: unknown } | undefined // any document
  const file = isJsonObject(sent) || sent instanceof Object ? sent.file : undefined
  if (!(file instanceof UploadedFile)) throw invalid({ file: ['No file was submitted.'] })
  return file
}

async function store(
  request: ApiRequest,
  rights: ScriptRights,
  name: string,
  bytes: Uint8Array,
  status: 200 | 201,
): Promise<HttpResponse> {
  const scripts = await written(rights, modulePath(rights, name), bytes)
  const { service, base } = request
  const id = await storeModule(service, name, scripts, status === 200)
  const selection = { brief: false, excludeContext: false }
  const projection = projectionOf(service, service.registry.model(MODULE), selection)
  const text = (await fetchObjects(committedData(service), [id], projection, base)).get(id)
  return { status, body: text ?? 'null' }
}

/**
 * Writes the file and returns its scripts. Throws `invalid` if it cannot be loaded; the stored file is then left
 * unchanged.
 */
async function written(rights: ScriptRights, path: string, bytes: Uint8Array): Promise<readonly ScriptDeclaration[]> {
  const before = await readFile(path).catch(() => undefined)
  await writeFile(path, bytes, { mode: 0o640 })
  try {
    return await declarationsOf(rights, path)
  } catch (error) {
    await (before ? writeFile(path, before) : rm(path))
    const why = error instanceof Error ? error.message : String(error)
    throw invalid({ non_field_errors: [`Error loading script: ${why}`] })
  }
}
