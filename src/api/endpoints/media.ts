import { basename, extname } from 'node:path'
import { ApiError } from '../../base/errors.ts'
import { rowSecurityOf } from '../../identity/permitted-rows.ts'
import { applyRowSecurity } from '../../read/query/row-security.ts'
import type { Model } from '../../schema/registry.ts'
import { identifier, join as joinSql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { mediaStore, type StoredFile } from '../../write/media/media-store.ts'
import { fileFields } from '../../write/media/transaction-files.ts'
import { genericFields } from '../../write/validate/generic-targets.ts'
import type { ApiRequest } from '../api-request.ts'
import type { Endpoint } from '../endpoint.ts'
import type { HttpResponse } from '../response.ts'

/** Images that browsers may display. Every other file is sent as a download. */
const PICTURES: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
}

/**
 * GET /media/<path>: an uploaded file, for users who may view its object and, if that is attached to another object,
 * also the other one.
 */
export const media: Endpoint = {
  name: 'Media',
  description: 'Uploaded files.',
  kind: 'file',
  methods: {
    GET: {
      handle: async (request) => {
        const path = decodePath(request.parameters.at(-1) ?? '')
        if (path === undefined || !(await isVisible(request, path))) throw noSuchFile()
        const file = await mediaStore(request.service.settings).open(path)
        if (!file) throw noSuchFile()
        return fileResponse(path, file)
      },
    },
  },
}

const noSuchFile = () => new ApiError({ kind: 'notFound', detail: 'Not found.' })

/** Undefined for invalid escapes and for every path that leaves the directory. */
function decodePath(encoded: string): string | undefined {
  try {
    const path = decodeURIComponent(encoded)
    const isPlain = !path.includes('\0') && !path.includes('\\')
    const isBelow = path.split('/').every((name) => name !== '' && !/^\.+$/.test(name))
    return isPlain && isBelow ? path : undefined
  } catch {
    return undefined
  }
}

/** Whether the sender may view an object that has the file. */
async function isVisible(request: ApiRequest, path: string): Promise<boolean> {
  const fields = [...request.service.registry.models.values()].flatMap((model) =>
    fileFields(model).map(([name, { directory }]) => ({ model, name, isUsual: path.startsWith(`${directory}/`) })),
  )
  // Files that were imported are in the directories of their source.
  for (const { model, name } of fields.sort((a, b) => Number(b.isUsual) - Number(a.isUsual))) {
    if (await hasFile(request, model, name, path)) return true
  }
  return false
}

async function hasFile({ actor, service }: ApiRequest, model: Model, name: string, path: string): Promise<boolean> {
  const { settings, database, registry } = service
  const column = identifier(model.columns.get(name)?.name ?? name)
  const conditions = [sql`t.${column} = ${path}`]
  for (const { field, id } of genericFields(model)) {
    // Row-level security replaces the id of a hidden object by null.
    if (!field.nullable) conditions.push(sql`t.${identifier(id)} is not null`)
  }
  const statement = sql`
    select t.id from ${table(model)} t where ${joinSql(conditions, ' and ')} limit 1`
  const rows = await database.query(applyRowSecurity(rowSecurityOf(actor, registry, settings), statement))
  return rows.length > 0
}

function fileResponse(path: string, { size, chunks }: StoredFile): HttpResponse {
  const picture = PICTURES[extname(path).toLowerCase()]
  const name = encodeURIComponent(basename(path))
  return {
    status: 200,
    type: picture ?? 'application/octet-stream',
    body: chunks,
    headers: {
      'Content-Length': String(size),
      'Content-Disposition': `${picture ? 'inline' : 'attachment'}; filename*=UTF-8''${name}`,
      // A file with active content must not act with the session of the user who opens it.
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'Cache-Control': 'private, max-age=300',
    },
  }
}
