import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type DescribedFile, describedFile } from '../../../automation/scripts/describe.ts'
import { isScriptFile, refusedFile, scriptsRootOf } from '../../../automation/scripts/scripts-root.ts'
import { storeModule } from '../../../automation/scripts/store-module.ts'
import { invalid } from '../../../base/errors.ts'
import { permittedRowsOrNone } from '../../../identity/permitted-rows.ts'
import { projectionOf } from '../../../read/serialise/projection.ts'
import { fetchObjects } from '../../../read/serialise/read-objects.ts'
import { committedData } from '../../../read/serialise/read-source.ts'
import { isJsonObject, type Json } from '../../../schema/json.ts'
import { unescaped } from '../../../schema/unescaped.ts'
import { UploadedFile } from '../../../schema/uploaded-file.ts'
import type { Service } from '../../../service.ts'
import { sql } from '../../../sql/fragment.ts'
import { table, updateTable } from '../../../sql/table.ts'
import type { ApiRequest } from '../../api-request.ts'
import type { HttpResponse } from '../../response.ts'
import { findTarget } from '../target.ts'

const MODULE = 'extras.scriptmodule'
const DATA_FILE = 'core.datafile'

/** POST of a new file of scripts: an uploaded one, or one of a data source. */
export async function addModule(request: ApiRequest): Promise<HttpResponse> {
  const { filename, bytes, source } = await contentOf(request)
  const path = pathOf(request.service, filename)
  if (existsSync(path)) {
    throw invalid({ non_field_errors: ['A script module with this file name already exists.'] })
  }
  const response = await store(request, path, bytes, 201)
  if (source) await keepSource(request.service, filename, source)
  return response
}

/** The file that a request brings or names. */
interface Content {
  readonly filename: string
  readonly bytes: Uint8Array
  /** The file of a data source, if it is one. */
  readonly source?: { readonly id: number; readonly isSynchronised: boolean }
}

async function contentOf(request: ApiRequest): Promise<Content> {
  const sent: unknown = await request.body.read()
  const { data_file: id = null, auto_sync_enabled: isSynchronised } = isJsonObject(sent) ? sent : {}
  if (id === null) return await uploadedFile(request)
  const { filename, bytes } = await dataFileOf(request, id)
  return { filename, bytes, source: { id: Number(id), isSynchronised: isSynchronised === true } }
}

/** Throws `invalid` for a file that does not exist or that the user may not view. */
async function dataFileOf({ service, actor }: ApiRequest, id: Json): Promise<Content> {
  const permitted = permittedRowsOrNone(actor, 'view', service.registry.model(DATA_FILE), service.settings)
  const [file] = await service.database.query<{ path: string; data: string }>(sql`
    select t.path, t.data from ${table(DATA_FILE)} t
    where t.id = ${Number.isSafeInteger(id) ? Number(id) : 0}::bigint${permitted === 'all' ? sql`` : sql` and (${permitted})`}`)
  if (!file) throw invalid({ data_file: ['There is no such file of a data source.'] })
  return { filename: basename(file.path), bytes: Buffer.from(file.data, 'base64') }
}

/** Stores from which file of a data source the module is. */
async function keepSource(
  { database }: Service,
  name: string,
  { id, isSynchronised }: NonNullable<Content['source']>,
): Promise<void> {
  await database.execute(sql`
    ${updateTable(MODULE)} m set data_source_id = f.source_id, data_file_id = f.id, data_path = f.path,
      auto_sync_enabled = ${isSynchronised}, data_synced = f.last_updated
    from ${table(DATA_FILE)} f where f.id = ${id}::bigint and m.file_root = 'scripts' and m.file_path = ${name}`)
}

/** PUT and PATCH: replaces the content of a file of scripts, whatever the name of the uploaded file. */
export async function replaceModule(request: ApiRequest): Promise<HttpResponse> {
  const { file_path: name } = await findTarget<{ file_path: string }>(await withModuleId(request), MODULE, {
    permission: 'add',
    columns: sql`, t.file_path`,
  })
  const { bytes, source } = await contentOf(request)
  const response = await store(request, pathOf(request.service, name), bytes, 200)
  if (source) await keepSource(request.service, name, source)
  return response
}

/** The request with the module's id in place of the name of its file; unchanged if no module has that name. */
async function withModuleId(request: ApiRequest): Promise<ApiRequest> {
  const name = unescaped(request.parameters[0] ?? '')
  const [module] = await request.service.database.query<{ id: number }>(sql`
    select id from ${table(MODULE)} where file_root = 'scripts' and file_path = ${name}`)
  return module ? { ...request, parameters: [String(module.id)] } : request
}

/** Absolute path of a file of scripts. Throws `invalid` for a name that no such file can have. */
function pathOf(service: Service, name: string): string {
  if (isScriptFile(name)) return join(scriptsRootOf(service), name)
  throw invalid({ file: [refusedFile(name)] })
}

async function uploadedFile({ body }: ApiRequest): Promise<UploadedFile> {
  const sent = (await body.read()) as { readonly file?: unknown } | undefined // any document
  const file = isJsonObject(sent) || sent instanceof Object ? sent.file : undefined
  if (!(file instanceof UploadedFile)) throw invalid({ file: ['No file was submitted.'] })
  return file
}

async function store(request: ApiRequest, path: string, bytes: Uint8Array, status: 200 | 201): Promise<HttpResponse> {
  const { service, base } = request
  const id = await storeModule(service, path, await written(service, path, bytes), status === 200)
  const selection = { brief: false, excludeContext: false }
  const projection = projectionOf(service, service.registry.model(MODULE), selection)
  const text = (await fetchObjects(committedData(service), [id], projection, base)).get(id)
  return { status, body: text ?? 'null' }
}

/**
 * Writes the file and returns its scripts. Throws `invalid` if it cannot be loaded; the stored file is then left
 * unchanged.
 */
async function written(service: Service, path: string, bytes: Uint8Array): Promise<DescribedFile> {
  await mkdir(dirname(path), { recursive: true })
  const before = await readFile(path).catch(() => undefined)
  await writeFile(path, bytes, { mode: 0o640 })
  try {
    return await describedFile(service, path)
  } catch (error) {
    await (before ? writeFile(path, before) : rm(path))
    const why = error instanceof Error ? error.message : String(error)
    throw invalid({ non_field_errors: [`Error loading script: ${why}`] })
  }
}
