import { invalid } from '../../../base/errors.ts'
import { requireUser } from '../../../identity/require-user.ts'
import { SYNCED_MODELS, type SyncedModel } from '../../../models/extras/synced-models.ts'
import { dataWithin } from '../../../read/serialise/read-source.ts'
import type { Fields } from '../../../schema/field.ts'
import { sql } from '../../../sql/fragment.ts'
import { table } from '../../../sql/table.ts'
import type { WriteContext } from '../../../write/context.ts'
import { runWrite } from '../../../write/run.ts'
import { writeRequestOf } from '../../../write/write-request.ts'
import type { ApiRequest } from '../../api-request.ts'
import type { HttpResponse } from '../../response.ts'
import { type Action, schema } from '../action.ts'
import { objectResponse } from '../object-response.ts'
import { findTarget } from '../target.ts'

/** Copies the current content of the object's file; an object without a file is not changed. */
async function synchroniseObject(request: ApiRequest, synced: SyncedModel): Promise<HttpResponse> {
  const { service, base } = request
  const actor = requireUser(request)
  const { model } = synced
  // Both permissions are required, and each may cover different objects.
  await findTarget(request, model.name, { permission: 'sync' })
  const { id } = await findTarget(request, model.name)
  return await runWrite(service, writeRequestOf(request, actor), async (context) => {
    await copyFiles(context, synced, [id])
    const source = dataWithin(service, context.transaction)
    return await objectResponse(source, { model: model.name, id, base })
  })
}

/** Copies the files of all these objects, or of none. Throws `invalid`. The sender's permissions for them are not checked. */
export async function synchroniseObjects(
  request: Pick<ApiRequest, 'service' | 'actor' | 'id' | 'method' | 'url'>,
  synced: SyncedModel,
  ids: readonly number[],
): Promise<void> {
  const origin = writeRequestOf(request, requireUser(request))
  await runWrite(request.service, origin, (context) => copyFiles(context, synced, ids))
}

/** Stores the content of the files that the objects refer to; objects without a file are not changed. Throws `invalid`. */
async function copyFiles(
  context: WriteContext,
  { model, field, read }: SyncedModel,
  ids: readonly number[],
): Promise<void> {
  const files = await context.transaction.query<{ id: number; data: string }>(sql`
    select t.id, f.data from ${table(model.name)} t join ${table('core.datafile')} f on f.id = t.data_file_id
    where t.id = any(${ids}::bigint[]) order by t.id`)
  const rows = files.map(({ id, data }) => {
    const content = read(data)
    if ('problem' in content) throw invalid({ [field]: [content.problem] })
    // Not validated as a body: the content of the file is stored exactly.
    return { id, ...{ [field]: content.value, data_synced: context.now } }
  })
  if (rows.length > 0) await context.makeWriter(context).update<Fields>(model, rows)
}

function objectSync(synced: SyncedModel): Action {
  const { name, path, labels } = synced.model
  const title = labels[0].replace(/\b\w/g, (letter) => letter.toUpperCase())
  const schemaName = title.replaceAll(' ', '')
  return {
    path: `${path}/:id/sync`,
    title,
    methods: {
      POST: {
        permission: { view: name, sync: name },
        body: schema(`${schemaName}Request`),
        answer: schema(schemaName),
        hasDryRun: true,
        handle: (request) => synchroniseObject(request, synced),
      },
    },
  }
}

/** Endpoints that copy the content of a data file into the object that refers to it. */
export const objectSyncActions: readonly Action[] = SYNCED_MODELS.map(objectSync)
